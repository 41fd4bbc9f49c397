package secret

import (
	"path"
	"slices"
	"strings"
)

var (
	// fileNames are files that hold keys or passwords whatever is in them.
	fileNames = []string{
		".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials", ".dockercfg", ".boto", ".s3cfg",
		".vault-token", ".my.cnf", "credentials", "credentials.json", "credentials.toml", "credentials.yml", "credentials.yaml",
		"secrets.json", "secrets.toml", "secrets.yml", "secrets.yaml", "service-account.json", "terraform.tfvars", "terraform.tfstate",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "kubeconfig", "shadow", "master.key",
	}
	fileEnds    = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg", ".tfvars", ".tfstate"}
	folderNames = []string{".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", "gcloud"}

	// harmlessEnds are of templates and public keys, which are meant to be shared.
	harmlessEnds = []string{".example", ".sample", ".template", ".dist", ".pub"}
)

// File reports whether a file looks like one that holds keys or passwords, by its path with
// slashes.
func File(name string) bool {
	name = strings.ToLower(name)
	base := path.Base(name)
	hasEnd := func(end string) bool { return strings.HasSuffix(base, end) }
	if slices.ContainsFunc(harmlessEnds, hasEnd) {
		return false
	}
	if base == ".env" || strings.HasPrefix(base, ".env.") || base == ".envrc" || hasEnd(".env") {
		return true
	}
	return slices.Contains(fileNames, base) || slices.ContainsFunc(fileEnds, hasEnd) ||
		slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return slices.Contains(folderNames, dir) })
}

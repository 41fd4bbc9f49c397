package secret

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	// fileNames are files that hold keys or passwords whatever is in them.
	fileNames = []string{
		".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials", ".dockercfg", ".boto", ".s3cfg",
		".vault-token", ".my.cnf", "credentials", "credentials.json", "credentials.toml", "credentials.yml", "credentials.yaml",
		"secrets.json", "secrets.toml", "secrets.yml", "secrets.yaml", "service-account.json", "terraform.tfvars", "terraform.tfstate",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "kubeconfig", "shadow", "master.key",
	}
	fileEnds    = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".gpg", ".tfvars", ".tfstate"}
	folderNames = []string{".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker"}

	// codeEnds are of files that people read and programs run, wherever they are.
	codeEnds = []string{".go", ".js", ".ts", ".py", ".rb", ".sh", ".yml", ".tf", ".asc", ".md"}

	// harmlessEnds are of templates and public keys, which are meant to be shared.
	harmlessEnds = []string{".example", ".sample", ".template", ".dist", ".pub"}
)

// File reports whether a file looks like one that holds keys or passwords, by its path with
// slashes.
func File(name string) bool {
	name = strings.ToLower(name)
	base := path.Base(name)
	hasEnd := func(end string) bool { return strings.HasSuffix(base, end) }
	if slices.Contains(fileNames, base) {
		return true
	}
	if slices.ContainsFunc(harmlessEnds, hasEnd) || slices.ContainsFunc(codeEnds, hasEnd) {
		return false
	}
	if base == ".env" || strings.HasPrefix(base, ".env.") || base == ".envrc" || hasEnd(".env") {
		return true
	}
	return slices.ContainsFunc(fileEnds, hasEnd) ||
		slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return slices.Contains(folderNames, dir) })
}

// keyFile matches how keys and the state of Terraform begin, and setting a line with a name and
// a value.
var (
	keyFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:-----BEGIN |AGE-SECRET-KEY-1|PuTTY-User-Key-File-|machine \S+|[ \t]*client-key-data:)|` +
			`^\s*"(?:auths|private_key|client_secret)":|\A\{\s*"version": \d+,\s*"terraform_version"`)
	})
	setting = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:export[ \t]+|//\S+:)?[A-Za-z_][A-Za-z0-9_.-]*[ \t]*=`)
	})
)

// IsKeyFile reports whether a text is what files of keys and passwords hold: a key in PEM, of
// OpenSSH, PuTTY or age, the credentials of netrc, Docker, Kubernetes or Google, the state of
// Terraform, or lines NAME=VALUE and nothing else.
func IsKeyFile(content string) bool {
	if keyFile().MatchString(content) {
		return true
	}
	settings := 0
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || line[0] == ';' || line[0] == '[' && line[len(line)-1] == ']':
		case !setting().MatchString(line):
			return false
		default:
			settings++
		}
	}
	return settings > 0
}

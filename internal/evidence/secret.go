package evidence

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	// secretNames are files that hold keys or passwords whatever is in them.
	secretNames = []string{
		".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd", ".git-credentials", ".dockercfg", ".boto", ".s3cfg",
		".vault-token", ".my.cnf", "credentials", "credentials.json", "credentials.toml", "credentials.yml", "credentials.yaml",
		"secrets.json", "secrets.toml", "secrets.yml", "secrets.yaml", "service-account.json", "terraform.tfvars", "terraform.tfstate",
		"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "kubeconfig", "shadow", "master.key",
	}
	secretEnds    = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".asc", ".gpg", ".tfvars", ".tfstate"}
	secretFolders = []string{".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", "gcloud"}

	// templates of files of variables, which are meant to be shared.
	harmlessEnds = []string{".example", ".sample", ".template", ".dist", ".pub"}
)

// looksSecret reports whether a file looks like one that holds keys or passwords, by its
// path or its text. Text may be "" if only the path is known.
func looksSecret(name, text string) bool { return secretName(name) || holdsKey(text) }

// holdsKey reports whether a text holds a private key or the key of a service. Almost no
// text holds one of the beginnings, so that almost none is searched by an expression.
func holdsKey(text string) bool {
	holds := func(begin string) bool { return strings.Contains(text, begin) }
	return holds("PRIVATE KEY") && privateKey().MatchString(text) || slices.ContainsFunc(keyBegins, holds) && keyShape().MatchString(text)
}

var (
	keyBegins = []string{
		"sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-",
		"AIza", "AKIA", "ASIA",
	}
	keyShape = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:sk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}` +
			`|glpat-[A-Za-z0-9_-]{18,}|xox[abprs]-[A-Za-z0-9-]{18,}|AIza[A-Za-z0-9_-]{30,}|(?:AKIA|ASIA)[A-Z0-9]{16})`)
	})
	privateKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t+"'-]*-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`)
	})
)

func secretName(name string) bool {
	name = strings.ToLower(name)
	base := path.Base(name)
	hasEnd := func(end string) bool { return strings.HasSuffix(base, end) }
	if slices.ContainsFunc(harmlessEnds, hasEnd) {
		return false
	}
	if base == ".env" || strings.HasPrefix(base, ".env.") || base == ".envrc" || hasEnd(".env") {
		return true
	}
	return slices.Contains(secretNames, base) || slices.ContainsFunc(secretEnds, hasEnd) ||
		slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool { return slices.Contains(secretFolders, dir) })
}

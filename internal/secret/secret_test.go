package secret_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/secret"
	"roundtable/internal/testing/must"
)

func mask(text string) string { return secret.Mask(text, func(string) string { return "[redacted]" }) }

func TestMask_knowsTheForms(t *testing.T) {
	if n := len(forms()); n < 150 {
		t.Errorf("%d forms", n)
	}
	for _, form := range forms() {
		if got := mask("Before.\n" + form.Text + "\nAfter."); strings.Contains(got, form.Secret) {
			t.Errorf("%q stays: %q", form.Secret, got)
		} else if !strings.HasPrefix(got, "Before.\n") || !strings.HasSuffix(got, "\nAfter.") {
			t.Errorf("%q masks what is around it: %q", form.Text, got)
		}
	}
}

func TestMask_knowsPlainWordsAloneOnALine(t *testing.T) {
	for _, text := range []string{
		"password: correcthorse", "PASSWORD=correcthorse", "  password: correcthorse\r", "export DB_PASSWORD=correcthorse",
		"- password: correcthorse", "\"password\": \"correcthorse\",", "password: 'correcthorse'", "passwd=correcthorse", "DB_PASS=correcthorse",
		"db.password = correcthorse", "client_secret: correcthorse", "SECRET=correcthorse", "token=correcthorse", "TOKEN: correcthorse",
		"API_KEY=correcthorse", "+PASSWORD=correcthorse", "# PASSWORD=correcthorse", "dbPassword: correcthorse",
	} {
		got := mask("Before.\n" + text + "\nAfter.")
		if want := "Before.\n" + strings.Replace(text, "correcthorse", "[redacted]", 1) + "\nAfter."; got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
	if got := mask("password=12345678"); got != "password=[redacted]" {
		t.Errorf("a password of digits became %q", got)
	}
	for _, text := range []string{
		"password: string", "password: required", "PASSWORD=$OTHER_PASS", "password: ${ENV}", "password: your-word", "password: xxxxxx",
		"password: <secret>", "secret: true", "secret: false", "secret: null", "secret: undefined", "password: dbPassword", "password: cfg.Password",
		"token: smallest", "token = another", "TOKEN=400000", "pass: complete", "bypass: allowed", "compass: northern", "password: short",
		"password: horses run", "The password: correcthorse", "password := another", "if password == another", "password: read()",
		"Password: another,", "PWD=/home/someone", "--password: ******",
	} {
		if got := mask(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestMask_leavesProseAndCodeAlone(t *testing.T) {
	for _, text := range []string{
		"tokens = 400000", "max_tokens: 131072", "the keyboard: qwerty12", "key: value12345", `token := os.Getenv("API_TOKEN_2")`,
		"api_key: ${API_KEY_2}", "password: <your-password-1>", "secret: xxxxxxxx", `"password": "required"`, "A token: the smallest unit of text.",
		"- **Password**: required for login", "- **Token**: smallest", "**Secret:** a value that only the two of you know", "The password is hashed with bcrypt.",
		"The token is valid for 3600 seconds.", "| password | string | required |", "| Field | Token | Type |\n|---|---|---|\n| a | yes | text |", "a | token | number12345",
		"Authorization: required for all of version2", "Authorization is done by OAuth2.", "Authorization: see section 12345678", "Cookie: the small file",
		"Set-Cookie: a=b; Path=/account1234; Max-Age=31536000", "mkdir -p build/output2026", "docker run -p 8080:80 image1234", "ssh -p 2222 me@host12345",
		"git log -p file12345.go", "docker run -u 1000:1000 image", "rsync -u host:/var/www12345 .", "log -p password1234", "Basic understanding of HTTP", "basic authentication-scheme",
		"pypi-publish-action-for-all", "pul-request", "https://hooks.slack.com/services/ABC", "fc-list and hvs.example", "npm_config_registry_something_very_long",
		"if password == \"another1234\" {", "std::password::new12345678", "bearer-authentication", "use `password` and `token1234567`", "type T = string | Token | boolean",
		"the secret is that nobody2026 knows", "Password: see 1Password", "mysql -p shop2026", "openssl genrsa 4096", "keys: [a1b2c3d4, e5f6g7h8]", "zip -r site2026.zip .",
		"api_key = \"$OPENAI_API_KEY\"", "--token TOKEN", "pass: 12345678", "monkey: abc12345", "passage: abc12345",
	} {
		if got := mask(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	size := 0
	for _, pattern := range []string{"../../docs", "../../debate"} {
		err := filepath.WalkDir(pattern, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") && !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			raw, err := os.ReadFile(path)
			size += len(raw)
			for line := range strings.Lines(string(raw)) {
				if got := mask(line); got != line {
					t.Errorf("%s: %q became %q", path, line, got)
				}
			}
			return err
		})
		must.Do(t, err)
	}
	if size < 200<<10 {
		t.Errorf("only %d bytes were read", size)
	}
}

// A look at a byte is counted wherever it happens: in the pass over the text, in what was found
// to be a name, a value or a key, and in a regular expression.
func TestMask_looksAtEachByteAtMostFourTimes(t *testing.T) {
	var words []string
	for _, form := range forms() {
		words = append(words, form.Text)
	}
	words = append(words, "token=", "token: ", "password='", "password=\"", "api key = ", "eyJ-", "eyJaaaaaaaa.", "sk-", "pul-", "fc-fc-", "hvs.", "://a:", "Bearer ", "basic ",
		"-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "| password ", "|", " -p ", "curl -u ", "mysql -p", "\n", " ", "`", "\"", "Cookie: a=", "value=", "<password>", "is ", "password is ")
	check := func(text string) {
		t.Helper()
		if n := secret.Looks(text); n > 4*len(text)+100 {
			t.Errorf("%d looks at %d bytes, %.1f each: %.80q", n, len(text), float64(n)/float64(len(text)), text)
		}
	}
	for _, word := range words {
		check(strings.Repeat(word, 1+10000/len(word)))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		var b strings.Builder
		some := []string{words[r.IntN(len(words))], words[r.IntN(len(words))], words[r.IntN(len(words))]}
		for b.Len() < 10000 {
			b.WriteString(some[r.IntN(3)])
		}
		check(b.String())
	}
}

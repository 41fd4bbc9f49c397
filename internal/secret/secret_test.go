package secret_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/secret"
	"roundtable/internal/secret/secrettest"
)

func mask(text string) string { return secret.Mask(text, func(string) string { return "[redacted]" }) }

func TestMask_knowsTheForms(t *testing.T) {
	forms := secrettest.Forms()
	if len(forms) < 60 {
		t.Errorf("%d forms", len(forms))
	}
	for _, form := range forms {
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
		"api_key = \"$OPENAI_API_KEY\"", "--token TOKEN", "pass: 12345678", "monkey: abc12345", "passage: abc12345",
	} {
		if got := mask(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	size := 0
	for _, pattern := range []string{"../../docs", "../../debate", "../../store", "../../tui"} {
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
		if err != nil {
			t.Fatal(err)
		}
	}
	if size < 200<<10 {
		t.Errorf("only %d bytes were read", size)
	}
}

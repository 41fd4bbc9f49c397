package openai_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

// keyCommand is the variable that makes the test binary a key command, which does or prints its value.
const keyCommand = "OPENAI_TEST_KEY_COMMAND"

func prints(text string) func(string) (string, bool) { return environment(keyCommand, text) }

func TestMain(m *testing.M) {
	switch what := os.Getenv(keyCommand); what {
	case "":
		os.Exit(m.Run())
	case "hang":
		time.Sleep(time.Hour)
	case "fail":
		os.Stdout.WriteString("canary-out")
		os.Stderr.WriteString("canary-err")
		os.Exit(3)
	case "much":
		os.Stdout.WriteString(strings.Repeat("canary-out", 100<<10))
	default:
		os.Stdout.WriteString(what)
	}
}

func environment(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}
		return "", false
	}
}

func TestKey_comesFromTheEnvironmentOrACommand(t *testing.T) {
	self := []string{must.Get(os.Executable())(t)}
	for _, tt := range []struct {
		name string
		cfg  openai.Config
		env  func(string) (string, bool)
		want string
		err  string
	}{
		{"none asked for", openai.Config{BaseURL: "http://localhost/v1"}, environment(), "", ""},
		{"a local preset", openai.Config{Preset: "ollama"}, environment("OPENAI_API_KEY", "sk"), "", ""},
		{"the preset's", openai.Config{Preset: "openai"}, environment("OPENAI_API_KEY", "sk-1"), "sk-1", ""},
		{"the configured", openai.Config{Preset: "openai", APIKeyEnv: "MINE"}, environment("OPENAI_API_KEY", "sk-1", "MINE", "sk-2"), "sk-2", ""},
		{"the preset's at its own address", openai.Config{Preset: "openai", BaseURL: "https://api.openai.com/v2"}, environment("OPENAI_API_KEY", "sk-1"), "sk-1", ""},
		{"the preset's at another address", openai.Config{Preset: "openai", BaseURL: "https://evil.example/v1"}, environment("OPENAI_API_KEY", "sk-1"), "", ""},
		{"a line end", openai.Config{APIKeyEnv: "MINE"}, environment("MINE", " sk-1\r\n"), "sk-1", ""},
		{"unset", openai.Config{Preset: "openai"}, environment(), "", "the variable OPENAI_API_KEY is not set; export it with the key in it, or name another in api_key_env"},
		{"empty", openai.Config{APIKeyEnv: "MINE"}, environment("MINE", ""), "", "the variable MINE is empty"},
		{"blank", openai.Config{APIKeyEnv: "MINE"}, environment("MINE", " \n"), "", "the variable MINE is empty"},
		{"two lines", openai.Config{APIKeyEnv: "MINE"}, environment("MINE", "canary\ncanary"), "", "the variable MINE has more than one line"},
		{"a space", openai.Config{APIKeyEnv: "MINE"}, environment("MINE", "canary canary"), "", "the variable MINE has a space"},
		{"not ASCII", openai.Config{APIKeyEnv: "MINE"}, environment("MINE", "canary–canary"), "", "the variable MINE has a space or a character in it that no key has"},
		{"a control character", openai.Config{APIKeyEnv: "MINE"}, environment("MINE", "canary\x00canary"), "", "the variable MINE has a space or a character in it that no key has"},
		{"a missing command", openai.Config{APIKeyCommand: []string{"/no/such/program", "canary"}}, environment(), "", "api_key_command: the command program failed"},
		{"a command", openai.Config{APIKeyCommand: self}, prints("sk-1\n"), "sk-1", ""},
		{"a command, two lines", openai.Config{APIKeyCommand: self}, prints("canary-out\ncanary-out\n"), "", "prints has more than one line; it must print the key alone"},
		{"a command, nothing", openai.Config{APIKeyCommand: self}, prints(" "), "", "prints is empty"},
		{"a command, too much", openai.Config{APIKeyCommand: self}, prints("much"), "", "prints more than 8192 bytes"},
		{"a command that fails", openai.Config{APIKeyCommand: self}, prints("fail"), "", "failed; run it by hand to see why: exit status 3"},
	} {
		if does, ok := tt.env(keyCommand); ok {
			t.Setenv(keyCommand, does)
		}
		got, err := tt.cfg.Key(t.Context(), tt.env, nil)
		if got != tt.want || (err == nil) != (tt.err == "") ||
			err != nil && (!strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "canary")) {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
}

func TestKey_waitsForACommandNoLongerThanItMay(t *testing.T) {
	self := must.Get(os.Executable())(t)
	t.Setenv(keyCommand, "hang")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // in place of its own 10 s
	defer cancel()
	began := time.Now()
	_, err := openai.Config{APIKeyCommand: []string{self}}.Key(ctx, environment(), nil)
	if err == nil || !strings.Contains(err.Error(), "did not end within") || time.Since(began) > 5*time.Second {
		t.Errorf("after %s: %v", time.Since(began), err)
	}
}

// A list that needs no key does not show that the key is good.
func TestKeyUnchecked_tellsWhetherTheListNeedsTheKey(t *testing.T) {
	for _, needsKey := range []bool{true, false} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if needsKey && r.Header.Get("Authorization") == "" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
		}))
		defer srv.Close()
		c := client(t, openai.Config{BaseURL: srv.URL + "/v1"}, openai.Options{Key: "sk-abcdefghijklmnop"})
		if _, err := c.Models(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := c.KeyUnchecked(t.Context()); got == needsKey {
			t.Errorf("a list that needs a key (%t): unchecked %t", needsKey, got)
		}
	}
}

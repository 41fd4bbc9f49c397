package openai_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"roundtable/agents/openai"
	"roundtable/internal/testing/must"
)

func decode(t *testing.T, text string) (cfg openai.Config, err error) {
	t.Helper()
	return cfg, toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(&cfg)
}

func TestConfig_isReadFromTOML(t *testing.T) {
	got, err := decode(t, `
preset = "openrouter"
base_url = "https://api.example.com/v1"
api_key_command = ["pass", "show", "example"]
headers = { X-Title = "Roundtable" }
max_concurrent = 3
allow_insecure = true
timeouts = { connect = "1s", first_payload = "3m", idle = "4s", total = "1h30m" }
limits = { event_bytes = 1, answer_bytes = 2, stream_bytes = 3, repeats = 5 }
`)
	want := openai.Config{
		Preset: "openrouter", BaseURL: "https://api.example.com/v1", APIKeyCommand: []string{"pass", "show", "example"},
		Headers: map[string]openai.Secret{"X-Title": openai.NewSecret("Roundtable")}, MaxConcurrent: 3, AllowInsecure: true,
		Timeouts: openai.Timeouts{Connect: seconds(1), FirstPayload: seconds(180), Idle: seconds(4), Total: seconds(5400)},
		Limits:   openai.Limits{Event: 1, Answer: 2, Stream: 3, Repeats: 5},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v, -want +got\n%s", err, diff)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
	if _, err := decode(t, `timeouts = { idle = "soon" }`); err == nil || !strings.Contains(err.Error(), `"soon" is not a duration such as "180s"`) {
		t.Errorf("got %v", err)
	}
}

func TestConfig_tellsAllThatIsWrongAtOnce(t *testing.T) {
	err := openai.Config{
		Preset: "opnai", BaseURL: "ftp://x/v1", APIKeyEnv: "A B", APIKeyCommand: []string{" "}, MaxConcurrent: -1,
		Headers:  map[string]openai.Secret{"a b": openai.NewSecret(""), "host": openai.NewSecret("x"), "X-A": openai.NewSecret("canary\r\nX-B: 1")},
		Timeouts: openai.Timeouts{Idle: 900, Total: openai.Duration(48 * time.Hour)},
		Limits:   openai.Limits{Event: -1, Answer: 1 << 40},
	}.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`preset: there is no "opnai"; known are openai, anthropic, gemini, openrouter, groq, deepseek, mistral, xai, dashscope, ollama, lmstudio, vllm, llamacpp`,
		"base_url: begins with ftp://", "api_key_env, api_key_command: give one of them", "api_key_env: is not the name of a variable",
		"api_key_command: the first element", "max_concurrent: -1", `headers: "a b" is not the name of a header`,
		"headers.host: is set by the program itself", "headers.X-A: the value has a line break", "timeouts.idle: 900ns is not from 1ms to 24h0m0s", "timeouts.total: 48h0m0s",
		"limits.event_bytes: -1", "limits.answer_bytes: 1099511627776",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in\n%s", want, err)
		}
	}
	if strings.Contains(err.Error(), "canary") {
		t.Errorf("a header's value is in %s", err)
	}
}

// A key that was written into api_key_env by mistake must not appear in an error,
// a log or a transcript.
func TestConfig_takesNoKeyForAName(t *testing.T) {
	variable := func(name string) error {
		return openai.Config{BaseURL: "https://example.com/v1", APIKeyEnv: name}.Validate()
	}
	for _, key := range []string{
		"sk-canary-0123456789", "Bearer canary0123456789", "AIzacanary0123456789abcdEFGH", "gsk_canary0123456789abcdefgh", "0123456789abcdef0123456789abcdef",
		"canary0123456789abcdef0123456789", "eyJhbGciOi.canary0123456789.abcdef",
	} {
		err := variable(key)
		if err == nil || err.Error() != "api_key_env: is not the name of a variable; put the key into one and its name here" {
			t.Errorf("%s: %v", key, err)
		}
		command := openai.Config{BaseURL: "https://example.com/v1", APIKeyCommand: []string{key}}
		if err = command.Validate(); err == nil {
			_, err = command.Key(t.Context(), environment(), nil)
		}
		if err == nil || strings.Contains(err.Error(), "0123456789") {
			t.Errorf("%s as a command: %v", key, err)
		}
	}
	for _, name := range []string{"OPENAI_API_KEY", "my_company_openai_key_2", "_K", "Key1", "AZURE_OPENAI_KEY_2024_11"} {
		if err := variable(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestConfig_takesTheBaseURLOrRefusesIt(t *testing.T) {
	for _, tt := range []struct{ url, used, err string }{
		{url: "https://api.example.com/v1", used: "https://api.example.com/v1/chat/completions"},
		{url: "https://api.example.com", used: "https://api.example.com/chat/completions"},
		{url: " https://api.example.com/v1\n", used: "https://api.example.com/v1/chat/completions"},
		{url: "https://api.example.com/v1/", used: "https://api.example.com/v1/chat/completions"},
		{url: "https://api.example.com/v1/chat/completions", err: "base_url: ends in /chat/completions; leave that out"},
		{url: "api.example.com/v1", err: "base_url: does not begin with http:// or https://"},
		{url: "http://localhost:11434", used: "http://localhost:11434/v1/chat/completions"},
		{url: "[::1]:8080/v1", err: "base_url: does not begin with http:// or https://"},
		{url: "http://[::1]:8080/v1", used: "http://[::1]:8080/v1/chat/completions"},
		{url: "HTTPS://api.example.com/v1", used: "https://api.example.com/v1/chat/completions"},
		{url: "", err: "base_url: is missing; give a preset or an address"},
		{url: "https:///v1", err: "base_url: names no host"},
		{url: "ftp://example.com/v1", err: "base_url: begins with ftp://, which is neither http nor https"},
		{url: "https://me.openai.azure.com/openai/deployments/gpt/chat/completions?api-key=canary", err: "base_url: has a query (the part after ?); leave it out"},
		{url: "https://example.com/v1#x", err: "base_url: has a fragment"},
		{url: "https://user:canary@example.com/v1", err: "base_url: has a user or password in it; give the key by api_key_env or api_key_command"},
		{url: "http://::1:8080/v1", err: "base_url: "},
		{url: "https://exa mple.com/v1", err: "base_url: is not an address such as"},
		{url: "https://example.com:port/v1", err: "base_url: is not an address such as"},
	} {
		t.Run(tt.url, func(t *testing.T) {
			cfg := openai.Config{BaseURL: tt.url}
			var used string
			c, err := openai.New("mock", cfg, openai.Options{Transport: inMemory(func(w http.ResponseWriter, r *http.Request) {
				used = r.URL.String()
				events(w, helloThere)
			})})
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) || strings.Contains(err.Error(), "canary") {
					t.Errorf("got %v", err)
				}
				return
			}
			must.Do(t, err)
			ask(t, t.Context(), c, hello("m"))
			if used != tt.used {
				t.Errorf("used %s", used)
			}
		})
	}
}

func TestConfig_sendsAKeyInTheClearOnlyWhenAllowed(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  openai.Config
		key  string
		ok   bool
	}{
		{"another host, a key", openai.Config{BaseURL: "http://192.168.1.5:8080/v1"}, "sk", false},
		{"another host, a key to come", openai.Config{BaseURL: "http://gpu.lan/v1", APIKeyEnv: "K"}, "", false},
		{"another host, a header", openai.Config{BaseURL: "http://gpu.lan/v1", Headers: map[string]openai.Secret{"X-Key": openai.NewSecret("k")}}, "", false},
		{"another host, a name like localhost", openai.Config{BaseURL: "http://localhost.example.com/v1"}, "sk", false},
		{"another host, no key", openai.Config{BaseURL: "http://gpu.lan/v1"}, "", true},
		{"allowed", openai.Config{BaseURL: "http://gpu.lan/v1", AllowInsecure: true}, "sk", true},
		{"this host", openai.Config{BaseURL: "http://localhost:1/v1"}, "sk", true},
		{"this host by number", openai.Config{BaseURL: "http://127.9.9.9:1/v1"}, "sk", true},
		{"this host by its new number", openai.Config{BaseURL: "http://[::1]:1/v1"}, "sk", true},
		{"https", openai.Config{BaseURL: "https://gpu.lan/v1"}, "sk", true},
	} {
		_, err := openai.New("mock", tt.cfg, openai.Options{Key: tt.key})
		if (err == nil) != tt.ok || err != nil && !strings.Contains(err.Error(), "providers.mock: base_url: http would send the key to ") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestPresets_areComplete(t *testing.T) {
	for _, p := range openai.Presets() {
		if err := (openai.Config{Preset: p.Name}).Validate(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if p.Local != strings.HasPrefix(p.BaseURL, "http://localhost:") || p.Local == (p.KeyEnv != "") {
			t.Errorf("%+v", p)
		}
		c := client(t, openai.Config{Preset: p.Name}, openai.Options{})
		if n := c.Notices(); len(n) != 0 || c.Local() != p.Local {
			t.Errorf("%s: %q, local %v", p.Name, n, c.Local())
		}
	}
}

func TestConfigEnvironment_isBetweenTheConfigurationAndThePreset(t *testing.T) {
	for _, c := range []struct {
		preset, configured, variable, value string
		want                                string // "": the preset's own
	}{
		{"openai", "", "OPENAI_BASE_URL", "https://gate.example.com/v1", "https://gate.example.com/v1"},
		{"openai", "https://mine.example.com/v1", "OPENAI_BASE_URL", "https://gate.example.com/v1", "https://mine.example.com/v1"},
		{"openai", "", "OPENAI_BASE_URL", " ", ""},
		{"openai", "", "OLLAMA_HOST", "10.0.0.1", ""},
		{"anthropic", "", "ANTHROPIC_BASE_URL", "https://gate.example.com", "https://gate.example.com/v1"},
		{"groq", "", "GROQ_BASE_URL", "https://gate.example.com/", "https://gate.example.com/openai/v1"},
		{"ollama", "", "OLLAMA_HOST", "10.0.0.1", "http://10.0.0.1:11434/v1"},
		{"ollama", "", "OLLAMA_HOST", "box:8000", "http://box:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", ":8000", "http://127.0.0.1:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", "0.0.0.0", "http://127.0.0.1:11434/v1"},
		{"ollama", "", "OLLAMA_HOST", "0.0.0.0:8000", "http://127.0.0.1:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", "[::]:8000", "http://127.0.0.1:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", "::1", "http://[::1]:11434/v1"},
		{"ollama", "", "OLLAMA_HOST", "http://box:8000", "http://box:8000/v1"},
		{"ollama", "", "OLLAMA_HOST", "https://box.example.com/ollama/v1", "https://box.example.com/ollama/v1"},
		{"ollama", "", "OLLAMA_HOST", "box/ollama/v1", "http://box:11434/ollama/v1"},
		{"vllm", "", "VLLM_BASE_URL", "http://box:8000/v1", "http://box:8000/v1"},
		{"", "", "OPENAI_BASE_URL", "https://gate.example.com/v1", ""},
	} {
		env := func(name string) (string, bool) { return c.value, name == c.variable }
		got := openai.Config{Preset: c.preset, BaseURL: c.configured}.WithEnvironment(env)
		if got.BaseURL != c.want {
			t.Errorf("%s with %s=%s: %q, want %q", c.preset, c.variable, c.value, got.BaseURL, c.want)
		}
		if c.preset == "" {
			continue
		}
		if err := got.Validate(); err != nil {
			t.Errorf("%s with %s=%s: %v", c.preset, c.variable, c.value, err)
		}
	}
}

// What is checked of a base_url is checked of an address of the environment, which must
// not be one that all can read. The key comes from the same environment and goes there.
func TestConfigEnvironment_isCheckedAsABaseURL(t *testing.T) {
	at := func(value string) func(string) (string, bool) {
		return func(name string) (string, bool) { return value, name == "OPENAI_BASE_URL" }
	}
	c := openai.Config{Preset: "openai"}
	for _, host := range []string{"gate.example.com", "api.openai.com"} {
		if got := c.WithEnvironment(at("https://" + host + "/v1")).KeyVariable(); got != "OPENAI_API_KEY" {
			t.Errorf("%s is sent %q", host, got)
		}
	}
	c.APIKeyEnv = "OPENAI_API_KEY"
	for value, want := range map[string]string{
		"http://gate.example.com/v1":      "OPENAI_BASE_URL: http would send the key to gate.example.com",
		"https://u:p@gate.example.com/v1": "OPENAI_BASE_URL: has a user or password in it",
		"ftp://gate.example.com":          "OPENAI_BASE_URL: begins with ftp://",
	} {
		if err := c.WithEnvironment(at(value)).Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", value, err, want)
		}
	}
}

// providersOf reads the providers of a configuration, strictly.
func providersOf(t *testing.T, doc string) map[string]openai.Config {
	t.Helper()
	var cfg struct {
		Providers map[string]openai.Config `toml:"providers"`
	}
	if err := toml.NewDecoder(strings.NewReader(doc)).DisallowUnknownFields().Decode(&cfg); err != nil {
		t.Fatalf("%v in\n%s", err, doc)
	}
	return cfg.Providers
}

// The example configuration shows the actual presets and defaults.
func TestExample_tellsPresetsAndDefaultsAsTheyAre(t *testing.T) {
	raw := must.Get(os.ReadFile("../../config.example.toml"))(t)
	_, doc, _ := strings.Cut(string(raw), "# Providers:")
	doc, _, _ = strings.Cut(doc, "# Agents:")
	doc, _, _ = strings.Cut(doc, "# An agent that you have installed") // a table of another kind
	written, aside, _ := strings.Cut(doc[strings.Index(doc, "\n[providers."):], "\n# A server without a preset")
	var names []string
	tables := providersOf(t, written)
	for _, p := range openai.Presets() {
		names = append(names, p.Name)
		if p.Local && p.Name != "ollama" {
			continue
		}
		if tables[p.Name].Preset != p.Name {
			t.Errorf("there is no table of %s", p.Name)
		}
		table := regexp.MustCompile(`\[providers\.` + p.Name + `\][^\[]*`).FindString(written)
		if p.KeyEnv == "" && !strings.Contains(table, "no key") || !strings.Contains(table, p.KeyEnv) {
			t.Errorf("the table of %s does not name %q:\n%s", p.Name, p.KeyEnv, table)
		}
	}
	listed := regexp.MustCompile(`preset = "openai" +# ([^;]+);`).FindStringSubmatch(written)
	if listed == nil {
		t.Fatal("the presets are not listed")
	}
	words := regexp.MustCompile(`[a-z]+`).FindAllString(strings.Replace(listed[1], " or ", " ", 1), -1)
	if diff := cmp.Diff(names, words); diff != "" {
		t.Errorf("the list of presets (-code +example):\n%s", diff)
	}
	var off strings.Builder
	for line := range strings.Lines(aside[strings.Index(aside, "# [providers.work]"):]) {
		if body, is := strings.CutPrefix(line, "# "); is && !strings.HasPrefix(body, "---") {
			off.WriteString(body)
		}
	}
	work := providersOf(t, off.String())["work"]
	if err := work.Validate(); err != nil {
		t.Error(err)
	}
	timeouts, limits := openai.Defaults()
	if work.Timeouts != timeouts || work.Limits != limits || work.MaxConcurrent != 8 {
		t.Errorf("the defaults are\n%+v\n%+v\nand the example says\n%+v\n%+v", timeouts, limits, work.Timeouts, work.Limits)
	}
}

package config_test

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

const example = "../../config.example.toml"

func TestExample_namesEveryKey(t *testing.T) {
	raw := must.Get(os.ReadFile(example))(t)
	// Every key that is off is turned on; the file then has all keys and is still right.
	var on []string
	for line := range strings.Lines(string(raw)) {
		bare := strings.TrimPrefix(strings.TrimPrefix(line, "#"), " ")
		if strings.HasPrefix(line, "# ") && (strings.HasPrefix(bare, "[") || strings.Contains(bare,
			" = ")) && !strings.Contains(bare, ": roundtable") {
			line = bare
		}
		on = append(on, line)
	}
	text := strings.Replace(strings.Join(on, ""), "[providers.work]\n",
		"[providers.work]\napi_key_env = \"WORK_KEY\"\npreset = \"vllm\"\n", 1)
	text = strings.Replace(text, `api_key_command`, "# api_key_command", 1)
	if _, err := config.Parse("example", []byte(text)); err != nil {
		t.Fatalf("with every key on:\n%v", err)
	}
	for _, key := range config.AllKeys() {
		if !strings.Contains(string(raw), key) {
			t.Errorf("the example does not name %s", key)
		}
	}
}

func TestParse_readsWhatASeatAddsToItsRequests(t *testing.T) {
	cfg := parsed(t, strings.Replace(good, "model = \"gpt-5-mini\"", "model = \"m\"\nreasoning_effort = \"low\"\n"+
		"extra = { seed = 7, stop = [\"x\"], provider = { order = [\"b\", \"a\"], top = 0.5, on = true } }", 1))
	got := cfg.Agent("ada")
	want := `{"provider":{"on":true,"order":["b","a"],"top":0.5},"seed":7,"stop":["x"]}`
	if got.ReasoningEffort != "low" || string(got.ExtraBody) != want {
		t.Errorf("got %q %s, want %s", got.ReasoningEffort, got.ExtraBody, want)
	}
	if other := cfg.Agent("brook"); other.ReasoningEffort != "" || other.ExtraBody != nil {
		t.Errorf("another agent has %+v", other)
	}
}

// good is the least that says all; tests break it in one place.
//
//go:embed testdata/good.toml
var good string

func TestParse_saysWhatIsWrongAndWhere(t *testing.T) {
	for _, c := range []struct {
		name, old, text string // the old is replaced in good; "" replaces all
		want            []string
	}{
		{"syntax", "", "[defaults\n", []string{"c.toml:1:"}},
		{"key without quotes stays unsaid", "", "[providers.x]\napi_key_env = sk-canary-123\n", []string{"c.toml:2:"}},
		{"unknown key", "panel = ", "pannel = ", []string{`c.toml:2:1: unknown key "pannel"; did you mean panel?`}},
		{
			"unknown key below a provider", "preset =", "timeouts = { idel = \"3s\" }\npreset =",
			[]string{`:4:14: unknown key "idel"; did you mean idle?`},
		},
		{
			"a wrong type", "[providers.openai]", "[context.caps]\nper_session = true\n[providers.openai]",
			[]string{`c.toml:4:15: context.caps.per_session: expected a whole number`},
		},
		{
			"unknown and unfit at once", "panel = \"default\"", "panel = \"defualt\"\nmod = 1",
			[]string{`: defaults.panel: there is no [panels.defualt]; did you mean default?`, `:3:1: unknown key "mod"`},
		},
		{"a table where a list is wanted", "", "[agents]\nid = \"ada\"\n", []string{"c.toml: agents[0].model: missing"}},
		{"a value where a table is expected", "", "defaults = 3\n", []string{"c.toml:1:12: defaults: expected a table"}},
		{
			"a provider's own faults", `preset = "openai"`, "base_url = \"ftp://x\"\nmax_concurrent = -1",
			[]string{`: providers.openai.base_url:`, `: providers.openai.max_concurrent:`},
		},
		{"the reserved provider", "[providers.openai]", "[providers.demo]", []string{`: providers.demo: the name demo is reserved`}},
		{"the reserved panel", "[panels.default]", "[panels.demo]", []string{`: panels.demo: the name demo is reserved`}},
		{
			"duplicate id", `"brook"` + "\nprovider", `"ada"` + "\nprovider",
			[]string{`: agents[1].id: "ada" is taken by agents[0]`, `: panels.default.agents[1]: there is no seat "brook"`},
		},
		{
			"the id of another", `id = "brook"`, "id = \"brook\"\nname = \"ADA\"\n[[agents]]\nid = \"cy\"\nname = \"brook\"",
			[]string{`agents[2].name: "brook" names agents[1] too`},
		},
		{"ids are small", `id = "ada"`, `id = "Ada!"`, []string{`: agents[0].id: "Ada!" is not a name`}},
		{
			"no provider, no model", "provider = \"openai\"\nmodel = \"gpt-5-mini\"\n[[agents]]", "[[agents]]",
			[]string{`: agents[0].provider: missing`, `: agents[0].model: missing`},
		},
		{
			"an agent's provider", "id = \"ada\"\nprovider = \"openai\"", "id = \"ada\"\nprovider = \"openia\"",
			[]string{`: agents[0].provider: there is no [providers.openia]; did you mean openai?`},
		},
		{
			"numbers out of range", "model = \"gpt-5-mini\"\n[[agents]]",
			"model = \"m\"\ntemperature = 3.5\nmax_tokens = -1\nprice_in = -1.0\n[[agents]]",
			[]string{`: agents[0].temperature: 3.5 is not from 0 to 2`, `: agents[0].max_tokens: -1 is not`, `: agents[0].price_in:`},
		},
		{
			"fields that the program sets", "model = \"gpt-5-mini\"\n[[agents]]",
			"model = \"m\"\nreasoning_effort = \"a\\nb\"\nextra = { seed = 1, temperature = 0.5, \"max_tokens\" = 3 }\n[[agents]]",
			[]string{
				`: agents[0].reasoning_effort: a word such as "low"`,
				`: agents[0].extra.temperature: the program sets temperature itself; leave it out of extra`,
				`: agents[0].extra.max_tokens: the program sets max_tokens itself`,
			},
		},
		{
			"fields in a table of their own", "model = \"gpt-5-mini\"\n[[agents]]",
			"model = \"m\"\n[agents.extra]\nmessages = []\nodd = inf\n[[agents]]",
			[]string{
				`agents[0].extra: has a value that cannot be sent as JSON`,
				`: agents[0].extra.messages: the program sets messages itself`,
			},
		},
		{"a panel of one", `["ada", "brook"]`, `["ada"]`, []string{`: panels.default.agents: 1 seat; a panel has 2 to 8`}},
		{
			"a panel of nine", `["ada", "brook"]`, `["ada","brook","c","d","e","f","g","h","i"]`,
			[]string{`panels.default.agents: 9 seats`},
		},
		{"who sits twice", `["ada", "brook"]`, `["ada", "ada"]`, []string{`: panels.default.agents[1]: "ada" is listed twice`}},
		{
			"who does not exist", `["ada", "brook"]`, "[\"ada\", \"brok\"]\nchair = \"add\"",
			[]string{
				`: panels.default.agents[1]: there is no seat "brok"; did you mean brook?`,
				`: panels.default.chair: there is no seat "add"; did you mean ada?`,
			},
		},
		{
			"a mode that is none", "panel = ", "mode = \"adverserial\"\npanel = ",
			[]string{`: defaults.mode: there is no mode "adverserial"; did you mean adversarial?`},
		},
		{
			"no numbers", "[providers.openai]", "[budget]\nusd = nan\nwarn_at = nan\n[context.fit]\nshare = nan\n[providers.openai]",
			[]string{`: budget.usd: NaN is not from 0 to 1000000`, `: budget.warn_at:`, `: context.fit.share:`},
		},
		{
			"a look that is none", "[providers.openai]", "[ui]\ntheme = \"blue\"\nsymbols = \"emoji\"\n[providers.openai]",
			[]string{`: ui.theme: "blue" is not one of auto, dark, light`, `: ui.symbols:`},
		},
		{"BOM and CRLF do not move the place", "", "\xef\xbb\xbf[defaults]\r\nmod = 1\r\n", []string{`c.toml:2:1: unknown key "mod"`}},
		{
			"an inline key is not quoted", "preset =", "api_key = \"sk-canary-123\"\npreset =",
			[]string{`unknown key "api_key"; did you mean api_key_env?`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			if c.old != "" {
				text = strings.Replace(good, c.old, c.text, 1)
			}
			_, err := config.Parse("c.toml", []byte(text))
			var faulty *config.Error
			if !errors.As(err, &faulty) {
				t.Fatalf("got %v, want a *ConfigError", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("it does not say %q:\n%v", want, err)
				}
			}
			if strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), "struct") {
				t.Errorf("it quotes a value or speaks of Go: %v", err)
			}
		})
	}
}

func TestLoad_wantsAFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := config.Load(filepath.Join(dir, "none.toml")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := config.Load(dir); err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
	large := filepath.Join(dir, "large.toml")
	must.Do(t, os.WriteFile(large, []byte(strings.Repeat("# much\n", 200_000)), 0o600))
	if _, err := config.Load(large); err == nil || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("a large file: %v", err)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(good))
	for _, seed := range []string{
		"", "\xef\xbb\xbf", "[defaults]\r\nrounds = \"x\"", "[[agents]]\n[[agents.x]]\ny = 1",
		"[providers.'a b']\nheaders = {a = 1, b = [2, {c = 3}]}",
		"a.b.c = 1\na.b = 2", "[agents]\n", "panels = 3\n[panels]\n",
		"[providers.x]\ntimeouts = \"3\"\n[providers.x.timeouts]\nidle = 1979-05-27\n", "x = \"\"\"\n\n\"\"\"\nx = 1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if len(raw) > 4096 {
			return // the decoder is not what is looked at here
		}
		_, err := config.Parse("c.toml", raw)
		var faulty *config.Error
		if err != nil && !errors.As(err, &faulty) {
			t.Fatalf("not a *ConfigError: %v", err)
		}
		if faulty == nil {
			return
		}
		lines := strings.Count(string(raw), "\n") + 1
		for _, p := range faulty.Problems {
			if p.Line < 0 || p.Line > lines || (p.Line > 0) != (p.Column > 0) || p.Text == "" {
				t.Errorf("a problem without a place: %+v in %d lines", p, lines)
			}
			if !utf8.ValidString(p.Text) || strings.ContainsAny(p.Text, "\x1b\a\n") {
				t.Errorf("a problem that is not plain text: %q", fmt.Sprint(p))
			}
		}
	})
}

func TestParse_namesTheCause(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{"[defaults]\nrounds = 2\u00a0\n", `c.toml:2:11: '\u00a0' (U+00A0, no-break space) can only be between straight quotes`},
		{"[defaults]\npanel = “x”\n", `c.toml:2:9: '“' (U+201C, left double quotation mark) can only be between straight quotes, "like this"`},
		{"[defaults]\nrounds = \u200b2\n", `c.toml:2:10: '\u200b' (U+200B, zero width space) can only be between straight quotes`},
		{"[defaults]\npanel = é\n", "c.toml:2:9: 'é' (U+00E9, latin small letter e with acute) can only be between straight quotes"},
		{"[defaults]\nrounds = 2 \xff\n", "c.toml:2:12: the byte 0xff is not UTF-8; save the file as UTF-8"},
		{"# rounds\n[defaults]\n# rounds\nrounds = 2\n# rounds\nrounds = 3\nx = ”", "c.toml:6:1: rounds: defined twice, first in line 4"},
		{
			"[providers.x]\nbase_url = \"\"\n[providers.a]\nbase_url = \"\"\n[providers.b]\n[providers.a]\n",
			"c.toml:6:2: providers.a: defined twice, first in line 3",
		},
		{"[defaults]\nbudget = {a = 1, a = 2}\n", "c.toml:2:1: budget: key a is already defined"},
		{"\xff\xfe[", "c.toml:1:1: begins like UTF-16 and is not; save it as UTF-8"},
	} {
		if _, err := config.Parse("c.toml", []byte(c.content)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.content, err, c.want)
		}
	}
	wide := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune("[defaults]\nrounds = 2\n")) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	if cfg, err := config.Parse("c.toml", wide); err != nil || cfg.Defaults.Rounds != 2 {
		t.Errorf("UTF-16: %v, %v", cfg.Defaults.Rounds, err)
	}
}

func TestParse_checksCommands(t *testing.T) {
	checkParse(t, "[tools]\nshare = [\"go\"]\n", `unknown key "share"`)
	checkParse(t, "[tools]\ncommand_timeout = \"30m\"\n", "")
	checkParse(t, "[tools]\ncommand_timeout = \"0s\"\n", "tools.command_timeout: 0s is not from 1s to 24h")
}

func TestParse_limitsEvidenceInPrompts(t *testing.T) {
	got := parsed(t, "[evidence]\nskip = [\"gen\"]\n[context.fit]\nshare = 0.5\n").Fit()
	want := debate.FitOptions{Share: 0.5, EvidenceTokens: debate.DefaultEvidenceTokens, EvidenceSkip: []string{"gen"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	checkParse(t, "[evidence]\nmax_tokens = 10\n", "10 is not from 1000 to")
	checkParse(t, "[evidence]\nskip = [\"[\"]\n", "\"[\" is no pattern of paths")
	checkParse(t, "[context.fit]\nevidence_each = 1\n", "unknown key")
}

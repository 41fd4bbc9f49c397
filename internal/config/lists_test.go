package config_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/catalog"
	"roundtable/internal/config"
	"roundtable/internal/testing/must"
)

var decemberTwelfth = time.Date(2026, 12, 12, 9, 0, 0, 0, time.UTC)

// server is a server whose list of models changes.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	list  http.HandlerFunc
	asked atomic.Int32
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/models") || r.Method != http.MethodGet {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		s.asked.Add(1)
		s.mu.Lock()
		list := s.list
		s.mu.Unlock()
		list(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) says(list http.HandlerFunc) {
	s.mu.Lock()
	s.list = list
	s.mu.Unlock()
}

func body(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
}

// slow answers when its client has gone.
func slow(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// many lists 10,000 models and one of a family after them.
func many(last string) string {
	var b strings.Builder
	b.WriteString(`{"data":[{"id":"` + last + `"}`)
	for i := range 10_000 {
		fmt.Fprintf(&b, `,{"id":"zz-filler-%d","created":%d,"owned_by":"nobody"}`, i, i)
	}
	b.WriteString("]}")
	return b.String()
}

// machine is one on which models are looked for.
type machine struct {
	vars map[string]string
	dir  string
	day  time.Time
}

func (m *machine) env(name string) (string, bool) { v, ok := m.vars[name]; return v, ok }
func (m *machine) now() time.Time                 { return m.day }

// config returns a configuration with the lists of the machine, as a program that starts has it.
func (m *machine) config(cfg config.Config) config.Config {
	return cfg.WithLists(config.NewLists(m.env, m.dir, m.now))
}

// proposes asks for lists and says which models are proposed, and what is said of them.
func (m *machine) proposes(t *testing.T) string {
	t.Helper()
	cfg := m.config(config.Default())
	clients := config.NewClients(t.Context(), cfg, config.ClientOptions{Env: m.env})
	defer clients.Close()
	ctx := t.Context()
	if m.vars["IMPATIENT"] != "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
	}
	clients.AskLists(ctx, cfg.Unlisted(m.env))
	d := config.Discovery{Catalog: catalog.Load(), Now: m.now, Env: m.env, Listed: cfg.Listed}
	all := d.Look(t.Context()).Candidates
	if len(all) == 0 {
		return ""
	}
	p, one := all[0].Profile, all[0].Profile.Model
	if p.ContextWindow > 0 {
		one += fmt.Sprint(" ", p.ContextWindow)
	}
	if p.PriceIn != nil {
		one += fmt.Sprintf(" $%g/$%g", *p.PriceIn, *p.PriceOut)
	}
	if note := all[0].Note; note != "" {
		one += " (" + note + ")"
	}
	return one
}

// Each kind of server is asked in its own way, and what is proposed follows its list from
// day to day.
func TestLists_followTheServer(t *testing.T) {
	for _, kind := range []struct {
		preset, key string
		family      string // with %s for the version
		entry       string // of a list, with %s for the model
	}{
		{"openai", "OPENAI", "gpt-%s-sol", `{"id":"%s","object":"model"}`},
		{"anthropic", "ANTHROPIC", "claude-sonnet-%s", `{"type":"model","id":"%s","display_name":"x"}`},
		{"gemini", "GEMINI", "gemini-%s-flash", `{"id":"models/%s"}`},
		{"openrouter", "OPENROUTER", "openai/gpt-%s-sol", `{"id":"%s","expiration_date":null}`},
		{"groq", "GROQ", "qwen/qwen%s-32b", `{"id":"%s","active":true}`},
		{"deepseek", "DEEPSEEK", "deepseek-v%s-pro", `{"id":"%s"}`},
		{"xai", "XAI", "grok-%s", `{"id":"%s"}`},
		{"dashscope", "DASHSCOPE", "qwen%s-plus", `{"id":"%s"}`},
	} {
		t.Run(kind.preset, func(t *testing.T) {
			s := newServer(t)
			m := &machine{dir: t.TempDir(), day: decemberTwelfth, vars: map[string]string{
				kind.key + "_API_KEY": "sk-canary-0123456789abc", kind.key + "_BASE_URL": s.URL + "/v1",
			}}
			model := func(version string) string { return fmt.Sprintf(kind.family, version) }
			list := func(extra string, versions ...string) string {
				var all []string
				for _, v := range versions {
					all = append(all, fmt.Sprintf(kind.entry, model(v)))
				}
				return `{"data":[` + strings.Join(all, ",") + extra + `]}`
			}
			unchecked := kind.preset + ": not checked with the server: "
			for _, day := range []struct {
				name      string
				list      http.HandlerFunc
				want      string
				impatient string
			}{
				{name: "two versions", list: body(list("", "4.1", "5.2")), want: model("5.2")},
				{name: "a new one", list: body(list("", "4.1", "5.2", "10.1")), want: model("10.1")},
				{
					name: "it is past its date",
					list: body(list(`,{"id":"`+model("11")+`","shutdown_date":"2026-12-11"}`, "4.1")), want: model("4.1"),
				},
				{
					name: "it has a date",
					list: body(`{"data":[{"id":"` + model("11") + `","expiration_date":"2027-03-01","context_length":9000,` +
						`"pricing":{"prompt":"0.000001","completion":"0.000002"}}]}`),
					want: model("11") + " 9000 $1/$2 (" + model("11") + " retires in ",
				},
				{name: "it goes soon", list: body(`{"data":[{"id":"` + model("11") + `","expiration_date":"2027-01-01"}]}`), want: ""},
				{name: "it was renamed", list: body(`{"data":[{"id":"text-embedding-9"},{"id":"other-model"}]}`), want: "other-model"},
				{name: "nothing that can debate", list: body(`{"data":[{"id":"text-embedding-9"}]}`), want: ""},
				{name: "broken", list: body("<html><title>Oops"), want: " (" + unchecked},
				{name: "failing", list: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, want: " (" + unchecked},
				{name: "refusing", list: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, want: " (" + unchecked},
				{name: "slow", list: slow, want: " (" + unchecked, impatient: "x"},
				{name: "10,000 entries", list: body(many(model("12.3"))), want: model("12.3")},
			} {
				shared := day.name != "two versions" && day.name != "it is past its date" && day.name != "broken"
				if shared && kind.preset != "openrouter" || !shared && day.name != "two versions" && kind.preset != "openrouter" && kind.preset != "gemini" {
					continue
				}
				m.day, m.vars["IMPATIENT"] = m.day.Add(25*time.Hour), day.impatient
				s.says(day.list)
				got := m.proposes(t)
				if exact := !strings.Contains(day.want, "("); exact && got != day.want || !strings.Contains(got, day.want) {
					t.Errorf("%s: %q, want %q", day.name, got, day.want)
				}
				if strings.Contains(got, "canary") {
					t.Errorf("%s: %q holds the key", day.name, got)
				}
			}
		})
	}
}

// A server is asked once a day. The list is in a file that only the user may read, and that
// tells neither the server nor its key; what is in it is believed no more than the server.
func TestLists_areKeptForADay(t *testing.T) {
	s := newServer(t)
	s.says(body(`{"data":[{"id":"gpt-6-sol"},{"id":"gpt-7-sol\u001b[31m"}]}`))
	m := &machine{dir: filepath.Join(t.TempDir(), "lists"), day: decemberTwelfth, vars: map[string]string{
		"OPENAI_API_KEY": "sk-canary-0123456789abc", "OPENAI_BASE_URL": s.URL + "/v1",
	}}
	want := func(n int32, when string) {
		t.Helper()
		if got := m.proposes(t); got != "gpt-6-sol" || s.asked.Load() != n {
			t.Errorf("%s: %q after %d requests, want %d", when, got, s.asked.Load(), n)
		}
	}
	want(1, "at first")
	m.day = m.day.Add(23 * time.Hour)
	want(1, "on the same day")
	m.day = m.day.Add(2 * time.Hour)
	want(2, "a day later")
	files, err := os.ReadDir(m.dir)
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	path := filepath.Join(m.dir, files[0].Name())
	raw := must.Get(os.ReadFile(path))(t)
	if info, err := files[0].Info(); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	for _, secret := range []string{"canary", "OPENAI", "127.0.0.1"} {
		if strings.Contains(string(raw)+path, secret) {
			t.Errorf("%s holds %q: %s", path, secret, raw)
		}
	}
	for name, content := range map[string]string{
		"foreign": `{"asked":"2026-12-13T09:00:00Z","models":[{"name":"gpt-99-sol\u001b[2J"},{"name":""},` +
			`{"name":"gpt-6-sol","context_window":-5,"price_in":1e300,"price_out":-1},{"name":"gpt-98-sol` + strings.Repeat("x", 300) + `"}]}`,
		"cut":             string(raw[:len(raw)-5]),
		"of tomorrow":     `{"asked":"2026-12-30T09:00:00Z","models":[{"name":"gpt-99-sol"}]}`,
		"without a model": `{"asked":"2026-12-13T09:00:00Z","models":[]}`,
	} {
		must.Do(t, os.WriteFile(path, []byte(content), 0o600))
		if got := m.proposes(t); got != "gpt-6-sol" {
			t.Errorf("%s: %q", name, got)
		}
	}
	m.vars["OPENAI_BASE_URL"] = s.URL + "/other/v1"
	asked := s.asked.Load()
	want(asked+1, "at another address")
}

// At a preset's own address the list says what is offered and what it costs, and the table
// the rest. Without a list the table proposes.
func TestDiscovery_proposesNothingThatTheServerDoesNotList(t *testing.T) {
	price := 9.0
	m := &machine{vars: map[string]string{"OPENAI_API_KEY": "k"}, day: decemberTwelfth}
	for _, c := range []struct {
		name string
		list config.List
		want string
	}{
		{"no list", config.List{}, "gpt-6.1-sol 1050000 $2 (openai: not checked with the server)"},
		{"the newest is not listed", config.List{Models: []agents.ModelInfo{{Name: "gpt-5-mini"}, {Name: "gpt-6-sol"}}}, "gpt-6-sol 1050000 $2"},
		{
			"the server states a price",
			config.List{Models: []agents.ModelInfo{{Name: "gpt-6-sol", PriceIn: &price, PriceOut: &price}}},
			"gpt-6-sol 1050000 $9",
		},
		{"none of the family", config.List{Models: []agents.ModelInfo{{Name: "aaa"}, {Name: "gpt-5-mini"}, {Name: "gpt-6-luna"}}}, "gpt-6-luna 1050000 $0.1"},
		{"nothing that is known", config.List{Models: []agents.ModelInfo{{Name: "aaa"}}}, "aaa 0"},
		{"only one that is gone", config.List{Models: []agents.ModelInfo{{Name: "gpt-5-mini"}}}, ""},
	} {
		d := config.Discovery{
			Catalog: catalog.Load(), Now: m.now, Env: m.env,
			Listed: func(provider string) config.List {
				if provider == "openai" {
					return c.list
				}
				return config.List{}
			},
		}
		got := ""
		if all := d.Look(t.Context()).Candidates; len(all) > 0 {
			x := all[0]
			if got = fmt.Sprint(x.Profile.Model, " ", x.Profile.ContextWindow); x.Profile.PriceIn != nil {
				got += fmt.Sprintf(" $%g", *x.Profile.PriceIn)
			}
			if x.Note != "" {
				got += " (" + x.Note + ")"
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A maker's own key comes before a server that hosts its models.
func TestDiscovery_takesAModelFromItsMaker(t *testing.T) {
	m := &machine{vars: map[string]string{"DEEPSEEK_API_KEY": "k", "DASHSCOPE_API_KEY": "k"}, day: decemberTwelfth}
	d := config.Discovery{
		Catalog: catalog.Load(), Now: m.now, Env: m.env, Listed: func(string) config.List { return config.List{} },
	}
	var got []string
	for _, c := range d.Look(t.Context()).Candidates[:3] {
		got = append(got, c.Profile.Provider+" "+c.Profile.Model)
	}
	want := []string{"deepseek deepseek-v4-pro", "dashscope qwen3.7-plus", "dashscope kimi-k3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// What is known of a model comes from the config, then its server, then the table, and the
// date of a server counts before ours.
func TestFigures_sayWhereTheyComeFrom(t *testing.T) {
	s := newServer(t)
	s.says(body(`{"data":[{"id":"one","context_length":8000,"pricing":{"prompt":"0.000001","completion":"0.000002"},"expiration_date":"2026-12-19"},` +
		`{"id":"gpt-5-mini"},{"id":"old-1","shutdown_date":"2026-12-11"},{"id":"old-2"},{"id":"dated","deprecated":true}]}`))
	cfg := parsed(t, "[providers.openai]\npreset = 'openai'\n[providers.mine]\npreset = 'openai'\n"+
		"base_url = '"+s.URL+"/v1'\n"+
		"[[agents]]\nid = 'a'\nprovider = 'openai'\nmodel = 'gpt-5-mini'\n"+
		"[[agents]]\nid = 'b'\nprovider = 'mine'\nmodel = 'one'\n"+
		"[[agents]]\nid = 'c'\nprovider = 'mine'\nmodel = 'one'\nprice_in = 5\nprice_out = 6\n"+
		"[[agents]]\nid = 'd'\nprovider = 'mine'\nmodel = 'gpt-5-mini'\n"+
		"[[agents]]\nid = 'e'\nprovider = 'mine'\nmodel = 'old-1'\n"+
		"[[agents]]\nid = 'f'\nprovider = 'mine'\nmodel = 'dated'\n")
	m := &machine{day: decemberTwelfth}
	cfg = m.config(cfg)
	clients := config.NewClients(t.Context(), cfg, config.ClientOptions{Env: m.env})
	defer clients.Close()
	clients.AskLists(t.Context(), cfg.Unlisted(m.env))
	if s.asked.Load() != 1 {
		t.Errorf("asked %d times", s.asked.Load())
	}
	for i, want := range []string{
		"400k tok (table), $0.25 / $2.00 (table); no longer offered since 11 Dec; nearest: gpt-5.4-mini",
		"8.0k tok (server), $1.00 / $2.00 (server); retires in 7 days (19 Dec)",
		"8.0k tok (server), $5.00 / $6.00 (config); retires in 7 days (19 Dec)",
		"window ?, price ?; ",
		"window ?, price ?; no longer offered since 11 Dec; nearest: old-2",
		"window ?, price ?; deprecated by its server",
	} {
		a := cfg.Agents[i]
		f, _ := cfg.FiguresOf(a.Profile)
		if got := f.String() + "; " + cfg.Retires(a.Provider, a.Model); got != want {
			t.Errorf("%s: %s, want %s", a.ID, got, want)
		}
	}
	resumed := debate.Session{Seats: cfg.Profiles()[:3]}
	for _, want := range []string{
		"gpt-5-mini of openai: no longer offered since 11 Dec; nearest: gpt-5.4-mini. one of mine: retires in 7 days (19 Dec). ", "",
	} {
		told := ""
		for _, n := range cfg.Drift(resumed) {
			told += n.Text + " "
			resumed.Notices = append(resumed.Notices, n)
		}
		if told != want {
			t.Errorf("a resumed session says %q, want %q", told, want)
		}
	}
	if m, f := cfg.Describe("openai", agents.ModelInfo{Name: "gpt-6-sol"}); m.PriceIn == nil || f.PriceFrom != config.FromTable {
		t.Errorf("described as %+v", m)
	}
	if p := cfg.Agent("b"); p.PriceIn == nil || *p.PriceIn != 1 {
		t.Errorf("seated with %+v", p)
	}
	if got := cfg.Gone("mine", "old-1"); got != "no longer offered since 11 Dec; nearest: old-2" {
		t.Error(got)
	}
}

// Nobody is asked if the config says so.
func TestLists_areNotAskedForIfTheConfigSaysSo(t *testing.T) {
	s := newServer(t)
	s.says(body(`{"data":[{"id":"one"}]}`))
	cfg := parsed(t, "[defaults]\nask_lists = false\n[providers.mine]\nbase_url = '"+s.URL+"/v1'\n"+
		"[[agents]]\nid = 'b'\nprovider = 'mine'\nmodel = 'one'\n")
	m := &machine{day: decemberTwelfth}
	cfg = m.config(cfg)
	clients := config.NewClients(t.Context(), cfg, config.ClientOptions{Env: m.env})
	defer clients.Close()
	clients.AskLists(t.Context(), cfg.Unlisted(m.env))
	if _, err := clients.Models(t.Context(), "mine", true); err == nil || !strings.Contains(err.Error(), "ask_lists") || s.asked.Load() != 0 {
		t.Errorf("%v after %d requests", err, s.asked.Load())
	}
}

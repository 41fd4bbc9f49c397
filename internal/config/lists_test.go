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
	vars      variables
	dir       string
	day       time.Time
	impatient bool
}

func (m *machine) env(name string) (string, bool) { return m.vars.find(name) }
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
	if m.impatient {
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
	return said(all[0])
}

// said is what is said of a model: "name window $in/$out (note)", as far as it is known.
func said(c config.Candidate) string {
	p, one := c.Profile, c.Profile.Model
	if p.ContextWindow > 0 {
		one += fmt.Sprint(" ", p.ContextWindow)
	}
	if p.PriceIn != nil {
		one += fmt.Sprintf(" $%g/$%g", *p.PriceIn, *p.PriceOut)
	}
	if c.Note != "" {
		one += " (" + c.Note + ")"
	}
	return one
}

// Each kind of server is asked in its own way, and what is proposed follows its list from
// day to day.
func TestLists_followTheServer(t *testing.T) {
	for _, kind := range []struct {
		preset string
		days   int
		family string // with %s for the version
		entry  string // of a list, with %s for the model
	}{
		{"openai", 1, "gpt-%s-sol", `{"id":"%s","object":"model"}`},
		{"anthropic", 1, "claude-sonnet-%s", `{"type":"model","id":"%s","display_name":"x"}`},
		{"gemini", 3, "gemini-%s-flash", `{"id":"models/%s"}`},
		{"openrouter", 99, "openai/gpt-%s-sol", `{"id":"%s","expiration_date":null}`},
		{"groq", 1, "qwen/qwen%s-32b", `{"id":"%s","active":true}`},
		{"deepseek", 1, "deepseek-v%s-pro", `{"id":"%s"}`},
		{"xai", 1, "grok-%s", `{"id":"%s"}`},
		{"dashscope", 1, "qwen%s-plus", `{"id":"%s"}`},
	} {
		t.Run(kind.preset, func(t *testing.T) {
			s := newServer(t)
			key := strings.ToUpper(kind.preset)
			m := &machine{dir: t.TempDir(), day: decemberTwelfth, vars: variables{
				key + "_API_KEY": "sk-canary-0123456789abc", key + "_BASE_URL": s.URL + "/v1",
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
			days := []struct {
				name, want string
				list       http.HandlerFunc
			}{
				{"two versions", model("5.2"), body(list("", "4.1", "5.2"))},
				{"it is past its date", model("4.1"), body(list(`,{"id":"`+model("11")+`","shutdown_date":"2026-12-11"}`, "4.1"))},
				{"broken", " (" + unchecked, body("<html><title>Oops")},
				{"a new one", model("10.1"), body(list("", "4.1", "5.2", "10.1"))},
				{
					"it has a date", model("11") + " 9000 $1/$2 (" + model("11") + " retires in ",
					body(`{"data":[{"id":"` + model("11") + `","expiration_date":"2027-03-01","context_length":9000,` +
						`"pricing":{"prompt":"0.000001","completion":"0.000002"}}]}`),
				},
				{"it goes soon", "", body(`{"data":[{"id":"` + model("11") + `","expiration_date":"2027-01-01"}]}`)},
				{"it was renamed", "other-model", body(`{"data":[{"id":"text-embedding-9"},{"id":"other-model"}]}`)},
				{"nothing that can debate", "", body(`{"data":[{"id":"text-embedding-9"}]}`)},
				{"refusing", " (" + unchecked, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }},
				{"slow", " (" + unchecked, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
				{"10,000 entries", model("12.3"), body(many(model("12.3")))},
			}
			for _, day := range days[:min(kind.days, len(days))] {
				m.impatient = day.name == "slow"
				m.day = m.day.Add(25 * time.Hour)
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
	m := &machine{dir: filepath.Join(t.TempDir(), "lists"), day: decemberTwelfth, vars: variables{
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

func TestDiscovery_proposesNothingThatTheServerDoesNotList(t *testing.T) {
	m := &machine{vars: variables{"OPENAI_API_KEY": "k"}, day: decemberTwelfth}
	for _, c := range []struct {
		list config.List
		want string
	}{
		{config.List{}, "gpt-6.1-sol 1050000 $2/$10 (openai: not checked with the server)"},
		{listing("gpt-5-mini", "gpt-6-sol"), "gpt-6-sol 1050000 $2/$10"},             // the newest is not listed
		{listing("gpt-6-sol 15"), "gpt-6-sol 1050000 $3/$15"},                        // the server states a price
		{listing("aaa", "gpt-5-mini", "gpt-6-luna"), "gpt-6-luna 1050000 $0.1/$0.5"}, // none of the family
		{listing("aaa"), "aaa"},
		{listing("gpt-5-mini"), ""}, // only one that is gone
	} {
		d := config.Discovery{Catalog: catalog.Load(), Now: m.now, Env: m.env, Listed: func(provider string) (l config.List) {
			if provider == "openai" {
				return c.list
			}
			return l
		}}
		got := ""
		if all := d.Look(t.Context()).Candidates; len(all) > 0 {
			got = said(all[0])
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestDiscovery_takesAModelFromItsMaker(t *testing.T) {
	m := &machine{vars: variables{"DEEPSEEK_API_KEY": "k", "DASHSCOPE_API_KEY": "k"}, day: decemberTwelfth}
	d := config.Discovery{Catalog: catalog.Load(), Now: m.now, Env: m.env, Listed: func(string) (l config.List) { return l }}
	const want = "deepseek deepseek-v4-pro, dashscope qwen3.7-plus, dashscope kimi-k3"
	if got := modelsOf(d.Look(t.Context()).Candidates[:3]); got != want {
		t.Errorf("%s, want %s", got, want)
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

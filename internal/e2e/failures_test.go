//go:build unix

package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/engine"
	"roundtable/debate/modes"
	"roundtable/internal/config"
	"roundtable/internal/e2e/endpoint"
	"roundtable/store"
	"roundtable/tui/pane"
	"roundtable/tui/theme"
)

// trouble is one way in which a seat can fail, by what its server does.
type trouble struct {
	model    string
	provider string // "" is the one named here
	kind     agents.Kind
	cause    string // words of it
	next     string
	serve    http.HandlerFunc // nil where no request arrives
}

func responds(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func streams(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			fmt.Fprintf(w, "data: %s\n\n", e)
		}
	}
}

// overloaded asks for little patience, so that the retries take no seconds.
func overloaded(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After-Ms", "20")
	responds(http.StatusServiceUnavailable, "Overloaded")(w, r)
}

func choice(delta, finish string) string {
	return fmt.Sprintf(`{"choices":[{"delta":%s,"finish_reason":%s}]}`, delta, finish)
}

func silent(w http.ResponseWriter, r *http.Request) {
	streams(choice(`{"content":"I would"}`, "null"))(w, r)
	http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func redirects(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Location", "https://elsewhere.example.com/v1")
	w.WriteHeader(http.StatusTemporaryRedirect)
}

const again = "Trying again may help."

// troubles are all kinds of failure that a seat can meet.
var troubles = []trouble{
	{"key", "", agents.KindAuth, "here refused the key in HERE_KEY for key (401): \"bad key\".", "Put a valid key there and start Roundtable again.", responds(401, `{"error":{"message":"bad key"}}`)},
	{"forbidden", "", agents.KindAuth, "here refused the key in HERE_KEY for forbidden (403): \"Go away\".", "Put a valid key there and start Roundtable again.", responds(403, "<html><title>Go away</title>")},
	{"poor", "", agents.KindCredit, "here: no credit left for poor (402): \"pay\".", "Add credit or choose another provider.", responds(402, `{"error":"pay"}`)},
	{"unknown", "", agents.KindModel, "here does not offer unknown: \"model 'unknown' not found\".", "Run `roundtable models here` to list its models.", responds(404, `{"error":"model 'unknown' not found"}`)},
	{"param", "", agents.KindRequest, "here/param refused the request (422): \"field required\".", "Change what the server rejects, or use another model.", responds(422, `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`)},
	{"long", "", agents.KindTooLong, "The prompt is too long for here/long: \"maximum context length is 8192 tokens\". The prompt has about ", "Fork the debate with another model, or set the seat's context_window", responds(400, `{"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}`)},
	{"busy", "", agents.KindBusy, "here/busy is busy (503): \"Overloaded\".", "Wait a moment.", overloaded},
	{"moved", "", agents.KindConfig, "here/moved redirects to https://elsewhere.example.com/v1 (307); the request was not sent there.", "If that is right, set base_url of here to it; a change counts when Roundtable starts again.", redirects},
	{"page", "", agents.KindMalformed, "here/page did not send an event stream: \"<p>Hi\".", "Check base_url of here", responds(200, "<p>Hi")},
	{"damaged", "", agents.KindMalformed, "Event 2 of the answer from here/damaged cannot be read", "", streams(choice(`{"content":"I"}`, "null"), "{")},
	{"empty", "", agents.KindEmpty, "The answer from here/empty was empty.", "If that happens again, use another model.", streams(choice("{}", `"stop"`), "[DONE]")},
	{"thinks", "", agents.KindEmpty, "here/thinks sent only reasoning and no answer.", "If that happens again, use another model.", streams(choice(`{"reasoning":"Hm."}`, `"stop"`), "[DONE]")},
	{"short", "", agents.KindEmpty, "The answer from here/short was cut at max_tokens before any text arrived.", "Raise max_tokens or lower reasoning_effort, for new debates.", streams(choice("{}", `"length"`), "[DONE]")},
	{"filtered", "", agents.KindFilter, "The answer from here/filtered was stopped by the provider's content filter.", "Rephrase the topic", streams(choice(`{"content":"I"}`, `"content_filter"`), "[DONE]")},
	{"refuses", "", agents.KindFilter, "here/refuses refused to answer: \"I will not\".", "Rephrase the topic", streams(choice(`{"refusal":"I will not."}`, `"stop"`), "[DONE]")},
	{"ends", "", agents.KindBusy, "The server ended the answer from here/ends with an error.", again, streams(choice(`{"content":"I"}`, `"error"`), "[DONE]")},
	{"cut", "", agents.KindTruncated, "The answer from here/cut was cut off.", again, streams(choice(`{"content":"I"}`, "null"))},
	{"circles", "", agents.KindTools, "here/circles gave no answer, only tool calls (12).", "", streams(choice(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"request_context","arguments":"{\"query\":\"Why?\",\"reason\":\"So.\",\"priority\":\"optional\"}"}}]}`, `"tool_calls"`), "[DONE]")},
	{"fails", "", agents.KindTools, "here/fails gave no answer, only tool calls (12).", "", streams(choice(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"nothing","arguments":"{}"}}]}`, `"tool_calls"`), "[DONE]")},
	{"mute", "quick", agents.KindSilence, "No answer from quick/mute for 100 ms.", "Raise timeouts.idle of quick if it needs longer; a change counts when Roundtable starts again.", silent},
	{"talks", "small", agents.KindLimit, "The answer from small/talks exceeded limits.answer_bytes (50).", "Raise limits.answer_bytes of small to allow such answers; a change counts when Roundtable starts again.", streams(choice(`{"content":"`+strings.Repeat("long ", 20)+`"}`, `"stop"`))},
	{"x", "gone", agents.KindNetwork, "gone/x at 127.0.0.1:", "Start the server, or check base_url of gone.", nil},
	{"y", "nowhere", agents.KindNetwork, "Cannot resolve nowhere.invalid.", "Are you online?", nil},
	{"z", "own", agents.KindNetwork, "The certificate of own/z at 127.0.0.1:", "install the authority's certificate", nil},
	{"p", "plain", agents.KindNetwork, "plain/p at 127.0.0.1:", "Use http:// in base_url of plain", nil},
	{"k", "keyless", agents.KindConfig, "Provider keyless is not set up: the variable KEYLESS is not set", "export it with the key in it", nil},
}

// troubled is the configuration of a panel of which every seat fails.
func troubled(t *testing.T) []byte {
	t.Helper()
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		for _, x := range troubles {
			if x.model == r.Model && x.serve != nil {
				return endpoint.Reply{Serve: x.serve}
			}
		}
		return endpoint.Reply{Text: "Nobody asked " + r.Model}
	})
	own := httptest.NewTLSServer(http.NotFoundHandler())
	own.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(own.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone := "http://" + l.Addr().String() + "/v1"
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for name, more := range map[string]string{
		"here":  fmt.Sprintf("base_url = %q\napi_key_env = \"HERE_KEY\"\n", srv.URL+"/v1"),
		"quick": fmt.Sprintf("base_url = %q\n[providers.quick.timeouts]\nidle = \"100ms\"\n", srv.URL+"/v1"),
		"small": fmt.Sprintf("base_url = %q\n[providers.small.limits]\nanswer_bytes = 50\n", srv.URL+"/v1"),
		"gone":  fmt.Sprintf("base_url = %q\n", gone), "own": fmt.Sprintf("base_url = %q\n", own.URL+"/v1"),
		"nowhere": "base_url = \"http://nowhere.invalid/v1\"\n",
		"plain":   fmt.Sprintf("base_url = %q\n", strings.Replace(srv.URL, "http:", "https:", 1)+"/v1"), "keyless": fmt.Sprintf("base_url = %q\napi_key_env = \"KEYLESS\"\n", srv.URL+"/v1"),
	} {
		fmt.Fprintf(&b, "[providers.%s]\n%s", name, more)
	}
	for i, x := range troubles {
		fmt.Fprintf(&b, "[[agents]]\nid = \"s%d\"\nname = \"Seat %d\"\nprovider = %q\nmodel = %q\n", i, i, x.at(), x.model)
	}
	return b.Bytes()
}

func (x trouble) at() string {
	if x.provider == "" {
		return "here"
	}
	return x.provider
}

// missing finds what a message about a failure lacks: provider and model, the
// cause, and what to do.
func (x trouble) missing(text string) (out []string) {
	for _, want := range []string{x.at(), x.model, x.cause, x.next} {
		if !strings.Contains(text, want) {
			out = append(out, want)
		}
	}
	return out
}

// clientsOf returns those of a configuration, which wait for no backoff.
func clientsOf(t *testing.T, cfg config.Config) func(agents.Profile) (agents.Provider, error) {
	t.Helper()
	made := map[string]agents.Provider{}
	for name, p := range cfg.Providers {
		if name == "keyless" {
			continue
		}
		key := map[string]string{"here": "sk-test-0123456789"}[name]
		c, err := openai.New(name, p.Config, openai.Options{Key: key, Rand: func() float64 { return 0 }})
		if err != nil {
			t.Fatal(err)
		}
		made[name] = c
	}
	return func(p agents.Profile) (agents.Provider, error) {
		if c, ok := made[p.Provider]; ok {
			return c, nil
		}
		_, err := cfg.Providers[p.Provider].Key(context.Background(), func(string) (string, bool) { return "", false }, nil)
		return nil, &agents.Failure{Kind: agents.KindConfig, Cause: "Provider keyless is not set up: " + err.Error() + ".", Err: err}
	}
}

type nobody struct{}

func (nobody) Request(context.Context, agents.Turn, string, tools.Question) (tools.Output, error) {
	return tools.Output{Text: "C1 stands."}, nil
}

func TestFailure_saysWhoWhereWhyAndWhatNext(t *testing.T) {
	cfg, err := config.Parse("config.toml", troubled(t))
	if err != nil {
		t.Fatal(err)
	}
	provider := clientsOf(t, cfg)
	kit, err := tools.NewExecutor(tools.Sources{Requests: nobody{}}, tools.RequestContext{})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range troubles {
		t.Run(x.model, func(t *testing.T) {
			who := cfg.Agents[i].Profile()
			client, err := provider(who)
			if err == nil {
				ask := []agents.Message{{Role: agents.User, Text: "Is it so?"}}
				ignore := func(agents.Progress) error { return nil }
				_, err = agents.Agent{Profile: who, Client: client}.Speak(t.Context(), agents.Turn{Agent: who.ID}, ask, kit, ignore)
			} else {
				var f *agents.Failure
				errors.As(err, &f)
				err = &agents.SpeakError{Speaker: who, Failure: f}
			}
			var failed *agents.SpeakError
			if !errors.As(err, &failed) || failed.Failure.Kind != x.kind {
				t.Fatalf("err = %v of kind %v, want %s", err, failed, x.kind)
			}
			if missing := x.missing(err.Error()); missing != nil || !strings.HasPrefix(err.Error(), who.Name+" ("+x.at()+"/"+x.model+"): ") {
				t.Errorf("%q lacks %q", err, missing)
			}
			if strings.ContainsAny(err.Error(), "\n\r\x1b") || strings.Contains(err.Error(), "goroutine") {
				t.Errorf("%q is more than a line", err)
			}
		})
	}
}

func TestFailure_isShownInItsPane(t *testing.T) {
	cfg, err := config.Parse("config.toml", troubled(t))
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "r.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	provider := clientsOf(t, cfg)
	engine := engine.New(engine.Options{
		Recorder: st, Provider: provider, Tools: []tools.Tool{tools.RequestContext{}},
	})
	mode := collaborative(t)
	mode.MaxSeats = len(troubles)
	s := debate.Session{Topic: "Is it so?", Mode: mode, Rounds: 2}
	for _, a := range cfg.Agents {
		s.Seats = append(s.Seats, a.Profile())
	}
	if s, err = st.Create(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	c := control.New(s, control.Options{})
	var panes []*pane.Pane
	for i, p := range s.Seats {
		panes = append(panes, pane.New(i+1, c.Seat(p.ID), theme.New(theme.Options{Profile: colorprofile.ASCII})))
		panes[i].SetSize(400, 30)
	}
	for ev := range engine.Start(t.Context(), s).Events() {
		c.Apply(ev)
		if end, ok := ev.(debate.RunEnded); ok {
			var failed *debate.RoundFailedError
			if !errors.As(end.Err, &failed) || len(failed.Causes) != len(troubles) {
				t.Errorf("the round ended with %v", end.Err)
			}
			s = end.Session
		}
	}
	for i, x := range troubles {
		view := ansi.Strip(panes[i].View(time.Now(), 0))
		next := x.next
		if next == again {
			next = "Next   Press R to retry Seat"
		}
		for _, want := range []string{"failed", fmt.Sprintf("Seat %d", i), x.model, x.cause, next, fmt.Sprintf("R to retry Seat %d.", i)} {
			if !strings.Contains(view, want) {
				t.Errorf("the pane of %s lacks %q:\n%s", x.model, want, view)
			}
		}
		if latest := s.History[0].AttemptsOf(cfg.Agents[i].ID); latest[len(latest)-1].Failure.Kind != x.kind {
			t.Errorf("%s failed as %+v", x.model, latest[len(latest)-1].Failure)
		}
	}
}

func collaborative(t *testing.T) debate.Mode {
	t.Helper()
	all, err := modes.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	m, err := modes.Find(all, "collaborative")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestFailure_isToldHeadless(t *testing.T) {
	skipShort(t)
	t.Parallel()
	config := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(config, troubled(t), 0o600); err != nil {
		t.Fatal(err)
	}
	const most = 7
	for from := 0; from < len(troubles); from += most {
		group := troubles[from:min(from+most, len(troubles))]
		var ids []string
		for i, x := range group {
			if x.provider != "keyless" { // without its key nothing begins, see below
				ids = append(ids, fmt.Sprintf("s%d", from+i))
			}
		}
		t.Run(strings.Join(ids, ","), func(t *testing.T) {
			t.Parallel()
			env := append(home(t), "HERE_KEY=sk-test-0123456789")
			cmd := program(t, env, "--config", config, "run", "Is it so?", "--json", "--agents", strings.Join(ids, ","))
			var errs bytes.Buffer
			cmd.Stderr = &errs
			out, _ := cmd.Output()
			if code := cmd.ProcessState.ExitCode(); code != 5 || !strings.Contains(string(out), "Round 1 failed: no model answered. Seat ") {
				t.Fatalf("exit code %d\n%s%s", code, out, errs.String())
			}
			told := map[string]string{}
			for line := range bytes.Lines(out) {
				var ev struct{ Type, Agent, Cause, Model, Provider, Session string }
				if err := json.Unmarshal(line, &ev); err != nil {
					t.Fatal(err)
				}
				switch ev.Type {
				case "agent.started":
					told[ev.Agent] = ev.Provider + "/" + ev.Model + " "
				case "agent.failed":
					told[ev.Agent] += ev.Cause
				}
				ids[0] = ev.Session
			}
			shown, err := program(t, env, "show", ids[0]).Output()
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range group {
				if x.provider == "keyless" {
					continue
				}
				if missing := x.missing(told[fmt.Sprintf("s%d", from+i)]); missing != nil {
					t.Errorf("agent.failed of %s lacks %q: %s", x.model, missing, told[fmt.Sprintf("s%d", from+i)])
				}
				line := ""
				for l := range strings.Lines(string(shown)) {
					if strings.Contains(l, fmt.Sprintf(" Seat %d failed: ", from+i)) {
						line = l
					}
				}
				if missing := x.missing(line); missing != nil {
					t.Errorf("show lacks %q of %s: %s", missing, x.model, line)
				}
			}
		})
	}
	cmd := program(t, home(t), "--config", config, "run", "Is it so?", "--agents", fmt.Sprintf("s0,s%d", len(troubles)-1))
	out, _ := cmd.CombinedOutput()
	missing := troubles[len(troubles)-1].missing(string(out))
	if cmd.ProcessState.ExitCode() != 2 || len(missing) > 1 { // the model is not asked for
		t.Errorf("exit code %d, lacks %q: %s", cmd.ProcessState.ExitCode(), missing, out)
	}
}

package engine_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/text"
)

// faults are the ways in which a server fails, with the cause as the user reads it.
var faults = []struct {
	name  string
	reply endpoint.Reply
	cause string // {m} stands for the model
}{
	{"401", endpoint.Reply{Status: 401}, "test refused {m} without a key (401): \"the server exploded"},
	{"402", endpoint.Reply{Status: 402}, "test: no credit left for {m} (402): \"the server exploded"},
	{"429", endpoint.Reply{Status: 429}, "test/{m} rate-limited us (429): \"the server exploded"},
	{
		"timeout",
		endpoint.Reply{Serve: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		"No answer from test/{m} for 600 s",
	},
	{
		"malformed",
		endpoint.Reply{Serve: writeBody("data: {\"choices\":[{\"delta\":{\"content\":\n\ndata: [DONE]\n\n")},
		"Event 1 of the answer from test/{m} cannot be read: \"unexpected end of JSON input\". The server or a proxy is at fault",
	},
	{"empty", endpoint.Reply{Text: ""}, "The answer from test/{m} was empty"},
	{"cut stream", breaksOff, "The answer from test/{m} was cut off"},
}

// runOverHTTP plays a debate of three against a scripted server, all in memory, so that
// waits take no time.
func runOverHTTP(t *testing.T, answer func(endpoint.Request) endpoint.Reply, check func(s debate.Session)) {
	srv := endpoint.New(t, answer)
	synctest.Test(t, func(t *testing.T) {
		l := &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
		inner := &http.Server{Handler: srv.Config.Handler}
		var served sync.WaitGroup
		served.Go(func() { inner.Serve(l) })
		defer served.Wait()
		defer inner.Close()
		h := newHarness(t, nil)
		h.useEndpoint(openai.Config{BaseURL: "http://localhost/v1"}, openai.Options{Dial: l.dial, Rand: func() float64 { return 0 }})
		s := h.session("collaborative", 1, "gpt", "claude", "llama")
		s.ID, s.Chair = "", &agents.Profile{ID: "zed", Name: "Zed", Provider: "test", Model: "qwen"}
		s.Light = &agents.Profile{ID: "lum", Name: "Lum", Provider: "test", Model: "phi"}
		s, err := h.store.Create(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for s.Verdict == nil {
			_, s = h.run(s)
		}
		check(s)
	})
}

// Whoever fails, and however, the header says just what is missing.
func TestHeader_isRightForEveryFaultOfMemberAndChair(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	well := func(r endpoint.Request) endpoint.Reply {
		switch {
		case r.Model == "phi":
			return endpoint.Reply{Text: `{"level": 0.6}`}
		case isChair(r):
			return endpoint.Reply{Text: "## Conclusion\nSo."}
		case r.Model == "llama":
			return endpoint.Reply{Text: debatetest.Statement("No.", "Not so.", "no", 0.6)}
		}
		return endpoint.Reply{Text: debatetest.Statement("Yes.", "So.", "yes", 0.6)}
	}
	const (
		full    = "Yes, 2 of 3 votes · the narrowest majority"
		chair   = "Written by another chair: Zed failed: "
		missing = "1 of 3 seats missed a turn: LLAMA in round 1 ("
	)
	for n, f := range faults {
		why := func(model string) string {
			cause := strings.ReplaceAll(f.cause, "{m}", model)
			if strings.Count(cause, `"`)%2 == 1 {
				cause += `"`
			}
			return cause
		}
		brief := func(cause string) string { // in parentheses, without what the server said
			cause, _, _ = strings.Cut(cause, ": \"")
			return text.Uncapitalize(cause)
		}
		for m, c := range []struct {
			who     string
			fails   func(endpoint.Request) bool
			outcome debate.Outcome
			header  string
			warning string
			writer  string
		}{
			{
				"member", func(r endpoint.Request) bool { return r.Model == "llama" }, debate.OutcomeDegraded,
				"Yes, 2 of 3 votes; 1 missing · incomplete: 1 of 3 seats missed a turn (LLAMA)", "", "Zed",
			},
			{"chair", func(r endpoint.Request) bool { return r.Model == "qwen" }, debate.OutcomeFull, full, chair + why("qwen") + ".", "GPT"},
			{
				"chair and its heir", func(r endpoint.Request) bool { return isChair(r) && r.Model != "llama" }, debate.OutcomeFull,
				full, chair + why("qwen") + "; GPT failed: " + why("gpt") + "; CLAUDE failed: " + why("claude") + ".", "LLAMA",
			},
			{
				"every chair", isChair, debate.OutcomeNoSynthesis,
				"Yes, 2 of 3 votes · incomplete: no report by a chair · the narrowest majority", "", "",
			},
			{
				"member and every chair", func(r endpoint.Request) bool { return isChair(r) || r.Model == "llama" }, debate.OutcomeNoSynthesis,
				"Yes, 2 of 3 votes; 1 missing · incomplete: no report by a chair, 1 of 3 seats missed a turn (LLAMA)", "", "",
			},
		} {
			if n > 0 && m != n%6 && size(0, 1) == 0 { // by default every fault and every speaker, but not all pairs
				continue
			}
			t.Run(f.name+"/"+c.who, func(t *testing.T) {
				t.Parallel()
				runOverHTTP(t, func(r endpoint.Request) endpoint.Reply {
					if c.fails(r) {
						return f.reply
					}
					return well(r)
				}, func(s debate.Session) {
					v := s.Verdict
					if got := report.Headline(*v, s); got != c.header || v.Outcome != c.outcome || v.ChairName != c.writer {
						t.Errorf("%s by %q:\n%s\nwant %s by %q\n%s", v.Outcome, v.ChairName, got, c.outcome, c.writer, c.header)
					}
					if strings.HasPrefix(c.who, "member") {
						if got := report.Conclude(*v, s).Presence; got != missing+brief(why("llama"))+")" {
							t.Errorf("it says %s", got)
						}
					}
					if c.outcome == debate.OutcomeNoSynthesis && !strings.Contains(v.Cause, "Zed failed: "+why("qwen")) {
						t.Errorf("the cause is %s", v.Cause)
					}
					if got := strings.Join(v.Warnings, " "); !strings.Contains(got, c.warning) ||
						strings.Contains(got, chair) != (c.warning != "") {
						t.Errorf("warnings: %s", got)
					}
				})
			})
		}
	}
}

func isChair(r endpoint.Request) bool {
	return strings.Contains(fmt.Sprint(r.Messages[0].Content), "You are the chair of a structured debate")
}

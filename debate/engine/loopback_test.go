package engine_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"roundtable/agents"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/e2e/endpoint"
	"roundtable/internal/testing/debatetest"
)

// toolCallEvent is an event in which request_context is called so many times at once,
// each time with other arguments.
func toolCallEvent(calls int, args func(n int) string) string {
	var all []string
	for n := range calls {
		const call = `{"index":%d,"id":"c%d","type":"function","function":{"name":"request_context","arguments":%q}}`
		all = append(all, fmt.Sprintf(call, n, n, args(n)))
	}
	return `data: {"choices":[{"delta":{"tool_calls":[` + strings.Join(all, ",") + "]}}]}\n\n"
}

func questionArgs(n int) string {
	return fmt.Sprintf(`{"query":"What is number %d?","reason":"it decides","priority":"optional"}`, n)
}

const (
	finished = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	called   = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"
)

// runToolCalls plays one round in which a model calls tools as the body says, and
// returns what it was sent next.
func runToolCalls(t *testing.T, body string) (s debate.Session, next endpoint.Request) {
	t.Helper()
	first := true
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "a" && first {
			first = false
			return endpoint.Reply{Serve: writeBody(body)}
		}
		return endpoint.Reply{Text: "Fine, says " + r.Model + "."}
	})
	h := newHarness(t, nil)
	h.useServer(srv)
	_, s = h.run(h.session("collaborative", 2, "a", "b"))
	sent := srv.Requests("a")
	return s, sent[len(sent)-1]
}

func toolTexts(r endpoint.Request) (out []string) {
	for _, m := range r.Messages {
		if m.Role == "tool" {
			out = append(out, m.Content)
		}
	}
	return out
}

func TestLoopback_ofTwoHundredCallsAtOnceSixteenRun(t *testing.T) {
	t.Parallel()
	s, next := runToolCalls(t, toolCallEvent(200, func(n int) string { return questionArgs(n) })+called)
	got := toolTexts(next)
	if len(got) != 200 || !strings.Contains(got[199], "Too many tool calls") || strings.Contains(got[0], "Too many") {
		t.Fatalf("%d results: %.200q", len(got), got)
	}
	if len(s.Requests) != 3 { // of a round and an agent
		t.Errorf("%d requests stand", len(s.Requests))
	}
}

func TestLoopback_argumentsThatAreNoneAreAnErrorForTheModel(t *testing.T) {
	t.Parallel()
	huge := 1 << 20
	if os.Getenv("ROUNDTABLE_LONG") == "1" {
		huge *= 5
	}
	for name, args := range map[string]string{
		"no JSON": `{"query":`, "a wrong type": `{"query":17,"reason":"r"}`,
		"a field too many": `{"query":"How?","reason":"r","agent_id":"b","extra":1}`,
		"megabytes":        `{"query":"` + strings.Repeat("x", huge) + `","reason":"r"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, next := runToolCalls(t, toolCallEvent(1, func(int) string { return args })+called)
			got := toolTexts(next)
			if len(got) != 1 {
				t.Fatalf("results: %.200q", got)
			}
			tool := s.History[0].Responses[0].Passages[0].Tools[0]
			if tool.Result.Status != agents.ToolError || len(s.Requests) != 0 || s.History[0].Responses[0].State != debate.TurnDone {
				t.Errorf("%+v, %d requests", tool.Result, len(s.Requests))
			}
		})
	}
}

func TestLoopback_aCallRunsWithFinishStopAndNeverWhenItIsCutOff(t *testing.T) {
	t.Parallel()
	s, _ := runToolCalls(t, toolCallEvent(1, questionArgs)+finished)
	if len(s.Requests) != 1 {
		t.Errorf("with finish stop %d requests stand", len(s.Requests))
	}
	s, _ = runToolCalls(t, toolCallEvent(1, questionArgs))
	if len(s.Requests) != 0 {
		t.Errorf("of a call that was cut off %d requests stand", len(s.Requests))
	}
}

func TestLoopback_aCallWrittenAsTextIsCorrectedOnce(t *testing.T) {
	t.Parallel()
	written := `<tool_call>{\"name\": \"` + agents.RequestContextName + `\", \"arguments\": {}}</tool_call>`
	s, next := runToolCalls(t, `data: {"choices":[{"delta":{"content":"`+written+"\"}}]}\n\n"+finished)
	if last := next.Last(); last.Role != "user" || !strings.Contains(last.Content, "as text") || len(s.Requests) != 0 {
		t.Errorf("it is told %+v", last)
	}
	if x := s.History[0].Responses[0]; x.State != debate.TurnDone || strings.Contains(x.Statement.Body, "tool_call") {
		t.Errorf("the statement is %q", x.Statement.Body)
	}
}

func TestLoopback_usageThatIsNotSaidIsEstimated(t *testing.T) {
	t.Parallel()
	s, _ := runToolCalls(t, `data: {"choices":[{"delta":{"content":"Fine, I say."}}]}`+"\n\n"+finished)
	if u := s.History[0].Responses[0].Usage; !u.Estimated || u.Input == 0 || u.Output == 0 {
		t.Errorf("usage = %+v", u)
	}
	if u := s.History[0].Responses[1].Usage; u.Estimated || u.Input != 10 {
		t.Errorf("usage that was said = %+v", u)
	}
}

// A prompt that a server refuses as too long is sent shorter by another attempt,
// and the failure says what was used of which window.
func TestLoopback_aPromptThatIsTooLongIsSentShorter(t *testing.T) {
	t.Parallel()
	refused := 0
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		if r.Model == "a" && strings.Contains(r.Messages[1].Content, "This is round 3") && len(r.Messages[1].Content) > 10000 {
			refused++
			return endpoint.Reply{Serve: func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusBadRequest)
				io.WriteString(w, `{"error":{"message":"This model's maximum context length is 2048 tokens.","code":"context_length_exceeded"}}`)
			}}
		}
		return endpoint.Reply{Text: debatetest.Prose(r.Model, 3000)}
	})
	h := newHarness(t, nil)
	h.useServer(srv)
	_, s := h.runRounds(h.session("collaborative", 4, "a", "b"), 3)
	attempts := s.History[2].AttemptsOf("a")
	if refused == 0 || attempts[0].Failure == nil || attempts[0].Failure.Kind != agents.KindTooLong ||
		!strings.Contains(attempts[0].Failure.Cause, "2048") {
		t.Fatalf("%d refused, attempts = %+v", refused, attempts)
	}
	_, s, err := drain(h.engine.Retry(t.Context(), s, "a"))
	if err != nil {
		t.Fatal(err)
	}
	attempts = s.History[2].AttemptsOf("a")
	if last := attempts[len(attempts)-1]; last.State != debate.TurnDone || last.ContextFit == nil || len(last.ContextFit.Excerpts) == 0 {
		t.Errorf("the last attempt: %s, %+v", last.State, last.ContextFit)
	}
}

// Eight seats at once, a server that says each time what it took, errors between,
// and a cap of ten cents: what is billed never passes it.
func TestLoopback_tenCentsAreNeverPassed(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	billed, calls := 0.0, 0
	srv := endpoint.New(t, func(r endpoint.Request) endpoint.Reply {
		mu.Lock()
		defer mu.Unlock()
		calls++
		in, out := len(r.Raw)/4, 300
		if calls%5 == 0 { // a try that is repeated
			return endpoint.Reply{Status: http.StatusServiceUnavailable}
		}
		billed += (float64(in)*2 + float64(out)*20) / 1e6
		return endpoint.Reply{Serve: writeBody(fmt.Sprintf("data: {\"choices\":[{\"delta\":{\"content\":\"So it "+
			"is.\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d}}\n\ndata: [DONE]\n\n", in, out))}
	})
	h := newHarness(t, nil)
	h.useEndpoint(openai.Config{BaseURL: srv.URL + "/v1"}, fixedRandom(0))
	in, out := 2.0, 20.0
	s := h.smallSession("collaborative", 30, func(s *debate.Session) {
		s.Budget = debate.Budget{USD: 0.1, WarnAt: 0.8}
		for i := range s.Seats {
			s.Seats[i].PriceIn, s.Seats[i].PriceOut, s.Seats[i].ContextWindow, s.Seats[i].MaxTokens = &in, &out, 0, 500
		}
	}, eightSeats()...)
	_, s = h.runToVerdict(s)
	if billed > 0.1 || billed < 0.04 || s.Stopped != debate.StoppedByBudget {
		t.Errorf("billed are $%.4f after %d calls, stopped by %q", billed, calls, s.Stopped)
	}
	if spent := budget.TotalSpending(s).Cost; spent == nil || *spent < billed-1e-6 {
		t.Errorf("the session says it cost %v, billed are %.4f", spent, billed)
	}
}

package store_test

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/store"
)

// noon is when everything happens in a random history.
var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// TestHistory_isReadBackAsItWasRecorded plays random debates through the store
// and expects what is read back to be what was said to it.
func TestHistory_isReadBackAsItWasRecorded(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "roundtable.db"), store.Options{Now: func() time.Time { return noon }})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	switch {
	case testing.Short():
		must(t, flag.Set("rapid.checks", "5"))
	case !long():
		must(t, flag.Set("rapid.checks", "15"))
	}
	rapid.Check(t, func(rt *rapid.T) {
		in := panel()
		in.Rounds = 4
		d, err := s.Create(t.Context(), in)
		if err != nil {
			rt.Fatal(err)
		}
		lock, err := s.Lock(t.Context(), d.ID) // what runs is shown as running
		if err != nil {
			rt.Fatal(err)
		}
		h := &reference{
			t: t, s: s, d: d, calls: map[agents.Turn]int{}, retries: map[agents.Turn]int{},
			waits: map[agents.Turn]bool{}, tries: map[agents.Turn]int{},
		}
		rt.Repeat(map[string]func(*rapid.T){
			"":        h.compare,
			"round":   h.round,
			"turn":    h.turn,
			"text":    h.text,
			"tools":   h.tools,
			"tool":    h.tool,
			"ask":     h.ask,
			"end":     h.end,
			"close":   h.close,
			"answer":  h.answer,
			"retry":   h.retry,
			"draft":   h.draft,
			"note":    h.note,
			"verdict": h.verdict,
			"repair":  h.repair,
		})
		h.ok(rt, lock.Unlock())
	})
}

// reference tells the store a history and knows itself what has to come of it.
type reference struct {
	t       *testing.T
	s       *store.Store
	d       debate.Session
	seq     int64
	calls   map[agents.Turn]int  // completions asked for
	retries map[agents.Turn]int  // how often one of them was sent again
	waits   map[agents.Turn]bool // the last of them waits
	tries   map[agents.Turn]int  // of the last of them
	made    int                  // tool calls
}

var words = rapid.SampledFrom([]string{"", "a", "請求", "with \x00 in it", "two\nlines", `"quoted" <&>`, "C1", "'; DROP TABLE turns; --"})

func (h *reference) compare(rt *rapid.T) {
	got, err := h.s.Session(h.t.Context(), h.d.ID)
	if err != nil {
		rt.Fatal(err)
	}
	if diff := cmp.Diff(h.d, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(debate.Session{}, "Updated")); diff != "" {
		rt.Fatal(diff)
	}
}

func (h *reference) ok(rt *rapid.T, err error) {
	if err != nil {
		rt.Fatal(err)
	}
}

// running returns the round under way and its turns that run.
func (h *reference) running() (r *debate.Round, open []*debate.Response) {
	if n := len(h.d.History); n > 0 {
		r = &h.d.History[n-1]
		for i := range r.Responses {
			if r.Responses[i].State == debate.TurnRunning {
				open = append(open, &r.Responses[i])
			}
		}
	}
	return r, open
}

// pick returns one of the turns that run.
func (h *reference) pick(rt *rapid.T) *debate.Response {
	_, open := h.running()
	if len(open) == 0 {
		rt.Skip("nobody speaks")
	}
	return rapid.SampledFrom(open).Draw(rt, "turn")
}

// apply has events happen in the expected session.
func (h *reference) apply(events []ledger.Event) {
	for i := range events {
		h.seq++
		events[i].Seq, events[i].At = h.seq, noon
	}
	h.d.Requests = ledger.Ledger{Requests: h.d.Requests}.Apply(events...).Requests
}

func (h *reference) round(rt *rapid.T) {
	if _, open := h.running(); len(open) > 0 {
		rt.Skip("somebody speaks")
	}
	next := h.d.Next()
	m, release, want := h.d.Begin(debate.Focus{})
	_, err := h.s.BeginRound(h.t.Context(), h.d.ID, max(next, 1))
	var blocked *debate.BlockedError
	if (err == nil) != (want == nil) || errors.As(want, &blocked) != errors.As(err, &blocked) {
		rt.Fatalf("begin says %v, the store %v", want, err)
	}
	if err == nil {
		h.apply(release)
		h.d.History = append(h.d.History, debate.Round{Number: m.Round, Manifest: m, Hash: m.Hash(), Began: noon})
	}
}

func (h *reference) turn(rt *rapid.T) {
	r, _ := h.running()
	if r == nil {
		rt.Skip("no round")
	}
	n := rapid.IntRange(0, 2).Draw(rt, "seat")
	t := agents.Turn{Session: h.d.ID, Round: r.Number, Step: rapid.IntRange(0, 1).Draw(rt, "step"), Agent: h.d.Seats[n].ID}
	for _, x := range r.Responses {
		if x.Turn.Agent == t.Agent && x.Turn.Step == t.Step {
			t.Attempt = max(t.Attempt, x.Turn.Attempt)
		}
	}
	t.Attempt++
	x := debate.Response{
		Turn: t, State: debate.TurnRunning, Role: words.Draw(rt, "role"), Phase: "p", SnapshotHash: r.Hash,
		SeenResponses: []string{"r1.s0.ada.a1"}, Began: noon,
	}
	h.ok(rt, h.s.BeginTurn(h.t.Context(), debate.TurnStart{
		Response: debate.Response{
			Turn: t, Role: x.Role, Phase: x.Phase, SnapshotHash: x.SnapshotHash, SeenResponses: x.SeenResponses, Began: noon,
		}, Purpose: debate.ForMember,
	}))
	r.Responses = append(r.Responses, x)
	order := []agents.ID{"ada", "brook", "cy"}
	slices.SortStableFunc(r.Responses, func(a, b debate.Response) int {
		if a.Turn.Step != b.Turn.Step {
			return a.Turn.Step - b.Turn.Step
		}
		if a.Turn.Agent != b.Turn.Agent {
			return slices.Index(order, a.Turn.Agent) - slices.Index(order, b.Turn.Agent)
		}
		return a.Turn.Attempt - b.Turn.Attempt
	})
}

// settled counts the completions of a turn that have called tools.
func settled(x debate.Response) int {
	n := 0
	for _, p := range x.Passages {
		if len(p.Tools) > 0 {
			n++
		}
	}
	return n
}

// send asks for the next completion of a turn unless one is under way.
func (h *reference) send(rt *rapid.T, x *debate.Response) int {
	n := settled(*x) + 1
	if h.calls[x.Turn] < n {
		h.ok(rt, h.s.BeginCall(h.t.Context(), x.Turn, debate.ForMember, n, agents.Request{Model: "m"}))
		h.calls[x.Turn], h.waits[x.Turn], h.tries[x.Turn] = n, false, 1
	}
	return n
}

func (h *reference) retry(rt *rapid.T) {
	x := h.pick(rt)
	n := h.send(rt, x)
	if !h.waits[x.Turn] {
		h.waits[x.Turn] = true
		h.ok(rt, h.s.RetryCall(h.t.Context(), x.Turn, n, debate.CallRetry{Tries: h.tries[x.Turn]}))
		return
	}
	h.waits[x.Turn] = false
	h.retries[x.Turn]++
	h.tries[x.Turn]++
	h.ok(rt, h.s.ResendCall(h.t.Context(), x.Turn, n))
}

func (h *reference) text(rt *rapid.T) {
	x := h.pick(rt)
	n := h.send(rt, x)
	p := debate.PartialText{Turn: x.Turn, Passage: n - 1, Text: words.Draw(rt, "text"), Reasoning: rapid.Bool().Draw(rt, "reasoning")}
	h.ok(rt, h.s.Journal(h.t.Context(), []debate.PartialText{p}))
	if len(x.Passages) < n {
		x.Passages = append(x.Passages, debate.Passage{})
	}
	if p.Reasoning {
		x.Passages[n-1].Reasoning += p.Text
	} else {
		x.Passages[n-1].Text += p.Text
	}
}

func (h *reference) tools(rt *rapid.T) {
	x := h.pick(rt)
	n := h.send(rt, x)
	p := debate.Passage{Text: words.Draw(rt, "text"), Reasoning: words.Draw(rt, "reasoning")}
	for range rapid.IntRange(1, 3).Draw(rt, "calls") {
		h.made++
		p.Tools = append(p.Tools, debate.ToolRecord{
			ID: x.Turn.ToolCall(h.made), Name: "search", Args: words.Draw(rt, "args"),
			State: debate.ToolPending,
		})
	}
	h.ok(rt, h.s.EndCall(h.t.Context(), x.Turn, n, agents.Completion{
		Text: p.Text, Reasoning: p.Reasoning,
		Finish: agents.FinishToolCalls,
	}, slices.Clone(p.Tools), nil))
	x.Passages = append(x.Passages[:n-1], p)
}

// tool takes one tool call a step further.
func (h *reference) tool(rt *rapid.T) {
	x := h.pick(rt)
	for i := range x.Passages {
		for k := range x.Passages[i].Tools {
			c := &x.Passages[i].Tools[k]
			switch c.State {
			case debate.ToolPending:
				h.ok(rt, h.s.StartTool(h.t.Context(), x.Turn, c.ID, noon))
				c.State, c.Began = debate.ToolRunning, noon
				return
			case debate.ToolRunning:
				c.State, c.Took = debate.ToolDone, time.Duration(rapid.IntRange(0, 1e9).Draw(rt, "took"))
				c.Result = agents.ToolResult{Status: agents.ToolOK, Text: words.Draw(rt, "result"), Summary: "s"}
				h.ok(rt, h.s.EndTool(h.t.Context(), x.Turn, *c))
				return
			case debate.ToolDone:
			}
		}
	}
	rt.Skip("no tool call is open")
}

func (h *reference) ask(rt *rapid.T) {
	x := h.pick(rt)
	q := ledger.Question{
		Query: rapid.SampledFrom([]string{"One?", "one", "Two?", "Three?", ""}).Draw(rt, "query"), Reason: "r",
		Priority: rapid.SampledFrom([]ledger.Priority{ledger.Required, ledger.Optional}).Draw(rt, "priority"),
		Refresh:  rapid.Bool().Draw(rt, "refresh"),
	}
	call := x.Turn.ToolCall(rapid.IntRange(1, 5).Draw(rt, "call"))
	reply, events, want := ledger.Ledger{Requests: h.d.Requests}.Ask(x.Turn, call, q, ledger.DefaultCaps)
	got, err := h.s.Ask(h.t.Context(), x.Turn, call, q, ledger.DefaultCaps)
	if fmt.Sprint(err) != fmt.Sprint(want) || got.Reply != reply || got.Fresh != (len(events) > 0 && want == nil) {
		rt.Fatalf("the ledger says %v, %v; the store %+v, %v", reply, want, got, err)
	}
	h.apply(events)
	if r, ok := h.d.Request(reply.RequestID); ok && !cmp.Equal(r, got.Request, cmpopts.EquateEmpty()) {
		rt.Fatal(cmp.Diff(r, got.Request, cmpopts.EquateEmpty()))
	}
}

func (h *reference) end(rt *rapid.T) {
	x := h.pick(rt)
	state := rapid.SampledFrom([]debate.TurnState{
		debate.TurnDone, debate.TurnDone, debate.TurnFailed, debate.TurnCancelled,
		debate.TurnInterrupted,
	}).Draw(rt, "state")
	cost := 0.125
	x.State, x.Ended, x.Usage, x.Cost, x.Calls = state, noon, agents.Usage{Input: 4, Output: 2, Estimated: true}, &cost, 3
	e := debate.TurnEnd{Purpose: debate.ForMember}
	if state == debate.TurnDone {
		n := h.send(rt, x)
		e.Final, e.FinalCost = &agents.Completion{Text: words.Draw(rt, "final"), Finish: agents.FinishStop}, &cost
		if x.Passages = x.Passages[:n-1]; e.Final.Text != "" { // a turn can end with tool calls
			x.Passages = append(x.Passages, debate.Passage{Text: e.Final.Text})
		}
		x.Finish, x.Statement = agents.FinishStop, debate.Statement{
			Body: e.Final.Text, Vote: "no", Confidence: &cost,
			Citations: []string{"C1"},
		}
	} else {
		x.Failure = &debate.TurnFailure{Kind: agents.KindBusy, Cause: words.Draw(rt, "cause")}
	}
	abort(x)
	e.Response = *x
	changed, err := h.s.EndTurn(h.t.Context(), e)
	h.ok(rt, err)
	if state == debate.TurnDone {
		events := ledger.Ledger{Requests: h.d.Requests}.Supersede(x.Turn)
		h.apply(events)
		if (len(events) == 0) != (len(changed) == 0) {
			rt.Fatalf("%d events, %d changed requests", len(events), len(changed))
		}
	}
}

// abort closes the tool calls of a turn that has ended.
func abort(x *debate.Response) {
	for i := range x.Passages {
		for k := range x.Passages[i].Tools {
			c := &x.Passages[i].Tools[k]
			text := map[debate.ToolState]string{
				debate.ToolRunning: "interrupted, effect unknown",
				debate.ToolPending: "not run: the turn ended first",
			}[c.State]
			if text != "" {
				c.State, c.Result = debate.ToolDone, agents.ToolResult{Status: agents.ToolAborted, Text: text, Summary: text}
			}
		}
	}
}

func (h *reference) close(rt *rapid.T) {
	r, open := h.running()
	if r == nil || len(open) > 0 {
		rt.Skip("no round to end")
	}
	same := &debate.SameFindings{By: words.Draw(rt, "by"), Groups: [][]debate.FindingRef{{{Agent: "ada", N: 1}, {Agent: "brook", N: 2}}}}
	_, err := h.s.EndRound(h.t.Context(), h.d.ID, r.Number, same, debate.NotStopped)
	h.ok(rt, err)
	r.Ended, r.Same = noon, same
}

func (h *reference) answer(rt *rapid.T) {
	sub := ledger.Submission{
		Request: rapid.SampledFrom([]string{"C1", "C2", "C3"}).Draw(rt, "request"), Content: words.Draw(rt, "answer"), Source: "s",
		Outcome: rapid.SampledFrom([]ledger.Outcome{ledger.Answered, ledger.Unavailable}).Draw(rt, "outcome"),
		Correct: rapid.Bool().Draw(rt, "correct"),
	}
	l := ledger.Ledger{Requests: h.d.Requests}
	events, want := l.Answer(sub)
	if _, err := h.s.Answer(h.t.Context(), h.d.ID, sub); fmt.Sprint(err) != fmt.Sprint(want) {
		rt.Fatalf("the ledger says %v, the store %v", want, err)
	}
	if h.apply(events); want == nil {
		delete(h.d.Drafts, sub.Request)
	}
}

func (h *reference) draft(rt *rapid.T) {
	if len(h.d.Requests) == 0 {
		rt.Skip("nobody asked")
	}
	id := rapid.SampledFrom(h.d.Requests).Draw(rt, "request").ID
	draft := debate.Draft{Text: words.Draw(rt, "draft"), Unavailable: rapid.Bool().Draw(rt, "unavailable"), At: noon}
	h.ok(rt, h.s.SaveDraft(h.t.Context(), h.d.ID, id, draft))
	if h.d.Drafts == nil {
		h.d.Drafts = map[string]debate.Draft{}
	}
	if h.d.Drafts[id] = draft; draft.Text == "" {
		delete(h.d.Drafts, id)
	}
}

func (h *reference) note(rt *rapid.T) {
	n := debate.Notice{Code: "c", Text: words.Draw(rt, "text"), Agent: "ada", Round: 1, At: noon}
	h.ok(rt, h.s.Note(h.t.Context(), h.d.ID, n))
	h.d.Notices = append(h.d.Notices, n)
}

// verdict ends the session, or opens it again.
func (h *reference) verdict(rt *rapid.T) {
	l := ledger.Ledger{Requests: h.d.Requests}
	if h.d.Verdict == nil {
		v := debate.Verdict{Text: words.Draw(rt, "report"), Round: len(h.d.History), Notes: []string{words.Draw(rt, "note")}}
		_, err := h.s.SaveVerdict(h.t.Context(), h.d.ID, v)
		h.ok(rt, err)
		h.d.Verdict = &v
		h.apply(l.Expire())
		return
	}
	_, err := h.s.AddRounds(h.t.Context(), h.d.ID, 2)
	h.ok(rt, err)
	h.d.Verdict, h.d.Stopped, h.d.Rounds = nil, debate.NotStopped, len(h.d.History)+2
	h.apply(l.Revive())
}

package agents_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roundtable/agents"
	"roundtable/internal/testing/must"
)

// uncounted compares requests without the count of their tokens, which is kept in them.
var uncounted = cmpopts.IgnoreUnexported(agents.Request{})

// scriptedCompletion is what a provider yields: chunks, and the error after them.
type scriptedCompletion struct {
	chunks []agents.Chunk
	err    error
}

// scriptedProvider yields its completions in turn, the last one again and again. It
// keeps the requests.
type scriptedProvider struct {
	completions []scriptedCompletion
	sent        []agents.Request
}

func (e *scriptedProvider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		a := e.completions[min(len(e.sent), len(e.completions)-1)]
		e.sent = append(e.sent, req)
		for _, c := range a.chunks {
			if ctx.Err() != nil {
				yield(agents.Chunk{}, ctx.Err())
				return
			}
			if !yield(c, nil) {
				return
			}
		}
		if a.err != nil {
			yield(agents.Chunk{}, a.err)
		}
	}
}

// choices says of each request whether it offers tools: t, n if none may be called, - if there are none.
func (e *scriptedProvider) choices() (said string) {
	for _, r := range e.sent {
		switch {
		case len(r.Tools) == 0:
			said += "-"
		case r.ToolChoice == agents.ToolChoiceNone:
			said += "n"
		default:
			said += "t"
		}
	}
	return said
}

// results says what the last request tells of each call: . if it succeeded, ! if it failed, d if it was denied,
// m if it is one too many, and how often it was the same, in the last digit.
func (e *scriptedProvider) results() (said string) {
	repeated := regexp.MustCompile(`^saw 1\n\nYou have made this same call \d*(\d) times`)
	for _, m := range e.sent[len(e.sent)-1].Messages {
		switch {
		case m.Role != agents.ToolRole:
		case repeated.MatchString(m.Text):
			said += repeated.FindStringSubmatch(m.Text)[1]
		case strings.HasPrefix(m.Text, "Too many tool calls"):
			said += "m"
		case strings.HasPrefix(m.Text, "the user said no"):
			said += "d"
		case strings.HasPrefix(m.Text, "no such thing"):
			said += "!"
		case !strings.Contains(m.Text, "same call"):
			said += "."
		}
	}
	return said
}

func text(pieces ...string) scriptedCompletion {
	var a scriptedCompletion
	for _, p := range pieces {
		a.chunks = append(a.chunks, agents.Chunk{Text: p})
	}
	a.chunks = append(a.chunks, agents.Chunk{Finish: agents.FinishStop, Usage: &agents.Usage{Input: 10, Output: 5, Reasoning: 2}})
	return a
}

func calls(cs ...agents.ToolCall) scriptedCompletion {
	return scriptedCompletion{
		chunks: []agents.Chunk{
			{Text: "Let me look. "},
			{Finish: agents.FinishToolCalls, Calls: cs, Usage: &agents.Usage{Input: 20, Output: 3}},
		},
	}
}

func call(id, name, args string) agents.ToolCall {
	return agents.ToolCall{ID: id, Name: name, Args: args}
}

// kit is a toolkit that answers every call with its arguments. Calls of "bad" fail.
type kit struct {
	specs []agents.ToolSpec
	ran   []string // our ids
	turns []agents.Turn
}

func newKit() *kit {
	return &kit{specs: []agents.ToolSpec{{Name: "look", Description: "Looks.", Schema: json.RawMessage(`{"type":"object"}`)}}}
}

func (k *kit) Specs() []agents.ToolSpec { return k.specs }

func (k *kit) Execute(_ context.Context, turn agents.Turn, id string, c agents.ToolCall) agents.ToolResult {
	k.ran, k.turns = append(k.ran, id), append(k.turns, turn)
	switch c.Name {
	case "denied":
		return agents.ToolResult{Status: agents.ToolDenied, Text: "the user said no"}
	case "bad":
		return agents.ToolResult{Status: agents.ToolError, Text: "no such thing"}
	}
	return agents.ToolResult{Status: agents.ToolOK, Text: "saw " + c.Args}
}

func (*kit) Folder(context.Context, agents.Turn) (agents.Folder, error) { return agents.Folder{}, nil }

func (*kit) Approve(context.Context, agents.Turn, agents.OwnCall, []string) (allowed bool, reason string) {
	return false, ""
}

var (
	turn   = agents.Turn{Session: "s", Round: 2, Step: 1, Attempt: 3, Agent: "ada"}
	prompt = []agents.Message{{Role: agents.System, Text: "You are Ada."}, {Role: agents.User, Text: "Well?"}}
)

// outcome is all that one Speak returned and reported.
type outcome struct {
	reply agents.Reply
	err   error
	seen  []agents.Progress
}

func (s outcome) kinds() string {
	var out []string
	for _, p := range s.seen {
		kind := strings.TrimPrefix(fmt.Sprintf("%T", p), "agents.")
		if piece, ok := p.(agents.Text); ok && piece.Reasoning {
			kind = "Reasoning"
		}
		out = append(out, kind)
	}
	return strings.Join(out, " ")
}

// usage returns what the completions used, whether they failed or not.
func (s outcome) usage() agents.Usage {
	var sum agents.Usage
	for _, p := range s.seen {
		switch p := p.(type) {
		case agents.Completed:
			sum = sum.Add(p.Completion.Usage)
		case agents.Broken:
			sum = sum.Add(p.Usage)
		}
	}
	return sum
}

func speak(t *testing.T, e *scriptedProvider, k agents.Toolkit) outcome {
	t.Helper()
	var s outcome
	s.reply, s.err = ada(e).Speak(t.Context(), turn, prompt, k, func(p agents.Progress) error {
		s.seen = append(s.seen, p)
		return nil
	})
	return s
}

func ada(e *scriptedProvider) agents.Agent {
	return agents.Agent{Profile: agents.Profile{ID: "ada", Name: "Ada", Provider: "local", Model: "m-1"}, Client: e}
}

// failure returns why a Speak failed. It fails the test if err is no *Failure.
func failure(t *testing.T, err error) *agents.Failure {
	t.Helper()
	f, ok := errors.AsType[*agents.Failure](err)
	if !ok {
		t.Fatalf("err = %v, want a *Failure", err)
	}
	return f
}

func TestSpeak_streamsATextAndSendsExactlyTheMessagesGiven(t *testing.T) {
	warm := 0.3
	e := &scriptedProvider{completions: []scriptedCompletion{text("Good ", "day.")}}
	a := ada(e)
	a.Temperature, a.MaxTokens = &warm, 99
	var seen []agents.Progress
	reply := must.Get(a.Speak(t.Context(), turn, prompt, newKit(), func(p agents.Progress) error {
		seen = append(seen, p)
		return nil
	}))(t)
	want := agents.Reply{Text: "Good day.", Finish: agents.FinishStop}
	if diff := cmp.Diff(want, reply); diff != "" {
		t.Errorf("reply (-want +got):\n%s", diff)
	}
	request := agents.Request{Model: "m-1", Messages: prompt, Tools: newKit().specs, Temperature: &warm, MaxTokens: 99}
	if diff := cmp.Diff([]agents.Request{request}, e.sent, uncounted); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(agents.Sending{Request: request}, seen[0], uncounted); diff != "" {
		t.Errorf("the first thing observed is not what is sent (-want +got):\n%s", diff)
	}
	if got, want := (outcome{seen: seen}).kinds(), "Sending Text Text Completed"; got != want {
		t.Errorf("observed %s, want %s", got, want)
	}
}

func TestSpeak_keepsReasoningApartFromTheText(t *testing.T) {
	e := &scriptedProvider{
		completions: []scriptedCompletion{
			{chunks: []agents.Chunk{{Event: agents.Queued{}}, {}, {Reasoning: "Hm. "}, {Text: "Yes."}, {Reasoning: "So."}, {Finish: "eos"}}},
		},
	}
	s := speak(t, e, nil)
	if s.err != nil || s.reply.Text != "Yes." || s.reply.Finish != "eos" {
		t.Errorf("reply = %+v, %v", s.reply, s.err)
	}
	done, ok := s.seen[len(s.seen)-1].(agents.Completed)
	if !ok || done.Completion.Reasoning != "Hm. So." {
		t.Errorf("completed with %+v", s.seen[len(s.seen)-1])
	}
	if got, want := s.kinds(), "Sending Queued Alive Reasoning Text Reasoning Completed"; got != want {
		t.Errorf("observed %s, want %s", got, want)
	}
}

func TestSpeak_runsToolsInTheirOrderAndAppendsTheExchange(t *testing.T) {
	first := calls(call("x", "look", `{"n":1}`), call("y", "look", `{"n":2}`))
	first.chunks[1].Extra = json.RawMessage(`{"sig":1}`)
	first.chunks[1].Calls[0].Extra = json.RawMessage(`{"thought":2}`)
	e, k := &scriptedProvider{completions: []scriptedCompletion{first, text("Done.")}}, newKit()
	s := speak(t, e, k)
	if s.err != nil || s.reply.Text != "Done." || len(e.sent) != 2 {
		t.Fatalf("reply = %+v, %v", s.reply, s.err)
	}
	want := append(slices.Clone(prompt),
		agents.Message{Role: agents.Assistant, Text: "Let me look. ", Extra: json.RawMessage(`{"sig":1}`), Calls: []agents.ToolCall{
			{ID: "x", Name: "look", Args: `{"n":1}`, Extra: json.RawMessage(`{"thought":2}`)}, {ID: "y", Name: "look", Args: `{"n":2}`},
		}},
		agents.Message{Role: agents.ToolRole, CallID: "x", Text: `saw {"n":1}`},
		agents.Message{Role: agents.ToolRole, CallID: "y", Text: `saw {"n":2}`})
	if diff := cmp.Diff(want, e.sent[1].Messages); diff != "" {
		t.Errorf("second request (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(prompt, e.sent[0].Messages); diff != "" {
		t.Errorf("the first request has changed (-want +got):\n%s", diff)
	}
	ids := []string{"r2.s1.ada.a3.t1", "r2.s1.ada.a3.t2"}
	if !slices.Equal(k.ran, ids) || k.turns[0] != turn {
		t.Errorf("ran %v for %v", k.ran, k.turns)
	}
	if got, want := s.kinds(), "Sending Text Completed ToolStarted ToolDone ToolStarted ToolDone Sending Text Completed"; got != want {
		t.Errorf("observed %s, want %s", got, want)
	}
	if done, ok := s.seen[2].(agents.Completed); !ok || !slices.Equal(done.IDs, ids) {
		t.Errorf("completed = %+v, want the ids %v", s.seen[2], ids)
	}
	if sum := (agents.Usage{Input: 30, Output: 8, Reasoning: 2}); s.usage() != sum {
		t.Errorf("usage = %+v, want the sum %+v", s.usage(), sum)
	}
}

func TestSpeak_neverWritesToTheSlicesItIsGiven(t *testing.T) {
	given := append(make([]agents.Message, 0, 20), prompt...)
	asked := []agents.ToolCall{call("", "look", "{}"), call("", "look", "[]")}
	e := &scriptedProvider{completions: []scriptedCompletion{calls(asked...), text("Done.")}}
	if _, err := ada(e).Speak(t.Context(), turn, given, newKit(), func(agents.Progress) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(make([]agents.Message, 18), given[2:20]); diff != "" {
		t.Errorf("something was written behind the caller's messages:\n%s", diff)
	}
	if asked[0].ID != "" || asked[1].ID != "" {
		t.Errorf("the provider's calls were changed: %+v", asked)
	}
}

func TestSpeak_makesEmptyAndRepeatedIdsUniqueAndEchoesThem(t *testing.T) {
	e := &scriptedProvider{completions: []scriptedCompletion{
		calls(call("call00002", "look", "1"), call("", "look", "2"), call("same", "look", "3"), call("same", "look", "4")),
		calls(call("same", "look", "5"), call("call00006", "look", "6"), call("", "look", "7")),
		text("Done."),
	}}
	if s := speak(t, e, newKit()); s.err != nil {
		t.Fatal(s.err)
	}
	var ids, answered []string
	for _, m := range e.sent[2].Messages {
		for _, c := range m.Calls {
			ids = append(ids, c.ID)
		}
		if m.Role == agents.ToolRole {
			answered = append(answered, m.CallID)
		}
	}
	if diff := cmp.Diff(ids, answered); diff != "" {
		t.Errorf("results are not those of the calls (-calls +results):\n%s", diff)
	}
	if len(ids) != 7 || ids[0] != "call00002" || ids[1] != "call00003" || ids[2] != "same" {
		t.Errorf("ids = %v, want those that were unique kept, and new ones of nine letters and digits", ids)
	}
	slices.Sort(ids)
	if n := len(slices.Compact(ids)); n != 7 || ids[0] == "" {
		t.Errorf("the ids %v are not unique", ids)
	}
}

// Tool calls are limited, and the model is told when one repeats or is refused. It still gets to answer.
func TestSpeak_aModelThatCallsTooMuchStillAnswers(t *testing.T) {
	look, done := call("", "look", "1"), text("Done.")
	wordless := func(c scriptedCompletion) scriptedCompletion { return scriptedCompletion{chunks: c.chunks[1:]} }
	bad := func(n int) scriptedCompletion { return calls(call("", "bad", fmt.Sprint(n))) }
	var other []agents.ToolCall
	for i := range 200 {
		other = append(other, call("", "look", fmt.Sprint("x", i)))
	}
	var acts, silent []scriptedCompletion
	for i := range agents.MaxToolIterations + 1 {
		acts = append(acts, calls(other[i]))
		silent = append(silent, wordless(acts[i]))
	}
	threeBad := calls(call("", "bad", "1"), call("", "bad", "2"), call("", "bad", "3"))
	tenTimes := calls(slices.Repeat([]agents.ToolCall{look}, 10)...)
	denied := func(n int) scriptedCompletion { return calls(call("", "denied", fmt.Sprint(n))) }
	blank := calls(look)
	blank.chunks[0].Text = "\u2800\u3164"
	for _, c := range []struct {
		name     string
		acts     []scriptedCompletion
		says     string // of a failure, its kind
		requests string // for each whether it offers tools: t, n if none may be called, - if there are none
		results  string // of each call, in the last request
	}{
		{"a call in each of ten", append(slices.Clip(acts[:10]), done), "Done.", "ttttttttttn", ".........."},
		{"a server that ignores the choice", append(slices.Clip(silent), done), "Done.", "ttttttttttn-", ".........."},
		{"it calls again, with words", append(slices.Clip(silent), acts[0]), "Let me look. ", "ttttttttttn-", ".........."},
		{"it calls again, words are before", append(slices.Clip(acts), silent[0]), "", "ttttttttttn-", ".........."},
		{"no word ever", silent, "tools", "ttttttttttn-", ".........."},
		{"200 at once", []scriptedCompletion{calls(other...), done}, "Done.", "tt", strings.Repeat(".", 16) + strings.Repeat("m", 184)},
		{"three failures in a row", []scriptedCompletion{bad(1), bad(2), bad(3), done}, "Done.", "tttn", "!!!"},
		{
			"two failures, a success, two failures",
			[]scriptedCompletion{bad(1), bad(2), calls(look), bad(3), bad(4), done},
			"Done.", "tttttt", "!!.!!",
		},
		{"three failures at once, which it could not know of", []scriptedCompletion{threeBad, done}, "Done.", "tt", "!!!"},
		{"denied three times in a row", []scriptedCompletion{denied(1), denied(2), denied(3), done}, "Done.", "tttt", "ddd"},
		{"the same failing call for ever", append(slices.Repeat([]scriptedCompletion{bad(1)}, 10), done), "Done.", "ttttttttttn", "!!!!!!!!!!"},
		{"the same call, one at a time", append(slices.Repeat([]scriptedCompletion{calls(look)}, 10), done), "Done.", "ttttttttttn", "..34567890"},
		{"the same call, ten at once", []scriptedCompletion{tenTimes, done}, "Done.", "tn", "..34567890"},
		{
			"the same call among others",
			[]scriptedCompletion{calls(look, look, other[0], look), calls(other[1], look, look, look, look, look, look, look), done},
			"Done.", "ttn", "...3.4567890",
		},
		{"blank signs before a call are no answer", []scriptedCompletion{blank, text("\u2800")}, "empty", "tt", "."},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, k := &scriptedProvider{completions: c.acts}, newKit()
			s := speak(t, e, k)
			if s.err != nil {
				s.reply.Text = string(failure(t, s.err).Kind)
			}
			if results := e.results(); s.reply.Text != c.says || e.choices() != c.requests || results != c.results {
				t.Errorf("%q, %v; requests %s, want %s; results %s, want %s", s.reply.Text, s.err, e.choices(), c.requests, results, c.results)
			}
			if run := len(c.results) - strings.Count(c.results, "m"); len(k.ran) != run {
				t.Errorf("%d tools ran", len(k.ran))
			}
		})
	}
}

func TestSpeak_withoutToolsCallsNone(t *testing.T) {
	t.Parallel()
	acts := []scriptedCompletion{calls(call("", "bad", "1")), text("Then so.")}
	e, k := &scriptedProvider{completions: acts}, newKit()
	k.specs = nil
	if s := speak(t, e, k); s.reply.Text != "Then so." || e.choices() != "--" || e.results() != "!" {
		t.Errorf("no tool is offered: %+v, %v", s.reply, s.err)
	}
	e, k = &scriptedProvider{completions: acts}, newKit()
	a := ada(e)
	a.NoCalls = true
	reply, err := a.Speak(t.Context(), turn, prompt, k, func(agents.Progress) error { return nil })
	if err != nil || reply.Text != "Then so." || len(k.ran) != 0 || e.choices() != "n-" {
		t.Errorf("without calls: %+v, %v, %d calls run, requests %s", reply, err, len(k.ran), e.choices())
	}
	e = &scriptedProvider{completions: []scriptedCompletion{{chunks: acts[0].chunks[1:]}}}
	if f := failure(t, speak(t, e, nil).err); f.Kind != agents.KindTools {
		t.Errorf("without a toolkit: %s, want a failure of tools", f.Kind)
	}
}

func TestSpeak_anErrorOfTheObserverEndsTheTurnBeforeTheNextEffect(t *testing.T) {
	full := errors.New("disk full")
	for _, c := range []struct {
		at        string
		sent, ran int
	}{
		{"Sending", 0, 0},
		{"Text", 1, 0},
		{"Completed", 1, 0},
		{"ToolStarted", 1, 0},
		{"ToolDone", 1, 1},
	} {
		t.Run(c.at, func(t *testing.T) {
			e, k := &scriptedProvider{
				completions: []scriptedCompletion{calls(call("x", "look", "1"), call("y", "look", "2")), text("Done.")},
			}, newKit()
			after := 0
			_, err := ada(e).Speak(t.Context(), turn, prompt, k, func(p agents.Progress) error {
				if after > 0 {
					t.Errorf("%T is observed after the error", p)
				}
				if strings.HasSuffix(fmt.Sprintf("%T", p), "."+c.at) {
					after++
					return full
				}
				return nil
			})
			if !errors.Is(err, full) {
				t.Errorf("err = %v, want that of the observer", err)
			}
			if len(e.sent) != c.sent || len(k.ran) != c.ran {
				t.Errorf("%d requests and %d tools, want %d and %d", len(e.sent), len(k.ran), c.sent, c.ran)
			}
		})
	}
}

func TestSpeak_aCancelledContextStaysTheContextsError(t *testing.T) {
	for at, observed := range map[string]string{
		"Sending": "Sending Broken", "Text": "Sending Text Broken", "ToolDone": "Sending Text Completed ToolStarted ToolDone",
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var seen outcome
		e, k := &scriptedProvider{
			completions: []scriptedCompletion{calls(call("x", "look", "1"), call("y", "look", "2")), text("Done.")},
		}, newKit()
		_, err := ada(e).Speak(ctx, turn, prompt, k, func(p agents.Progress) error {
			seen.seen = append(seen.seen, p)
			if strings.HasSuffix(fmt.Sprintf("%T", p), "."+at) {
				cancel(errors.New("enough"))
			}
			return nil
		})
		if _, failed := errors.AsType[*agents.Failure](err); failed || !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %s: err = %v, want the context's", at, err)
		}
		if len(e.sent) > 1 || len(k.ran) > 1 {
			t.Errorf("cancelled at %s it went on: %d requests, %d tools", at, len(e.sent), len(k.ran))
		}
		if got := seen.kinds(); got != observed {
			t.Errorf("cancelled at %s: observed %s, want %s", at, got, observed)
		}
		if broken, ok := seen.seen[len(seen.seen)-1].(agents.Broken); ok &&
			(broken.Failure.Kind != agents.KindCancelled || (broken.Usage.Output > 0) != (at == "Text")) {
			t.Errorf("cancelled at %s: broken with %+v", at, broken)
		}
		cancel(nil)
	}
}

func TestSpeak_failsWithCauseAndRemedy(t *testing.T) {
	f := &agents.Failure{Kind: agents.KindAuth, Cause: "local refused the key in LOCAL_KEY (401).", Remedy: "Set a valid key."}
	s := speak(t, &scriptedProvider{completions: []scriptedCompletion{{err: f}}}, nil)
	const want = "local refused the key in LOCAL_KEY (401). Set a valid key."
	if got := s.err.Error(); got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
	if !errors.Is(s.err, f) {
		t.Error("the failure is not found in the error")
	}
	s = speak(t, &scriptedProvider{completions: []scriptedCompletion{text("")}}, nil)
	if got, want := s.err.Error(), "The answer from local/m-1 was empty. If that happens again, use another model."; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}

func TestProfile_costIsUnknownWithoutBothPrices(t *testing.T) {
	in, out := 2.0, 10.0
	u := agents.Usage{Input: 500_000, Output: 100_000}
	if got := (agents.Profile{PriceIn: &in}).Cost(u); got != nil {
		t.Errorf("cost = %v, want it unknown", *got)
	}
	if got := (agents.Profile{PriceIn: &in, PriceOut: &out}).Cost(u); got == nil || *got != 2 {
		t.Errorf("cost = %v, want 2", got)
	}
	for _, p := range []agents.Profile{{Included: true}, {Included: true, PriceIn: &in, PriceOut: &out}} { // in a subscription
		if got := p.Cost(u); !p.Priced() || got == nil || *got != 0 {
			t.Errorf("cost = %v, want 0", got)
		}
	}
}

// What may pass of itself is worth another try, whatever else is a reason to change something.
func TestNext_saysWhenTryingAgainMayHelp(t *testing.T) {
	passes := []agents.Kind{agents.KindBusy, agents.KindNetwork, agents.KindSilence, agents.KindTruncated}
	for _, kind := range []agents.Kind{
		agents.KindAuth, agents.KindCredit, agents.KindModel, agents.KindRequest, agents.KindTooLong, agents.KindBusy, agents.KindNetwork,
		agents.KindSilence, agents.KindTruncated, agents.KindEmpty, agents.KindFilter, agents.KindMalformed, agents.KindLimit,
		agents.KindTools, agents.KindBudget, agents.KindConfig, agents.KindCancelled, agents.KindInterrupted, agents.KindInternal,
	} {
		if got := agents.Next(kind, ""); (got == "Trying again may help.") != slices.Contains(passes, kind) {
			t.Errorf("%s: %q", kind, got)
		}
		if got := agents.Next(kind, "Add credit."); got != "Add credit." {
			t.Errorf("%s with a remedy: %q", kind, got)
		}
	}
}

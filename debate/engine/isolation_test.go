package engine_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/store"
)

func TestI1_whatIsStoredDuringARoundEntersNoneOfItsPrompts(t *testing.T) {
	var tb *table
	var s debate.Session
	meddle := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if n == 2 { // in round 2, before the other seats have spoken
			if _, err := tb.store.Answer(t.Context(), s.ID, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "CORRECTED", Correct: true}); err != nil {
				return nil, err
			}
			if err := tb.store.SetFocus(t.Context(), s.ID, "FOCUSED"); err != nil {
				return nil, err
			}
		}
		return says("a speaks")(n, req)
	}
	tb = newTable(t, map[string]line{"a": meddle, "b": asks("How many?", says("b speaks")), "c": says("c speaks")})
	_, s = tb.start(tb.session("adversarial", 3, "a", "b", "c"))
	s = tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
	_, s = tb.start(s)
	for _, seat := range []string{"a", "b", "c"} {
		if text := tb.prompt(seat, 2); strings.Contains(text, "CORRECTED") || strings.Contains(text, "FOCUSED") || !strings.Contains(text, "forty-two") {
			t.Errorf("round 2, %s:\n%s", seat, text)
		}
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.SnapshotHash != r.Hash || r.Hash != r.Manifest.Hash() || len(r.Hash) != 64 {
				t.Errorf("round %d, %s: snapshot %q, want %q", r.Number, x.Turn.Agent, x.SnapshotHash, r.Manifest.Hash())
			}
		}
	}
	tb.start(s)
	if text := tb.prompt("a", 3); !strings.Contains(text, "CORRECTED") || !strings.Contains(text, "FOCUSED") {
		t.Errorf("round 3 lacks what was stored before it:\n%s", text)
	}
}

func TestI2_aRoundOfEightSeatsLeavesItsSnapshotAsItWas(t *testing.T) {
	lines, names := map[string]line{}, []string{}
	for i := range 8 {
		name := fmt.Sprintf("m%d", i)
		lines[name] = asks("the question of "+name, long(name, 500))
		names = append(names, name)
	}
	tb := newTable(t, lines)
	_, s := tb.start(tb.session("collaborative", 3, names...))
	var subs []ledger.Submission
	for _, r := range s.Requests {
		subs = append(subs, ledger.Submission{Request: r.ID, Outcome: ledger.Answered, Content: "so"})
	}
	s = tb.answer(s, subs...)
	run := tb.engine.Start(t.Context(), s)
	begun, ok := (<-run.Events()).(debate.RoundStarted)
	if !ok {
		t.Fatal("the round did not begin")
	}
	before, err := prompt.NewSnapshot(begun.Session, 2)
	if err != nil {
		t.Fatal(err)
	}
	first := mustJSON(t, before)
	_, s, err = play(run)
	if err != nil {
		t.Fatal(err)
	}
	after, err := prompt.NewSnapshot(s, 2)
	if err != nil {
		t.Fatal(err)
	}
	if mustJSON(t, before) != first || mustJSON(t, after) != first || begun.Hash != s.History[1].Manifest.Hash() {
		t.Error("the snapshot changed while the round was played")
	}
}

func TestI3_aTurnStoresWhatItSaw(t *testing.T) {
	tb := newTable(t, map[string]line{"a": says("x"), "b": fails("down"), "c": says("z")})
	_, s := tb.rounds(tb.session("adversarial", 3, "a", "b", "c"), 2)
	want := map[string][]string{
		"r1.s0.a.a1": {}, "r1.s1.b.a1": {"r1.s0.a.a1"}, "r1.s2.c.a1": {"r1.s0.a.a1"},
		"r2.s0.a.a1": {"r1.s0.a.a1", "r1.s2.c.a1"}, "r2.s1.b.a1": {"r1.s0.a.a1", "r1.s2.c.a1", "r2.s0.a.a1"},
		"r2.s2.c.a1": {"r1.s0.a.a1", "r1.s2.c.a1", "r2.s0.a.a1"},
	}
	for _, r := range s.History {
		for _, x := range r.Responses {
			if !slices.Equal(x.SeenResponses, want[x.ID()]) {
				t.Errorf("%s saw %v, want %v", x.ID(), x.SeenResponses, want[x.ID()])
			}
		}
	}
}

func TestI4_nothingOfAnotherSessionReachesAPrompt(t *testing.T) {
	lines := map[string]line{"a": asks("How many?", says("a in the end")), "b": says("b speaks")}
	used, fresh := newTable(t, lines), newTable(t, lines)
	_, other := used.start(used.session("collaborative", 3, "a", "b"))
	used.start(used.answer(other, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "leaked?"}))
	from := map[string]int{"a": len(used.models.requests("a")), "b": len(used.models.requests("b"))}
	for _, tb := range []*table{used, fresh} {
		s := tb.session("collaborative", 2, "a", "b")
		s.ID, s.Nonce = "", "the same"
		s, err := tb.store.Create(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		_, s = tb.start(s)
		tb.start(tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}))
	}
	for _, seat := range []string{"a", "b"} {
		got, want := used.models.requests(seat)[from[seat]:], fresh.models.requests(seat)
		if mustJSON(t, got) != mustJSON(t, want) {
			t.Errorf("%s is sent something else after another session", seat)
		}
		for _, r := range want {
			if last := r.Messages[len(r.Messages)-1]; r.Messages[0].Role != agents.System || r.Messages[1].Role != agents.User || len(r.Messages) > 2 && last.Role != agents.ToolRole {
				t.Errorf("%s is sent %+v", seat, r.Messages)
			}
		}
	}
}

func TestI5I7_roundsAreLabelledAndEverythingStandsInThemOnce(t *testing.T) {
	tb := newTable(t, map[string]line{"a": asks("How many?", long("a", 200)), "b": long("b", 200)})
	_, s := tb.start(tb.session("collaborative", 4, "a", "b"))
	tb.rounds(tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}), 4)
	for _, seat := range []string{"a", "b"} {
		text := tb.prompt(seat, 4)
		for round := 1; round <= 3; round++ {
			if n := strings.Count(text, fmt.Sprintf("Statements of round %d, each", round)); n != 1 {
				t.Errorf("%s: round %d is labelled %d times", seat, round, n)
			}
			for _, who := range []string{"a", "b"} {
				if n := strings.Count(text, fmt.Sprintf("%s in round %d thinks in sentence 1.", who, round)); n != 1 {
					t.Errorf("%s: what %s said in round %d occurs %d times", seat, who, round, n)
				}
				own := fmt.Sprintf(" %s (your own), round %d\n", strings.ToUpper(who), round)
				if got, want := strings.Count(text, own), map[bool]int{true: 1}[who == seat]; got != want {
					t.Errorf("%s: the turn of %s in round %d is marked as its own %d times, want %d", seat, who, round, got, want)
				}
			}
		}
		if n := strings.Count(text, "[C1] asked by"); n != 1 {
			t.Errorf("%s: the answer occurs %d times", seat, n)
		}
	}
}

// later is a provider whose models answer after a delay each.
type later struct {
	*scripted
	wait map[string]time.Duration
}

func (l later) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		time.Sleep(l.wait[req.Model]) // of the test's own clock
		for c, err := range l.scripted.Stream(ctx, req) {
			if !yield(c, err) {
				return
			}
		}
	}
}

func TestI6_whoIsFasterChangesNoPrompt(t *testing.T) {
	lines := map[string]line{"a": long("a", 5000), "b": asks("How many?", long("b", 5000)), "c": long("c", 5000), "light": shortens(25)}
	var runs [2]map[string]string
	for i, waits := range []map[string]time.Duration{
		{"a": 3 * time.Second, "b": 2 * time.Second, "c": time.Second, "light": time.Second},
		{"a": time.Second, "b": 2 * time.Second, "c": 3 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			tb := newTable(t, lines)
			tb.speakThrough(later{tb.models, waits})
			_, s := tb.start(tb.shared("collaborative", 4, func(s *debate.Session) { light(s); s.Nonce = "the same" }, "a", "b", "c"))
			s = tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
			_, s = tb.rounds(s, 3)
			var order []agents.ID
			for _, x := range s.History[1].Responses {
				order = append(order, x.Turn.Agent)
			}
			if !slices.Equal(order, []agents.ID{"a", "b", "c"}) {
				t.Errorf("the round is stored in the order %v", order)
			}
			runs[i] = map[string]string{}
			for _, seat := range []string{"a", "b", "c"} {
				for round := 1; round <= 3; round++ {
					runs[i][fmt.Sprintf("%s in round %d", seat, round)] = tb.prompt(seat, round)
				}
			}
		})
	}
	for _, which := range slices.Sorted(maps.Keys(runs[0])) {
		if runs[0][which] != runs[1][which] {
			t.Errorf("the prompt of %s depends on who is faster", which)
		}
	}
}

func TestI8I9_whatIsLateOrTwiceLeavesNoRow(t *testing.T) {
	tb := newTable(t, map[string]line{"a": says("x"), "b": says("y")})
	_, s := tb.start(tb.session("collaborative", 2, "a", "b"))
	before := mustJSON(t, s.History)
	done := s.History[0].Responses[0]
	if err := tb.store.BeginTurn(t.Context(), debate.TurnStart{Turn: done.Turn}); err == nil {
		t.Error("one turn began twice")
	}
	final := agents.Completion{Text: "late", Finish: agents.FinishStop}
	for name, turn := range map[string]agents.Turn{
		"the turn has ended":      done.Turn,
		"of another attempt":      {Session: s.ID, Round: 1, Attempt: 2, Agent: "a"},
		"of another round":        {Session: s.ID, Round: 2, Attempt: 1, Agent: "a"},
		"of somebody not there":   {Session: s.ID, Round: 1, Attempt: 1, Agent: "zed"},
		"of a session not there":  {Session: "zzzzzzzzzz", Round: 1, Attempt: 1, Agent: "a"},
		"of a step that was none": {Session: s.ID, Round: 1, Step: 4, Attempt: 1, Agent: "a"},
	} {
		x := done
		x.Turn, x.Statement = turn, debate.Statement{Body: "late"}
		if _, err := tb.store.EndTurn(t.Context(), debate.TurnEnd{Response: x, Purpose: debate.ForMember, Final: &final}); err == nil {
			t.Errorf("%s: a late result was taken", name)
		}
		if err := tb.store.Journal(t.Context(), []debate.PartialText{{Turn: turn, Text: "late"}}); err == nil {
			t.Errorf("%s: late text was taken", name)
		}
	}
	if after := mustJSON(t, last(t, tb).History); after != before {
		t.Errorf("late results changed the session:\n%s\n%s", before, after)
	}
}

func TestI12_shorteningIsTheSameEachTime(t *testing.T) {
	var texts []string
	for range 2 {
		tb := newTable(t, map[string]line{"a": long("a", 5000), "b": long("b", 5000), "light": fails("down")})
		tb.rounds(tb.shared("collaborative", 4, func(s *debate.Session) { light(s); s.Nonce = "the same" }, "a", "b"), 4)
		texts = append(texts, tb.prompt("a", 4))
	}
	if texts[0] != texts[1] {
		t.Errorf("the same debate was shortened in two ways:\n%.2000s\n\n%.2000s", texts[0], texts[1])
	}
	if !strings.Contains(texts[0], "[shortened]") && !strings.Contains(texts[0], "[left out") {
		t.Errorf("no marker stands where something was shortened:\n%.2000s", texts[0])
	}
}

func TestI13_startingOverTakesNothingAlongThatIsNotTicked(t *testing.T) {
	tb := newTable(t, map[string]line{"a": asks("How many?", long("a", 5000)), "b": long("b", 5000), "light": shortens(25)})
	_, s := tb.start(tb.shared("collaborative", 4, light, "a", "b"))
	_, s = tb.rounds(tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}), 3)
	sent := tb.models.count()
	for _, ticked := range [][]string{nil, {"C1"}} {
		fork, err := tb.store.Fork(t.Context(), s.ID, 0, ticked)
		if err != nil {
			t.Fatal(err)
		}
		if fork.ID == s.ID || fork.Nonce == s.Nonce || fork.ForkedFrom != s.ID || len(fork.Seats) != 2 || len(fork.History) != 0 || len(fork.Summaries) != 0 || len(fork.Notices) != 0 {
			t.Errorf("the new session is %+v", fork)
		}
		_, fork = tb.start(fork)
		for _, seat := range []string{"a", "b"} {
			requests := tb.models.requests(seat)
			text := requests[len(requests)-1].Messages[1].Text
			if strings.Contains(text, "Statements of round") || strings.Contains(text, "forty-two") != (ticked != nil) {
				t.Errorf("with %v ticked, %s reads:\n%s", ticked, seat, text)
			}
		}
		if again := len(fork.Requests) == 1 && fork.Requests[0].State == ledger.Pending; ticked == nil && !again {
			t.Errorf("the old question hides the new one: %+v", fork.Requests)
		}
	}
	if tb.models.count() == sent {
		t.Error("nothing was played")
	}
}

func TestI14_aSessionIsOpenedByWhatNamesItAndByNothingElse(t *testing.T) {
	ids := []string{"k7m2000000", "k7m2100000"}
	tb := newTable(t, nil)
	s := tb.session("collaborative", 2, "a", "b")
	for _, id := range ids {
		s.ID = id
		if _, err := tb.store.Create(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for prefix, want := range map[string]error{"zzz": debate.ErrNoSession, "": debate.ErrNoSession, "k7m2": debate.ErrAmbiguous, "k7m20": nil} {
		got, err := tb.store.Session(t.Context(), prefix)
		if want == nil && (err != nil || got.ID != ids[0]) || want != nil && !errors.Is(err, want) {
			t.Errorf("%q opens %q: %v, want %v", prefix, got.ID, err, want)
		}
	}
	held, err := tb.store.Lock(t.Context(), ids[0])
	if err != nil {
		t.Fatal(err)
	}
	elsewhere, err := store.Open(t.Context(), tb.path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := elsewhere.Lock(t.Context(), ids[0]); !errors.Is(err, debate.ErrLocked) {
		t.Errorf("a session that is open was opened again: %v", err)
	}
	if err := errors.Join(elsewhere.Close(), held.Unlock()); err != nil {
		t.Error(err)
	}
}

// resumed plays three rounds of four with tight windows. The second is stopped
// while seat b speaks, if stop is set, and another engine goes on.
func resumed(t *testing.T, stop bool, summary line) (*table, debate.Session) {
	t.Helper()
	begun, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	halting := func(n int, req agents.Request) ([]agents.Chunk, error) {
		if stop && strings.Contains(req.Messages[1].Text, "This is round 2 of ") {
			once.Do(func() {
				close(begun)
				<-release
			})
		}
		return long("b", 5000)(n, req)
	}
	tb := newTable(t, map[string]line{"a": asks("How many?", long("a", 5000)), "b": halting, "c": long("c", 5000), "light": summary})
	tight := func(s *debate.Session) {
		light(s)
		s.Nonce = "the same"
		for i := range s.Seats {
			s.Seats[i].ContextWindow = 4200 // what three seats say is too much
		}
	}
	_, s := tb.start(tb.shared("collaborative", 4, tight, "a", "b", "c"))
	s = tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"})
	if stop {
		run := tb.engine.Start(t.Context(), s)
		var stopping sync.WaitGroup
		stopping.Go(func() {
			<-begun
			run.Stop()
			close(release)
		})
		if _, _, err := play(run); !errors.Is(err, debate.ErrStopped) {
			t.Fatalf("err = %v", err)
		}
		stopping.Wait()
		var err error
		if s, err = tb.store.Session(t.Context(), s.ID); err != nil {
			t.Fatal(err)
		}
		tb.open() // another process
	}
	if stop {
		_, s = tb.start(s)
	}
	_, s = tb.rounds(s, 3)
	return tb, s
}

func TestI15_aResumedDebateSendsWhatAnUninterruptedOneSends(t *testing.T) {
	whole, _ := resumed(t, false, shortens(25))
	again, _ := resumed(t, true, shortens(25))
	for _, seat := range []string{"a", "b", "c"} {
		for round := 1; round <= 3; round++ {
			if whole.prompt(seat, round) != again.prompt(seat, round) {
				t.Errorf("round %d of %s differs after a resume", round, seat)
			}
		}
	}
	if !strings.Contains(whole.prompt("a", 3), "[summary of ") {
		t.Errorf("nothing was summarised: this test says nothing:\n%.2000s", whole.prompt("a", 3))
	}
}

func TestI16_anInterruptedTurnIsSentAgainAsItWas(t *testing.T) {
	moody := func(n int, req agents.Request) ([]agents.Chunk, error) { // it fails before the interruption, and works after it
		if strings.Contains(req.Messages[1].Text, "in round 1 thinks") && n <= 3 {
			return fails("down")(n, req)
		}
		return shortens(25)(n, req)
	}
	tb, s := resumed(t, true, moody)
	var first []string
	for _, r := range tb.models.requests("b") {
		if strings.Contains(r.Messages[len(r.Messages)-1].Text, "This is round 2 of ") {
			first = append(first, mustJSON(t, r))
		}
	}
	if len(first) != 2 || first[0] != first[1] {
		t.Fatalf("%d first requests of round 2, or not the same", len(first))
	}
	if !strings.Contains(first[0], "[shortened]") {
		t.Errorf("nothing was shortened: this test says nothing: %.1500s", first[0])
	}
	attempts := s.History[1].AttemptsOf("b")
	if len(attempts) != 2 || attempts[0].State != debate.TurnInterrupted || attempts[1].State != debate.TurnDone || mustJSON(t, attempts[0].ContextFit) != mustJSON(t, attempts[1].ContextFit) {
		t.Errorf("attempts = %+v", attempts)
	}
	for _, seat := range []agents.ID{"a", "c"} {
		for _, x := range s.History[1].AttemptsOf(seat) {
			if x.State == debate.TurnDone && x.Turn.Attempt > 2 {
				t.Errorf("%s had finished and was asked again", seat)
			}
		}
	}
}

func TestI16_aToolThatWasRunningIsClosedAsUnknown(t *testing.T) {
	tb := newTable(t, nil)
	s := tb.session("collaborative", 2, "a", "b")
	if _, err := tb.store.BeginRound(t.Context(), s.ID, 1); err != nil {
		t.Fatal(err)
	}
	turn := agents.Turn{Session: s.ID, Round: 1, Attempt: 1, Agent: "a"}
	for _, err := range []error{
		tb.store.BeginTurn(t.Context(), debate.TurnStart{Turn: turn}),
		tb.store.BeginCall(t.Context(), turn, debate.ForMember, 1, agents.Request{}),
		tb.store.EndCall(t.Context(), turn, 1, agents.Completion{}, []debate.ToolRecord{{ID: turn.ToolCall(1), Name: tools.RequestContextName}}, nil),
		tb.store.StartTool(t.Context(), turn, turn.ToolCall(1), time.Now()),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second time changes nothing
		repaired, err := tb.store.Repair(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		x := repaired.History[0].Responses[0]
		if tool := x.Passages[0].Tools[0]; x.State != debate.TurnInterrupted || tool.Result.Status != agents.ToolAborted || tool.Result.Summary != "interrupted, effect unknown" {
			t.Errorf("after the crash: %s, %+v", x.State, tool)
		}
	}
}

func TestI17_whoCannotBeAskedIsNamedAndKeptBeforeAnythingRuns(t *testing.T) {
	tb := newTable(t, map[string]line{"a": says("a speaks"), "c": says("c speaks")})
	_, s := tb.start(tb.session("collaborative", 3, "a", "b", "c"))
	provider := func(p agents.Profile) (agents.Provider, error) {
		if p.ID == "b" {
			return nil, &agents.Failure{Kind: agents.KindConfig, Cause: "The configuration has no provider \"test\".", Remedy: "Add it."}
		}
		return tb.models, nil
	}
	tb.engine = engine.New(engine.Options{Recorder: tb.store, Provider: provider})
	const text = "B cannot be asked: The configuration has no provider \"test\". Add it."
	for range 2 { // taken up again
		evs, next, err := play(tb.engine.Start(t.Context(), s))
		if err != nil {
			t.Fatal(err)
		}
		first, ok := evs[0].(debate.Noticed)
		if !ok || first.Notice.Text != text || first.Notice.Agent != "b" {
			t.Errorf("the first event is %+v", evs[0])
		}
		if s = next; len(s.History) > 2 {
			break
		}
	}
	kept := 0
	for _, n := range last(t, tb).Notices {
		if n.Text == text {
			kept++
		}
	}
	if kept != 1 {
		t.Errorf("the notice is kept %d times", kept)
	}
}

func TestI18_everyEventNamesASeatOfTheRoster(t *testing.T) {
	tb := newTable(t, map[string]line{"a": asks("How many?", long("a", 5000)), "b": long("b", 5000), "light": shortens(25)})
	evs, s := tb.start(tb.shared("collaborative", 3, light, "a", "b"))
	more, _ := tb.rounds(tb.answer(s, ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "forty-two"}), 3)
	if len(tb.summaries()) == 0 {
		t.Fatal("the light model did nothing")
	}
	for _, ev := range append(evs, more...) {
		var id agents.ID
		switch ev := ev.(type) {
		case debate.TurnStarted:
			id = ev.Turn.Agent
		case debate.Text:
			id = ev.Turn.Agent
			if ev.Turn.Step == debate.SummaryStep || strings.Contains(ev.Text, "Summary of") {
				t.Errorf("text of the light model is announced under %s", id)
			}
		case debate.ToolStarted:
			id = ev.Turn.Agent
		case debate.TurnEnded:
			id = ev.Response.Turn.Agent
		case debate.Concluding:
			id = ev.Turn.Agent
		default:
			continue
		}
		if _, seat := s.Seat(id); seat == 0 {
			t.Errorf("%T names %q", ev, id)
		}
	}
}

func TestI19_aHungProviderDoesNotHangStopping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tb := newTable(t, map[string]line{"a": long("a", 5000), "b": long("b", 5000), "c": says("c")})
		tb.speakThrough(&hanging{scripted: tb.models}) // summaries never come
		_, s := tb.rounds(tb.shared("collaborative", 4, light, "a", "b", "c"), 2)
		run := tb.engine.Start(t.Context(), s)
		var stopping sync.WaitGroup
		stopping.Go(func() {
			time.Sleep(time.Second) // the summaries are under way
			run.Stop()
		})
		begun := time.Now()
		if _, _, err := play(run); !errors.Is(err, debate.ErrStopped) {
			t.Errorf("err = %v", err)
		}
		if took := time.Since(begun); took > 3*time.Second {
			t.Errorf("stopping took %s", took)
		}
		stopping.Wait()
	})
}

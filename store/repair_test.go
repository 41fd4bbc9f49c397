package store_test

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// interrupted returns a session whose process went away in the middle of a tool
// call of one seat and of the text of another; a third had finished.
func interrupted(t *testing.T, s *store.Store) string {
	t.Helper()
	id, ctx := create(t, s).ID, t.Context()
	beginRound(t, s, id, 1)
	speak(t, s, seat(id, 1, "ada"), "I am done.")
	cost := 0.5
	brook := seat(id, 1, "brook")
	must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: brook, SnapshotHash: "h", SeenResponses: []string{"x"}}}))
	must.Do(t, s.BeginCall(ctx, brook, debate.ForMember, 1, agents.Request{}))
	must.Do(t, s.EndCall(ctx, brook, 1, agents.Completion{Text: "Looking.", Usage: agents.Usage{Input: 7, Output: 3, Estimated: true}},
		[]debate.ToolRecord{{ID: brook.ToolCall(1), Name: "search"}, {ID: brook.ToolCall(2), Name: "search"}}, &cost))
	must.Do(t, s.StartTool(ctx, brook, brook.ToolCall(1), panelLater()))
	cy := seat(id, 1, "cy")
	beginCall(t, s, cy)
	must.Do(t, s.Journal(ctx, []debate.Text{{Turn: cy, Text: "hm", Reasoning: true}, {Turn: cy, Text: "I thi"}, {Turn: cy, Text: "nk"}}))
	return id
}

func TestSession_showsWhatWasInterruptedBeforeARepairWritesIt(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	id := interrupted(t, s)
	before := store.Rows(t.Context(), s)
	shown := get(t, s, id)
	if diff := cmp.Diff(before, store.Rows(t.Context(), s)); diff != "" {
		t.Error(diff)
	}
	r := shown.History[0].Responses
	if r[0].State != debate.TurnDone || r[1].State != debate.TurnInterrupted || r[2].State != debate.TurnInterrupted {
		t.Fatalf("%s, %s, %s", r[0].State, r[1].State, r[2].State)
	}
	if shown.Status() != debate.Interrupted {
		t.Error(shown.Status())
	}
	if got := r[1]; got.Usage != (agents.Usage{Input: 7, Output: 3, Estimated: true}) || *got.Cost != 0.5 || got.Calls != 1 ||
		!got.Ended.Equal(panelLater()) ||
		got.Failure.Kind != agents.KindInterrupted || got.SnapshotHash != "h" || len(got.SeenResponses) != 1 {
		t.Errorf("%+v", got)
	}
	tools := r[1].Passages[0].Tools
	if tools[0].Result.Status != agents.ToolAborted || tools[0].Result.Text != "interrupted, effect unknown" ||
		tools[1].Result.Status != agents.ToolAborted {
		t.Errorf("%+v", tools)
	}
	if diff := cmp.Diff([]debate.Passage{{Text: "I think", Reasoning: "hm"}}, r[2].Passages); diff != "" {
		t.Error(diff)
	}
	if r[2].Cost != nil || r[2].Calls != 1 || r[2].Ended.Sub(r[2].Began) != 2*time.Second { // its words came a second after its request
		t.Errorf("%+v", r[2])
	}
	repairsOnce(t, s, shown)
}

// repairsOnce holds that a repair writes what was shown of a session that was interrupted, and only once.
func repairsOnce(t *testing.T, s *store.Store, shown debate.Session) {
	t.Helper()
	id := shown.ID
	once := must.Get(s.Repair(t.Context(), id))(t)
	if diff := cmp.Diff(shown, once, cmpopts.IgnoreFields(debate.Session{}, "Updated")); diff != "" {
		t.Error(diff)
	}
	rows := store.Rows(t.Context(), s)
	if rows["partials"] != 0 {
		t.Errorf("%d pieces are left in the journal", rows["partials"])
	}
	twice := must.Get(s.Repair(t.Context(), id))(t)
	must.Do(t, s.Lock(t.Context(), id))
	if diff := cmp.Diff(once, twice) + cmp.Diff(rows, store.Rows(t.Context(), s)) + cmp.Diff(twice, get(t, s, id)); diff != "" {
		t.Error(diff)
	}
	must.Do(t, s.Unlock(id))
	for n, want := range map[int]string{1: "done", 2: ""} {
		_, receipt, err := s.Prompt(t.Context(), id, seat(id, 1, "brook"), n)
		if (err == nil) != (want != "") || receipt.State != want {
			t.Errorf("request %d is %q, %v", n, receipt.State, err)
		}
	}
	if _, receipt, err := s.Prompt(t.Context(), id, seat(id, 1, "cy"), 1); err != nil || receipt.State != "interrupted" {
		t.Errorf("%+v, %v", receipt, err)
	}
	second := seat(id, 1, "cy")
	second.Attempt = 2
	speak(t, s, second, "Now I am done.")
}

// What was under way when a process died is counted before anybody opens the session, in the
// list too, with every try of a request.
func TestSession_countsWhatWasCutOffBeforeItIsRepaired(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx := t.Context()
	beginRound(t, s, id, 1)
	cost := 0.25
	begin := func(turn agents.Turn, purpose debate.Purpose) {
		must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: turn}, Purpose: purpose}))
		must.Do(t, s.BeginCall(ctx, turn, purpose, 1, agents.Request{Messages: []agents.Message{{Text: "Is it so?"}}}))
		for try, lost := range []int{40, 90} {
			must.Do(t, s.RetryCall(ctx, turn, 1, debate.CallRetry{
				Tries: try + 1, Lost: agents.Usage{Input: lost}, Cost: &cost, Until: panelLater(),
			}))
			must.Do(t, s.ResendCall(ctx, turn, 1))
		}
	}
	begin(seat(id, 1, "ada"), debate.ForMember)
	begin(agents.Turn{Session: id, Round: 1, Step: debate.CompareStep, Attempt: 1, Agent: "ada"}, debate.ForLight)
	begin(agents.Turn{Session: id, Round: 1, Step: debate.VerdictStep, Attempt: 1, Agent: "ada"}, debate.ForChair)
	shown := get(t, s, id)
	list := must.Get(s.Sessions(ctx, store.Query{}))(t)
	repaired := must.Get(s.Repair(ctx, id))(t)
	listed := must.Get(s.Sessions(ctx, store.Query{}))(t)
	want := budget.TotalSpending(repaired)
	if want.Calls != 9 || want.Usage.Total() <= 3*90 {
		t.Errorf("repaired: %+v", want)
	}
	if diff := cmp.Diff(want, budget.TotalSpending(shown)); diff != "" {
		t.Error("shown: " + diff)
	}
	diff := cmp.Diff(listed, list, cmpopts.IgnoreFields(debate.SessionSummary{}, "Updated"))
	if diff != "" || listed[0].Tokens != want.Usage.Total() {
		t.Errorf("listed: %d tokens, %s", list[0].Tokens, diff)
	}
}

// A process that died while a request waited had no try of it under way: what its failed tries
// took is counted, and nothing else.
func TestSession_countsNoRequestThatWaited(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		retry debate.CallRetry
		calls int
	}{
		"refused":                     {debate.CallRetry{Tries: 1, Cost: new(0.0), Until: panelLater()}, 1},
		"broken off":                  {debate.CallRetry{Tries: 2, Lost: agents.Usage{Input: 40, Output: 2}, Cost: new(0.25)}, 2},
		"behind another that waits":   {debate.CallRetry{Cost: new(0.0), Until: panelLater()}, 0},
		"at a price that is not told": {debate.CallRetry{Tries: 1, Lost: agents.Usage{Input: 40}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			s, id := newDebate(t)
			ctx := t.Context()
			beginRound(t, s, id, 1)
			turn := seat(id, 1, "ada")
			must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: turn}, Purpose: debate.ForMember}))
			must.Do(t, s.BeginCall(ctx, turn, debate.ForMember, 1, agents.Request{Messages: []agents.Message{{Text: "Is it so?"}}}))
			must.Do(t, s.RetryCall(ctx, turn, 1, c.retry))
			shown := get(t, s, id).History[0].Responses[0]
			list := must.Get(s.Sessions(ctx, store.Query{}))(t)
			repaired := must.Get(s.Repair(ctx, id))(t)
			if diff := cmp.Diff(repaired.History[0].Responses[0], shown); diff != "" {
				t.Error("shown: " + diff)
			}
			if shown.Usage != c.retry.Lost || shown.Calls != c.calls || !cmp.Equal(shown.Cost, c.retry.Cost) {
				t.Errorf("%+v in %d calls for %v", shown.Usage, shown.Calls, shown.Cost)
			}
			if list[0].Tokens != c.retry.Lost.Total() {
				t.Errorf("listed: %d tokens", list[0].Tokens)
			}
		})
	}
}

// A session runs where its holder says so: it may be open only to be looked at.
func TestSession_runsWhileItsHolderPlaysIt(t *testing.T) {
	t.Parallel()
	s := openNew(t)
	id := interrupted(t, s)
	must.Do(t, s.Lock(t.Context(), id))
	if list, err := s.Sessions(t.Context(), store.Query{}); err != nil || list[0].Running || list[0].Holder.PID != os.Getpid() ||
		list[0].State() != debate.StateInterrupted {
		t.Errorf("open and not run: %+v, %v", list[0], err)
	}
	must.Do(t, s.SetHolder(id, func(h *debate.Holder) { h.Runs = true }))
	r := get(t, s, id).History[0].Responses
	if r[1].State != debate.TurnRunning || r[2].State != debate.TurnRunning || r[2].Text() != "I think" ||
		r[1].Passages[0].Tools[0].State != debate.ToolRunning {
		t.Errorf("%+v", r[1:])
	}
	running := func() bool {
		list := must.Get(s.Sessions(t.Context(), store.Query{}))(t)
		return list[0].Running
	}
	if !running() {
		t.Error("the list does not say that it runs")
	}
	must.Do(t, s.SetHolder(id, func(h *debate.Holder) { h.Runs = false }))
	if running() {
		t.Error("the list says that it runs although its run has ended")
	}
	must.Do(t, s.SetHolder(id, func(h *debate.Holder) { h.Runs = true }))
	must.Do(t, s.Unlock(id))
	must.Do(t, s.SetHolder(id, func(h *debate.Holder) { h.Runs = true }))
	if running() {
		t.Error("the list says that it runs although nobody has it open")
	}
}

// A chair that was cut off while it was asked for its pick has written its report.
func TestRepair_keepsTheReportOfAChairThatWasAskedAgain(t *testing.T) {
	t.Parallel()
	s, id := newDebate(t)
	ctx, request := t.Context(), agents.Request{Messages: []agents.Message{{Text: "Is it so?"}}}
	playRound(t, s, id, 1)
	turn := agents.Turn{Session: id, Round: 1, Step: debate.VerdictStep, Attempt: 1, Agent: "ada"}
	must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: turn}, Purpose: debate.ForChair}))
	must.Do(t, s.BeginCall(ctx, turn, debate.ForChair, 1, request))
	if d := must.Get(s.Session(ctx, id))(t); len(d.CachedReplies) > 0 {
		t.Errorf("before its answer: %+v", d.CachedReplies)
	}
	must.Do(t, s.EndCall(ctx, turn, 1, agents.Completion{Text: "So.", Finish: agents.FinishStop}, nil, nil))
	must.Do(t, s.BeginCall(ctx, turn, debate.ForChair, 2, agents.Request{}))
	d := must.Get(s.Repair(ctx, id))(t)
	if k, ok := d.CachedReplyFor(debate.VerdictStep, "ada", request); !ok || k.Failure != nil || k.Reply.Text != "So." {
		t.Errorf("it is %v %+v", ok, k)
	}
}

// The list names the wait that the session comes upon next, whoever cut it off, and none that
// has ended or that somebody else sits out.
func TestSessions_sayUntilWhenAProviderAskedToWait(t *testing.T) {
	t.Parallel()
	until := time.Date(2100, 1, 1, 12, 0, 0, 0, time.UTC)
	chair := func(id, who string, attempt int) agents.Turn {
		return agents.Turn{Session: id, Round: 2, Step: debate.VerdictStep, Attempt: attempt, Agent: agents.ID(who)}
	}
	waits := func(t *testing.T, s *store.Store, turn agents.Turn, purpose debate.Purpose, until time.Time) {
		ctx := t.Context()
		must.Do(t, s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: turn}, Purpose: purpose}))
		must.Do(t, s.BeginCall(ctx, turn, purpose, 1, agents.Request{Messages: []agents.Message{{Text: "Is it so?"}}}))
		must.Do(t, s.RetryCall(ctx, turn, 1, debate.CallRetry{Tries: 1, Cost: new(0.0), Until: until}))
	}
	for name, c := range map[string]struct {
		prepare func(t *testing.T, s *store.Store, id string)
		want    time.Time
	}{
		"a seat": {func(t *testing.T, s *store.Store, id string) {
			beginRound(t, s, id, 1)
			waits(t, s, seat(id, 1, "ada"), debate.ForMember, until)
			speak(t, s, seat(id, 1, "brook"), "I hold that.")
		}, until},
		"a seat that may be asked": {func(t *testing.T, s *store.Store, id string) {
			beginRound(t, s, id, 1)
			waits(t, s, seat(id, 1, "ada"), debate.ForMember, time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC))
		}, time.Time{}},
		"a seat that is asked later": {func(t *testing.T, s *store.Store, id string) {
			playRound(t, s, id, 1)
			again := seat(id, 1, "ada")
			again.Attempt = 2
			must.Do(t, s.SetDue(t.Context(), id, debate.DueTurn{Turn: again, At: until}))
		}, until},
		"the light model": {func(t *testing.T, s *store.Store, id string) {
			playRound(t, s, id, 1)
			waits(t, s, agents.Turn{Session: id, Round: 1, Step: debate.CompareStep, Attempt: 1, Agent: "ada"}, debate.ForLight, until)
		}, time.Time{}},
		"the chair": {func(t *testing.T, s *store.Store, id string) {
			playRound(t, s, id, 1)
			playRound(t, s, id, 2)
			waits(t, s, chair(id, "ada", 1), debate.ForChair, until)
		}, until},
		"a chair after which another was asked": {func(t *testing.T, s *store.Store, id string) {
			playRound(t, s, id, 1)
			playRound(t, s, id, 2)
			waits(t, s, chair(id, "ada", 1), debate.ForChair, until)
			begun := debate.Response{Turn: chair(id, "brook", 2)}
			must.Do(t, s.BeginTurn(t.Context(), debate.TurnStart{Response: begun, Purpose: debate.ForChair}))
		}, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			s, id := newDebate(t)
			c.prepare(t, s, id)
			for _, state := range []string{"cut off", "repaired"} {
				list := must.Get(s.Sessions(t.Context(), store.Query{}))(t)
				if got := get(t, s, id).WaitsUntil(panelLater()); !got.Equal(c.want) || !list[0].WaitUntil.Equal(got) {
					t.Errorf("%s: the session waits until %v and is listed until %v, not until %v", state, got, list[0].WaitUntil, c.want)
				}
				must.Get(s.Repair(t.Context(), id))(t)
			}
			must.Do(t, s.Lock(t.Context(), id))
			if list, err := s.Sessions(t.Context(), store.Query{}); err != nil || !list[0].WaitUntil.IsZero() {
				t.Errorf("opened: listed until %v, %v", list[0].WaitUntil, err)
			}
			must.Do(t, s.Unlock(id))
		})
	}
}

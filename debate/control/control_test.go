package control_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

type run struct{ said []string }

func (r *run) note(words ...string)           { r.said = append(r.said, strings.Join(words, " ")) }
func (r *run) Events() <-chan debate.Event    { return nil }
func (r *run) Cancel(t agents.Turn)           { r.note("cancel", string(t.Agent)) }
func (r *run) Retry(id agents.ID)             { r.note("retry", string(id)) }
func (r *run) RetryNow(id agents.ID)          { r.note("now", string(id)) }
func (r *run) Decide(string, debate.Approval) { r.note("decide") }
func (r *run) End()                           { r.note("end") }
func (r *run) Stop()                          { r.note("stop") }
func (r *run) Pause(on bool) {
	if on {
		r.note("pause")
	}
}

// fakeBackend is the player and the writer of a session. It records what is begun and saved.
type fakeBackend struct {
	session debate.Session
	run     run
	began   []string
	poor    error
	refuses error
}

func (d *fakeBackend) begin(words ...string) control.Run {
	d.began = append(d.began, strings.Join(words, " "))
	return &d.run
}

func (d *fakeBackend) Start(context.Context, debate.Session) control.Run { return d.begin("start") }

func (d *fakeBackend) GoOn(context.Context, debate.Session) control.Run { return d.begin("go on") }

func (d *fakeBackend) Conclude(context.Context, debate.Session) control.Run {
	return d.begin("conclude")
}

func (d *fakeBackend) Retry(_ context.Context, _ debate.Session, seat agents.ID) control.Run {
	return d.begin("retry", string(seat))
}

func (d *fakeBackend) Ask(_ context.Context, _ debate.Session, to agents.ID, q string) control.Run {
	return d.begin("ask", string(to), q)
}
func (d *fakeBackend) Affords(debate.Session) error { return d.poor }
func (d *fakeBackend) Models(debate.Session) []agents.Profile {
	return []agents.Profile{{Provider: "p", Model: "gpt-x"}, {Provider: "q", Model: "gpt-z"}}
}

func (d *fakeBackend) ChangeSeat(_ context.Context, _ string, seat agents.ID, model agents.Profile) (debate.Session, error) {
	c, err := d.session.ChangeSeat(seat, model)
	if err != nil {
		return d.session, err
	}
	return d.change(func(s *debate.Session) { *s = s.WithSeatChange(c) })
}

func (d *fakeBackend) Answer(_ context.Context, _ string, subs ...ledger.Submission) ([]ledger.Request, error) {
	var out []ledger.Request
	for _, sub := range subs {
		r, _ := d.session.Request(sub.Request)
		r.State, r.Seq = ledger.Resolved, r.Seq+1
		out = append(out, r)
	}
	return out, d.refuses
}

func (d *fakeBackend) change(do func(*debate.Session)) (debate.Session, error) {
	do(&d.session)
	d.session.Updated = d.session.Updated.Add(time.Second)
	return d.session, d.refuses
}

func (d *fakeBackend) AddRounds(_ context.Context, _ string, n int) (debate.Session, error) {
	return d.change(func(s *debate.Session) {
		if s.Verdict != nil {
			s.Rounds = len(s.History)
		}
		s.Rounds, s.Verdict, s.Stopped = s.Rounds+n, nil, debate.NotStopped
	})
}

func (d *fakeBackend) Stop(_ context.Context, _ string, why debate.StopReason) (debate.Session, error) {
	return d.change(func(s *debate.Session) { s.Stopped = why })
}

func (d *fakeBackend) SetBudget(_ context.Context, _ string, b debate.Budget) (debate.Session, error) {
	return d.change(func(s *debate.Session) { *s = s.WithBudget(b) })
}
func (d *fakeBackend) SetFocus(context.Context, string, debate.Focus) error { return d.refuses }
func (d *fakeBackend) Settle(_ context.Context, _ string, v debate.Settlement) error {
	_, err := d.change(func(s *debate.Session) { *s = s.WithSettlement(v) })
	return err
}

func (d *fakeBackend) Interject(_ context.Context, _ string, i debate.Interjection) (debate.Interjection, error) {
	i.N = len(d.session.Interjections) + 1
	return i, d.refuses
}

// session returns a debate of two seats after as many rounds as done, of all.
func session(done, all int) debate.Session {
	s := debate.Session{ID: "s", Topic: "Should we?", Rounds: all, Mode: debate.Mode{Order: debate.Parallel}, Created: noon, Updated: noon}
	for _, id := range []agents.ID{"ada", "brook"} {
		name := strings.ToUpper(string(id[:1])) + string(id[1:])
		s.Seats = append(s.Seats, agents.Profile{ID: id, Name: name, Provider: "here", Included: true})
	}
	for n := 1; n <= done; n++ {
		r := debate.Round{Number: n, Began: noon, Ended: noon, Manifest: debate.Manifest{Round: n, Rounds: all, Seats: []agents.ID{"ada", "brook"}}}
		for _, p := range s.Seats {
			r.Responses = append(r.Responses, debate.Response{
				Turn: agents.Turn{Session: "s", Round: n, Attempt: 1, Agent: p.ID}, State: debate.TurnDone, Ended: noon,
				Statement: debate.Statement{Body: "Yes."},
			})
		}
		s.History = append(s.History, r)
	}
	return s
}

// asked returns a session with required requests that have no answer.
func asked(s debate.Session, ids ...string) debate.Session {
	for _, id := range ids {
		s = s.WithRequest(ledger.Request{
			ID: id, Query: "How many?", Priority: ledger.Required, State: ledger.Pending,
			Asks: []ledger.Ask{{Turn: agents.Turn{Round: 1, Agent: "ada"}}},
		})
	}
	return s
}

func concluded(s debate.Session) debate.Session {
	s.Verdict = &debate.Verdict{Text: "Yes."}
	return s
}

// broken returns a session whose newest round goes on without the given seats.
func broken(s debate.Session, state debate.TurnState, seats ...agents.ID) debate.Session {
	r := &s.History[len(s.History)-1]
	r.Ended = time.Time{}
	for i, x := range r.Responses {
		if slices.Contains(seats, x.Turn.Agent) {
			r.Responses[i].State, r.Responses[i].Statement = state, debate.Statement{}
		}
	}
	return s
}

func conduct(s debate.Session) (*control.Controller, *fakeBackend) {
	d := &fakeBackend{session: s}
	return control.New(s, control.Options{Player: d, Writer: d}), d
}

func act(t *testing.T, c *control.Controller, id control.ID, line string) control.Told {
	t.Helper()
	v, err := c.Parse(id, line)
	if err != nil {
		t.Fatalf("%s %s: %v", id, line, err)
	}
	told, err := c.Act(t.Context(), id, v)
	if err != nil {
		t.Fatalf("%s %s: %v", id, line, err)
	}
	return told
}

// play begins what comes next, and the round of it.
func play(t *testing.T, c *control.Controller) {
	t.Helper()
	act(t, c, control.Continue, "")
	if s := c.Session(); s.Next() > 0 {
		next := session(s.Next(), s.Rounds)
		next.Requests, next.Interjections = s.Requests, s.Interjections
		r := &next.History[s.Next()-1]
		r.Ended, r.Responses = time.Time{}, nil
		c.Apply(debate.RoundStarted{Session: next, Round: s.Next(), At: noon})
	}
}

// A smaller budget pays for no further round.
func TestSetBudget_offersARoundWhereMoreMayBePaid(t *testing.T) {
	for line, want := range map[string]control.ID{"$0.40": "", "$0.60": control.AddRounds} {
		s := concluded(session(2, 2))
		s.Budget.USD = 0.5
		c, _ := conduct(s)
		if told := act(t, c, control.SetBudget, line); told.Fix != want {
			t.Errorf("%s: %+v", line, told)
		}
	}
}

func TestNext(t *testing.T) {
	paused := func(c *control.Controller) { c.Pause() }
	for _, one := range []struct {
		name    string
		session debate.Session
		after   func(*control.Controller)
		want    control.Step
	}{
		{"a new debate begins", session(0, 2), nil, control.Step{Kind: control.Play, Action: control.Continue}},
		{"a saved one waits", session(1, 2), paused, control.Step{Kind: control.Idle}},
		{"the next round begins by itself", session(1, 2), nil, control.Step{Kind: control.Play, Action: control.Continue}},
		{"the verdict is written by itself", session(2, 2), nil, control.Step{Kind: control.Play, Action: control.Continue}},
		{"a required request is asked for", asked(session(1, 2), "C1"), nil, control.Step{Kind: control.AskUser}},
		{"even if the debate pauses", asked(session(1, 2), "C1"), paused, control.Step{Kind: control.AskUser}},
		{"not before a verdict", asked(session(2, 2), "C1"), nil, control.Step{Kind: control.Play, Action: control.Continue}},
		{"the open form holds the next round", session(1, 2), (*control.Controller).Hold, control.Step{Kind: control.Idle}},
		{"one seat answered", broken(session(1, 2), debate.TurnFailed, "brook"), paused, control.Step{}},
		{"nobody answered", broken(session(1, 2), debate.TurnFailed, "ada", "brook"), paused, control.Step{}},
		{"there is a verdict", concluded(session(2, 2)), nil, control.Step{Kind: control.Finished}},
		{
			"a run is under way", session(0, 2), func(c *control.Controller) { _, _ = c.Act(t.Context(), control.Continue, control.Values{}) },
			control.Step{Kind: control.Watch},
		},
	} {
		t.Run(one.name, func(t *testing.T) {
			c, _ := conduct(one.session)
			if one.after != nil {
				one.after(c)
			}
			if got := c.Next(); got != one.want {
				t.Errorf("next is %+v, want %+v", got, one.want)
			}
		})
	}
}

func TestNext_asksForAnApprovalBeforeItWatches(t *testing.T) {
	c, d := conduct(session(0, 2))
	play(t, c)
	c.Apply(debate.ApprovalAsked{CallID: "1"})
	if c.Next().Kind != control.AskApproval {
		t.Errorf("next is %+v", c.Next())
	}
	c.Decide("1", debate.Approval{})
	c.Apply(debate.ApprovalDecided{CallID: "1"})
	if c.Next().Kind != control.Watch || !slices.Contains(d.run.said, "decide") {
		t.Errorf("next is %+v, the run heard %q", c.Next(), d.run.said)
	}
}

// Every action says why it is not possible, in words, and is refused for that; what is
// possible is never refused without values.
func TestActions_sayWhyNot(t *testing.T) {
	states := map[string]debate.Session{
		"new": session(0, 2), "between rounds": session(1, 2), "blocked": asked(session(1, 2), "C1"), "before the verdict": session(2, 2),
		"concluded": concluded(session(2, 2)), "interrupted": broken(session(1, 2), debate.TurnInterrupted, "brook"),
		"round open": broken(session(1, 2), debate.TurnFailed, "brook"),
	}
	for name, s := range states {
		for _, running := range []bool{false, true} {
			c, _ := conduct(s)
			if running && c.WhyNot(control.Continue) == nil {
				play(t, c)
			}
			for _, a := range control.All() {
				why := c.WhyNot(a.ID)
				blocked := errors.As(why, new(*debate.BlockedError)) // whose requests each front end lists
				if a.Title == "" || why != nil && !blocked && !strings.HasSuffix(why.Error(), ".") {
					t.Errorf("%s, running %v: %s %q says %v", name, running, a.ID, a.Title, why)
				}
				if why == nil {
					continue
				}
				if _, err := c.Act(t.Context(), a.ID, control.Values{}); err == nil || err.Error() != why.Error() {
					t.Errorf("%s, running %v: %s is answered %v, want %v", name, running, a.ID, err, why)
				}
			}
		}
	}
}

// Nothing is done in a database that is read-only, nor to a debate of a mode that is gone.
func TestActions_changeNothingThatCanOnlyBeRead(t *testing.T) {
	gone := session(1, 2)
	gone.Gone = "mode oxford"
	for _, one := range []struct {
		session  debate.Session
		readOnly string
		want     string
	}{
		{concluded(session(2, 2)), "the database is read-only", "Nothing can be saved: the database is read-only."},
		{gone, "", "Not counted: mode oxford is gone"},
	} {
		d := &fakeBackend{}
		c := control.New(one.session, control.Options{Player: d, Writer: d, ReadOnly: one.readOnly})
		for _, a := range control.All() {
			_, err := c.Act(t.Context(), a.ID, control.Values{Rounds: 1})
			if why := c.WhyNot(a.ID); why == nil || why.Error() != one.want || err == nil || err.Error() != one.want {
				t.Errorf("%s: %v, %v, want %q", a.ID, why, err, one.want)
			}
		}
	}
}

func TestAct_tells(t *testing.T) {
	for _, one := range []struct {
		name    string
		session debate.Session
		running bool
		id      control.ID
		line    string
		told    string
	}{
		{"a message", session(1, 3), false, control.Interject, "brook Be brief.", "To Brook in round 2: Be brief."},
		{"a message to all", session(1, 3), false, control.Interject, "Be brief.", "To all in round 2: Be brief."},
		{"a message in the last round", session(1, 2), true, control.Interject, "Be brief.", "To all, if you add round 3: Be brief."},
		{"a focus", session(1, 3), false, control.SetFocus, "The price", "Focus for round 2: The price"},
		{"a focus in the last round", session(1, 2), true, control.SetFocus, "The price", "Focus, if you add round 3: The price"},
		{"no focus", session(1, 3), false, control.SetFocus, "", ""},
		{"dollars", session(1, 3), false, control.SetBudget, "$2.50", "Budget set to $2.50."},
		{"tokens", session(1, 3), false, control.SetBudget, "50k tokens", "Budget set to 50000 tokens."},
		{"thousands", session(1, 3), false, control.SetBudget, "60k", "Budget set to 60000 tokens."},
		{"thousands and dollars", session(1, 3), false, control.SetBudget, "60k 2.50", "Budget set to $2.50 or 60000 tokens."},
		{"two rounds", session(1, 3), false, control.AddRounds, "2", "Rounds added: now 5 are planned."},
		{"another model", session(1, 3), false, control.ChangeModel, "Ada q/gpt-z", "Ada: gpt-z from round 2."},
		{"another model by number", session(0, 3), false, control.ChangeModel, "2 gpt-x", "Brook: gpt-x from round 1."},
		{"a pause", session(0, 3), true, control.Pause, "", "Pauses after round 1."},
		{"an end after the round", session(0, 3), true, control.EndAfterRound, "", "Ends after round 1 with a verdict."},
	} {
		t.Run(one.name, func(t *testing.T) {
			c, _ := conduct(one.session)
			if one.running {
				play(t, c)
			}
			if told := act(t, c, one.id, one.line); told.Text != one.told {
				t.Errorf("told %q, want %q", told.Text, one.told)
			}
		})
	}
}

func TestParse_refuses(t *testing.T) {
	c, _ := conduct(session(1, 3))
	for line, want := range map[string]string{
		"retry-seat Hal":         "Give a seat by number or name: 1 Ada, 2 Brook.",
		"add-rounds many":        "Give a number of rounds, 1-50.",
		"set-budget":             "Give the budget in dollars, in tokens, or in both: 2.50, 50k, 50000 tokens.",
		"set-budget much tokens": "not a number of tokens; write 50000, 50,000 or 50k",
		"set-budget 2 60000":     "Two amounts of dollars are given. Tokens are written as 50k or 50000 tokens.",
		"pause now":              `"now" is not expected.`,
		"change-model ada":       "Give a model after the seat.",
		"change-model hal gpt-x": "Give a seat by number or name: 1 Ada, 2 Brook.",
	} {
		id, rest, _ := strings.Cut(line, " ")
		if _, err := c.Parse(control.ID(id), rest); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %q", line, err, want)
		}
	}
}

// A message for a round that is not planned is kept, and the user is told how to add one.
func TestInterject_isKeptForTheRoundThatIsAdded(t *testing.T) {
	c, _ := conduct(session(2, 2))
	if note := c.Words().LaterNote(); note != "There is no later round: this is kept for the one that you add." {
		t.Errorf("the note is %q", note)
	}
	told := act(t, c, control.Interject, "Be brief.")
	if s := c.Session(); s.Rounds != 2 || len(s.PendingInterjections()) != 1 || told.Fix != control.AddRounds {
		t.Errorf("%d rounds, %v, told %+v", s.Rounds, s.PendingInterjections(), told)
	}
}

// Where nobody can be asked about a round, a line for one that is not planned is refused.
func TestPlanned_refusesLinesForOtherRounds(t *testing.T) {
	ended := session(1, 3)
	ended.Verdict = &debate.Verdict{}
	for name, test := range map[string]struct {
		session debate.Session
		want    string
	}{
		"planned":    {session(1, 2), ""},
		"last round": {session(2, 2), "No round follows round 2."},
		"verdict":    {ended, "No round follows round 1."},
	} {
		d := &fakeBackend{session: test.session}
		c := control.New(test.session, control.Options{Player: d, Writer: d, Planned: true})
		for _, id := range []control.ID{control.SetFocus, control.Interject} {
			err := c.Check(id, control.Values{Text: "Be brief."})
			if got := fmt.Sprint(err); got != cmp.Or(test.want, "<nil>") {
				t.Errorf("%s: %s is refused by %q, want %q", name, id, got, test.want)
			}
			if test.want != "" && control.FixOf(err) != control.AddRounds {
				t.Errorf("%s: what helps is %q", name, control.FixOf(err))
			}
		}
	}
}

// A round that the budget pays no call of is not planned, whether there is a verdict or not.
func TestAddRounds_refusesWhatTheBudgetDoesNotAllow(t *testing.T) {
	for name, s := range map[string]debate.Session{
		"not begun": session(0, 2), "between rounds": session(1, 2), "with a verdict": concluded(session(2, 2)),
	} {
		c, d := conduct(s)
		d.poor = &debate.BudgetError{}
		if err := c.Check(control.AddRounds, control.Values{Rounds: 1}); control.FixOf(err) != control.SetBudget {
			t.Errorf("%s: %v", name, err)
		}
	}
	c, d := conduct(session(0, 2))
	play(t, c)
	d.poor = &debate.BudgetError{}
	if err := c.Check(control.AddRounds, control.Values{Rounds: 1}); err != nil {
		t.Errorf("while a round runs: %v", err)
	}
}

// An assistant lowers a budget, and never raises it.
func TestSetBudget_ofAnAssistantOnlyLowersIt(t *testing.T) {
	s := session(1, 2)
	s.Budget = debate.Budget{USD: 2}
	d := &fakeBackend{session: s}
	for kind, least := range map[ledger.AuthorKind]bool{ledger.Assistant: false, ledger.Person: true} {
		c := control.New(s, control.Options{Player: d, Writer: d, Author: ledger.Author{Kind: kind}})
		for b, allowed := range map[debate.Budget]bool{
			{USD: 1, Tokens: 5}: true, {USD: 2}: true, {USD: 3, Tokens: 5}: least, {Tokens: 5}: least, {}: least,
		} {
			if err := c.Check(control.SetBudget, control.Values{Budget: &b}); (err == nil) != allowed {
				t.Errorf("%s, %s: %v", kind, b, err)
			}
		}
	}
}

// A larger budget has the report written that the last one did not allow, although it may pay
// for no round.
func TestSetBudget_hasTheReportWritten(t *testing.T) {
	for name, c := range map[string]struct {
		budget float64
		poor   bool
		want   string
	}{
		"more": {budget: 2, poor: true, want: "conclude"},
		"less": {budget: 0.5, want: ""},
	} {
		s := concluded(session(1, 1))
		s.Budget, s.Verdict.OverBudget = debate.Budget{USD: 1}, true
		ctrl, d := conduct(s)
		if c.poor {
			d.poor = &debate.BudgetError{}
		}
		_, err := ctrl.Act(t.Context(), control.SetBudget, control.Values{Budget: &debate.Budget{USD: c.budget}})
		if got := strings.Join(d.began, ", "); err != nil || got != c.want {
			t.Errorf("%s: began %q, want %q: %v", name, got, c.want, err)
		}
	}
}

func TestEndAfterRound_waitsForARequiredAnswer(t *testing.T) {
	c, d := conduct(session(0, 3))
	play(t, c)
	act(t, c, control.EndAfterRound, "")
	end := asked(session(1, 3), "C1", "C2")
	c.Apply(debate.RunEnded{Session: end})
	if told := c.RunEnded(); told.Text != "Not ended: C1 and C2 have no answer." || told.Fix != control.EndNow || c.Next().Kind != control.AskUser {
		t.Errorf("told %+v, next %+v", told, c.Next())
	}
	act(t, c, control.EndNow, "")
	if !slices.Contains(d.began, "conclude") {
		t.Errorf("began %q", d.began)
	}
}

func TestRunEnded_pausesOnAnErrorAndNamesWhatHelps(t *testing.T) {
	for _, one := range []struct {
		name  string
		err   error
		fix   control.ID
		saved bool
		next  control.StepKind
	}{
		{"stopped", debate.ErrStopped, "", true, control.Idle},
		{"the budget", &debate.BudgetError{}, control.SetBudget, true, control.Idle},
		{"one seat", &debate.RoundFailedError{Round: 1, Answered: "Ada"}, control.Continue, true, control.Idle},
		{"the disk", errors.New("disk full"), control.Continue, false, control.Idle},
	} {
		t.Run(one.name, func(t *testing.T) {
			c, _ := conduct(session(0, 2))
			play(t, c)
			end := c.Session()
			c.Apply(debate.RunEnded{Session: end, Err: one.err})
			told := c.RunEnded()
			if told.Fix != one.fix || c.NotSaved() == one.saved || c.Next().Kind != one.next || !c.Paused() {
				t.Errorf("told %+v, not saved %v, next %+v", told, c.NotSaved(), c.Next())
			}
		})
	}
}

// While the chair waits for its provider every action agrees on that: it can be asked now,
// and the run can be paused.
func TestRetryNow_asksTheChairThatWaits(t *testing.T) {
	s := session(2, 2)
	c, d := conduct(s)
	play(t, c)
	chair := agents.Turn{Round: 2, Step: debate.VerdictStep, Attempt: 1, Agent: "zed"}
	c.Apply(debate.Concluding{Turn: chair, Profile: agents.Profile{ID: "zed", Name: "Zed"}})
	for _, line := range []string{"", "chair"} {
		if v, err := c.Parse(control.RetryNow, line); err != nil || !saysOf(c.Check(control.RetryNow, v), "Zed is not waiting for its provider.") {
			t.Errorf("%q is %+v, %v", line, v, err)
		}
	}
	c.Apply(debate.TurnRetrying{Turn: chair, Retry: agents.Retry{Try: 1, Of: 3, In: time.Minute}, At: noon})
	for _, id := range []control.ID{control.Pause, control.Continue, control.EndNow, control.EndAfterRound} {
		if why := c.WhyNot(id); !saysOf(why, "Zed must wait before it writes the verdict.") || control.FixOf(why) != control.RetryNow {
			t.Errorf("%s: %v", id, why)
		}
	}
	if got := c.Question(control.PauseNow, control.Values{}); !strings.HasPrefix(got, "Pause now? Zed must wait before it writes the verdict.") {
		t.Error(got)
	}
	if v, err := c.Parse(control.RetryNow, "Ada"); err != nil || c.Check(control.RetryNow, v) == nil {
		t.Errorf("a seat that has answered can be asked now: %+v, %v", v, err)
	}
	v := must.Get(c.Parse(control.RetryNow, ""))(t)
	for _, id := range []control.ID{control.RetryNow, control.PauseNow} {
		if _, err := c.Act(t.Context(), id, v); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if got := strings.Join(d.run.said, ", "); !strings.Contains(got, "now zed") || !strings.HasSuffix(got, "stop") {
		t.Errorf("the run was asked %q", got)
	}
	c.Apply(debate.TurnQueued{Turn: chair})
	if _, waits := c.Retrying(); waits || !saysOf(c.WhyNot(control.Pause), "The verdict is being written.") {
		t.Errorf("it still waits: %v", c.WhyNot(control.Pause))
	}
}

func saysOf(err error, words string) bool { return err != nil && err.Error() == words }

// A pause that a provider asked for is told with its time, until that has come.
func TestState_tellsWhatAProviderAskedToWait(t *testing.T) {
	s := broken(session(1, 2), debate.TurnInterrupted, "brook")
	s.History[0].Responses[1].WaitUntil = noon.Add(2 * time.Minute)
	for _, one := range []struct {
		at   time.Duration
		want []string
		next string
	}{
		{time.Minute, []string{"Paused in round 1: a provider asked to wait until 12:02.", "Ada has answered."}, "wait for Brook"},
		{3 * time.Minute, []string{"Paused in round 1, which began at 12:00.", "Ada has answered."}, "continue with Brook"},
	} {
		c, _ := conduct(s)
		c.Pause()
		if st := c.Words().State(noon.Add(one.at)); !slices.Equal(st.Lines, one.want) || !strings.HasPrefix(st.Next, one.next) {
			t.Errorf("after %s: %q, next %q", one.at, st.Lines, st.Next)
		}
	}
}

// What was entered while the round was read back stays.
func TestApply_keepsWhatIsNewer(t *testing.T) {
	c, _ := conduct(asked(session(0, 3), "C1"))
	old := c.Session()
	play(t, c)
	act(t, c, control.Interject, "Be brief.")
	sub := ledger.Submission{Request: "C1", Outcome: ledger.Answered, Content: "Two."}
	if told, err := c.Act(t.Context(), control.Answer, control.Values{Answers: []ledger.Submission{sub}}); err != nil ||
		told.Text != "C1 saved. It goes to the seats with the next round." {
		t.Errorf("told %q, %v", told.Text, err)
	}
	newer := c.Session()
	newer.Rounds, newer.Updated = 5, noon.Add(time.Hour)
	c.Apply(debate.Concluded{Session: newer})
	end := session(1, 3)
	end.Requests, end.Interjections = old.Requests, nil
	c.Apply(debate.RunEnded{Session: end})
	c.RunEnded()
	s := c.Session()
	if r, _ := s.Request("C1"); r.State != ledger.Resolved || len(s.Interjections) != 1 || len(s.History) != 1 || s.Rounds != 5 {
		t.Errorf("C1 is %s, %d messages, %d of %d rounds", r.State, len(s.Interjections), len(s.History), s.Rounds)
	}
}

func TestState_saysWhatContinueDoes(t *testing.T) {
	for _, one := range []struct {
		name    string
		session debate.Session
		lines   string
		next    string
	}{
		{"new", session(0, 2), "Not started.", "start round 1"},
		{"between rounds", session(1, 2), "Paused after round 1.", "start round 2"},
		{"after the last", session(2, 2), "Paused after round 2, the last one.", "write the verdict"},
		{
			"cut off", broken(session(1, 2), debate.TurnInterrupted, "brook"),
			"Paused in round 1, which began at 12:00. Ada has answered.", "continue with Brook",
		},
		{"one seat", broken(session(1, 2), debate.TurnFailed, "brook"), "Only Ada of 2 seats answered in round 1.", "ask Brook again"},
		{"blocked", asked(session(1, 2), "C1", "C2"), "Round 2 waits for C1 (Ada) and 1 more.", ""},
	} {
		t.Run(one.name, func(t *testing.T) {
			c, _ := conduct(one.session)
			c.Pause()
			if s := c.Words().State(noon); strings.Join(s.Lines, " ") != one.lines || s.Next != one.next {
				t.Errorf("%q, then %q", strings.Join(s.Lines, " "), s.Next)
			}
		})
	}
}

// Of the models that seats have got, those that the next round is the first for are named.
func TestState_namesTheModelsOfTheNextRound(t *testing.T) {
	s := session(0, 3)
	for round, seat := range []agents.ID{"brook", "ada"} {
		changed := session(round, 3)
		changed.SeatChanges = s.SeatChanges
		c := must.Get(changed.ChangeSeat(seat, agents.Profile{Provider: "q", Model: "gpt-z"}))(t)
		s = changed.WithSeatChange(c)
	}
	c, _ := conduct(s)
	c.Pause()
	if got := strings.Join(c.Words().State(noon).Round, " "); !strings.HasPrefix(got, "Ada: gpt-z from round 2 ") {
		t.Errorf("%q", got)
	}
}

// without returns a session in whose last round a seat has no statement.
func without(s debate.Session, seat agents.ID) debate.Session {
	s.History = slices.Clone(s.History)
	last := &s.History[len(s.History)-1]
	last.Responses = slices.DeleteFunc(slices.Clone(last.Responses), func(x debate.Response) bool { return x.Turn.Agent == seat })
	return s
}

func TestChangeModel_refuses(t *testing.T) {
	open := session(1, 3)
	open.History[0].Ended = time.Time{}
	for _, c := range []struct {
		name    string
		session debate.Session
		running bool
		line    string
		want    string
		instead control.ID
	}{
		{"while a round runs", session(1, 3), true, "ada gpt-x", "Not while a round is running.", control.PauseNow},
		{"no round left", session(3, 3), false, "ada gpt-x", "No round is left for another model.", control.AddRounds},
		{"after the verdict", concluded(session(2, 2)), false, "ada gpt-x", "No round is left for another model.", control.AddRounds},
		{"an open round", open, false, "ada gpt-x", "Round 1 has not ended.", ""},
		{"an open round, by one who spoke", without(open, "brook"), false, "ada gpt-x", "Ada has a statement in round 1, which has not ended", ""},
		{"no such model", session(1, 3), false, "ada gpt-7", `There is no model "gpt-7"`, ""},
		{"no such provider", session(1, 3), false, "ada r/gpt-x", `There is no model "r/gpt-x"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, _ := conduct(c.session)
			if c.running {
				play(t, k)
			}
			v, err := k.Parse(control.ChangeModel, c.line)
			if err == nil {
				err = k.Check(control.ChangeModel, v)
			}
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Fatalf("refused with %v, want %q", err, c.want)
			}
			var reason *control.Reason
			if errors.As(err, &reason); reason == nil && c.instead != "" || reason != nil && reason.Instead != c.instead {
				t.Errorf("instead: %+v, want %s", reason, c.instead)
			}
		})
	}
}

// How a verdict turned out is said with its author, and what cannot be is refused with what can.
func TestSayOutcome(t *testing.T) {
	s := concluded(session(2, 2)).WithRequest(ledger.Request{ID: "C1", State: ledger.AfterVerdict, Priority: ledger.Required})
	s.Question = debate.QuestionYesNo
	d := &fakeBackend{session: s}
	c := control.New(s, control.Options{
		Player: d, Writer: d, Now: func() time.Time { return noon }, Author: ledger.Author{Kind: ledger.Assistant, Door: "claude-code"},
	})
	err := c.Check(control.SayOutcome, control.Values{Text: "wrong perhaps"})
	if err == nil || !strings.Contains(err.Error(), "answered with yes or no.") || !control.Rejected(err) {
		t.Error(err)
	}
	told, err := c.Act(t.Context(), control.SayOutcome, control.Values{Text: "wrong no: two writers"})
	if err != nil || told.Text != "Outcome: wrong; right was no (two writers); from “claude-code”, not you." {
		t.Fatal(told, err)
	}
	want := debate.Settlement{
		Result: debate.ResultWrong, Side: debate.SideNo, Note: "two writers", Rounds: 2, At: noon,
		Author: ledger.Author{Kind: ledger.Assistant, Door: "claude-code"},
	}
	stored := []debate.Settlement{want}
	if got, _ := c.Session().Settled(); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(d.session.Settlements, stored) {
		t.Errorf("settled as %+v, stored %+v", got, d.session.Settlements)
	}
	if open := c.Session().OpenRequests(); len(open) > 0 || c.Session().Requests[0].State != ledger.Unanswered {
		t.Errorf("still open: %+v", open)
	}
	d.refuses = errors.New("the disk is full")
	if _, err := c.Act(t.Context(), control.SayOutcome, control.Values{Text: "right"}); !errors.Is(err, d.refuses) {
		t.Error(err)
	}
	if got, _ := c.Session().Settled(); got.Result != debate.ResultWrong {
		t.Error("what could not be saved counts")
	}
	for why, change := range map[string]func(*debate.Session){
		"The debate has no verdict":                     func(s *debate.Session) { s.Verdict = nil },
		"This debate is measured by the evaluation few": func(s *debate.Session) { s.Eval = &debate.EvalItem{Name: "few"} },
	} {
		other := concluded(session(2, 2))
		change(&other)
		if err := control.New(other, control.Options{}).WhyNot(control.SayOutcome); err == nil || !strings.HasPrefix(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
}

// So is one that the chair's provider asked for.
func TestState_tellsWhatTheProviderOfTheChairAskedToWait(t *testing.T) {
	s := session(2, 2)
	s.Chair = &agents.Profile{ID: "zed", Name: "Zed"}
	turn := agents.Turn{Session: s.ID, Round: 2, Step: debate.VerdictStep, Agent: "zed", Attempt: 1}
	c, _ := conduct(s.WithDue(debate.DueTurn{Turn: turn, At: noon.Add(2 * time.Minute)}))
	c.Pause()
	want := []string{"Paused after round 2, the last one: a provider asked to wait until 12:02."}
	if st := c.Words().State(noon.Add(time.Minute)); !slices.Equal(st.Lines, want) || st.Next != "wait for Zed" {
		t.Errorf("while it waits: %q, next %q", st.Lines, st.Next)
	}
	want = []string{"Paused after round 2, the last one."}
	if st := c.Words().State(noon.Add(2 * time.Minute)); !slices.Equal(st.Lines, want) || st.Next != "write the verdict" {
		t.Errorf("then: %q, next %q", st.Lines, st.Next)
	}
}

// A seat that was cut off is asked again, unless the debate was ended then.
func TestSeat_isDueUnlessTheDebateWasEnded(t *testing.T) {
	s := session(1, 2)
	r := &s.History[0]
	r.Ended, r.Responses[1].State, r.Responses[1].Statement = time.Time{}, debate.TurnInterrupted, debate.Statement{}
	ended := s
	ended.Stopped = debate.StoppedByUser
	for _, one := range []struct {
		s    debate.Session
		seat agents.ID
		want bool
	}{{s, "ada", false}, {s, "brook", true}, {ended, "brook", false}} {
		c, _ := conduct(one.s)
		if got := c.Seat(one.seat).Due(); got != one.want {
			t.Errorf("%s of a debate stopped by %q: %v", one.seat, one.s.Stopped, got)
		}
	}
}

func TestTold_saysToWhomALineIs(t *testing.T) {
	s := session(1, 2)
	s.Interjections = []debate.Interjection{{N: 1, Text: "Be brief."}, {N: 2, Agent: "ada", Text: "Why?"}, {N: 3, Agent: "brook", Text: "How?"}}
	for n, seats := range map[int][]agents.ID{1: {"ada", "brook"}, 2: {"ada"}, 3: {"brook"}} {
		s.History[0].Manifest.Interjections = append(s.History[0].Manifest.Interjections, debate.InterjectionRef{N: n, Seats: seats})
	}
	slices.SortFunc(s.History[0].Manifest.Interjections, func(a, b debate.InterjectionRef) int { return a.N - b.N })
	c, _ := conduct(s)
	if got := fmt.Sprint(c.Seat("ada").Told(1)); got != "[{To all Be brief.} {To Ada Why?}]" {
		t.Errorf("Ada was told %s", got)
	}
}

// The demo says what each round of its mode is for.
func TestCoaching_saysWhatARoundIsFor(t *testing.T) {
	for _, c := range []struct {
		mode debate.Mode
		want string
	}{
		{debate.Mode{Order: debate.Parallel}, "They answer blind, so that disagreement shows."},
		{debate.Mode{Order: debate.Sequential}, "They take turns, and each reads what was said before."},
		{debate.Mode{Order: debate.Parallel, Asks: debate.AsksFindings}, "Each looks for defects alone: what one sees, another may miss."},
	} {
		s := session(0, 2)
		s.Mode = c.mode
		for i := range s.Seats {
			s.Seats[i].Provider = debate.DemoProvider
		}
		conductor, _ := conduct(s)
		act(t, conductor, control.Continue, "")
		s.History = []debate.Round{{Number: 1, Began: noon}}
		conductor.Apply(debate.RoundStarted{Session: s, Round: 1, At: noon})
		if got := conductor.Words().Coaching(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Reasoning is shown before the text of its passage, even if it arrives later.
func TestSeat_showsReasoningBeforeItsText(t *testing.T) {
	c, _ := conduct(session(1, 2))
	ada, turn := c.Seat("ada"), agents.Turn{Session: "s", Round: 2, Attempt: 1, Agent: "ada"}
	play(t, c)
	c.Apply(debate.TurnStarted{Turn: turn, At: noon})
	for _, piece := range []debate.Text{
		{Text: "First. "}, {Text: "Second. ", Passage: 1}, {Text: "Thought. ", Passage: 1, Reasoning: true},
	} {
		piece.Turn = turn
		c.Apply(piece)
	}
	var shown []string
	for _, b := range ada.Blocks() {
		shown = append(shown, b.Words.String()+b.Words.Tail())
	}
	if got := strings.Join(shown, ""); got != "Yes.First.Thought. Second." {
		t.Errorf("%q", got)
	}
}

// A call has its result as it is stored, also where its turn was shown already.
func TestSeat_hasTheStoredResultOfACall(t *testing.T) {
	read := func(result string) debate.Session {
		s := session(1, 2)
		s.History[0].Responses[0].Passages = []debate.Passage{{Tools: []debate.ToolRecord{{
			ID: "t1", Name: "search", State: debate.ToolDone, Result: agents.ToolResult{Text: result},
		}}}}
		return s
	}
	c, _ := conduct(read("As it came."))
	ada := c.Seat("ada")
	c.SetSession(read("As it is stored."))
	i := slices.IndexFunc(ada.Blocks(), func(b *control.Block) bool { return b.Kind == control.BlockTool })
	if got := ada.Blocks()[i].Tool.Result.Text; got != "As it is stored." {
		t.Errorf("%q", got)
	}
}

func TestProgress_countsTextThatMovesToReasoningOnce(t *testing.T) {
	s := session(1, 2)
	c, _ := conduct(s)
	seat := c.Seat("ada")
	turn := agents.Turn{Round: 1, Attempt: 1, Agent: "ada"}
	thought := strings.Repeat("They want a vote. ", 20)
	for _, ev := range []debate.Event{
		debate.RoundStarted{Session: s, Round: 1}, debate.TurnStarted{Turn: turn}, debate.Text{Turn: turn, Text: thought},
	} {
		c.Apply(ev)
	}
	before, _ := seat.Progress(time.Now())
	c.Apply(debate.Text{Turn: turn, Text: thought, Reasoning: true, Moves: true})
	if after, _ := seat.Progress(time.Now()); before == 0 || after != before {
		t.Errorf("%d tokens were counted, and %d after they moved", before, after)
	}
}

// What a statement cites and is not there has one note, each id once; what is there has none.
func TestSeat_notesWhatACitationDoesNotName(t *testing.T) {
	s := asked(session(1, 2), "C1")
	s.History[0].Responses[0].Statement = debate.Statement{Body: "As [C1], [C9] and [C10] say.", ContextUsed: []string{"C9"}}
	s.History[0].Responses[1].Statement = debate.Statement{Body: "As [C1] says."}
	c, _ := conduct(s)
	for id, want := range map[agents.ID]string{"ada": "[C9, C10] names nothing", "brook": ""} {
		if got := c.Seat(id).Latest().Notes; got != want {
			t.Errorf("the notes of %s are %q, want %q", id, got, want)
		}
	}
}

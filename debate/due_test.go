package debate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
)

// history is a debate that is played by what is due, without models or a store: turns
// end at random, processes are killed, and a user cancels, asks again and ends.
type history struct {
	t         *testing.T
	rand      *rand.Rand
	s         debate.Session
	now       time.Time
	cancelled map[string]bool // turns, without attempts, that the user cancelled and did not ask again
	log       []string
}

// newHistory returns a debate before its first round.
func newHistory(t *testing.T, seed uint64) *history {
	h := &history{
		t: t, rand: rand.New(rand.NewPCG(seed, 0)), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		cancelled: map[string]bool{},
	}
	order := []debate.Order{debate.Parallel, debate.Sequential}[h.rand.IntN(2)]
	mode := debate.Mode{Order: order, First: "Say.", Later: "Say.", Last: "Say."}
	if h.rand.IntN(2) == 0 {
		mode.Phases = []debate.Phase{{Name: "vote", First: "Say.", Later: "Say.", Last: "Say."}}
	}
	h.s = debate.Session{ID: "s", Mode: mode, Rounds: 1 + h.rand.IntN(3)}
	for _, id := range []agents.ID{"a", "b", "c"}[:1+h.rand.IntN(3)] {
		h.s.Seats = append(h.s.Seats, agents.Profile{ID: id, Name: string(id)})
	}
	return h
}

func turnKey(t agents.Turn) string { return fmt.Sprintf("r%d.s%d.%s", t.Round, t.Step, t.Agent) }

// fail reports a defect with what led to it.
func (h *history) fail(format string, args ...any) {
	h.t.Fatalf("%s\nafter %s", fmt.Sprintf(format, args...), strings.Join(h.log, ", "))
}

// due returns what is due, which is never a turn that is settled.
func (h *history) due() debate.Due {
	d := h.s.Due(h.now)
	for _, w := range d.Waiting {
		if !w.At.After(h.now) {
			h.fail("%v waits, but it is due", w)
		}
		d.Turns = append(d.Turns, w.Turn)
	}
	for _, t := range d.Turns {
		if h.cancelled[turnKey(t)] {
			h.fail("%v is due, which the user cancelled", t)
		}
		for _, x := range h.s.Current().AttemptsOf(t.Agent) {
			if x.Turn.Step == t.Step && (x.HasStatement() || x.Turn.Attempt >= t.Attempt) {
				h.fail("%v is due after %v, %s", t, x.Turn, x.State)
			}
		}
	}
	return h.s.Due(h.now)
}

// end records how a turn ended. An odd one says nothing, or is due again by itself.
func (h *history) end(t agents.Turn, state debate.TurnState, how int) {
	x := debate.Response{Turn: t, State: state, Began: h.now, Ended: h.now}
	if state == debate.TurnDone {
		x.Statement = []debate.Statement{{Body: "So."}, {Vote: "yes"}, {Vote: "Zig"}, {}}[how%4]
	}
	if state == debate.TurnInterrupted && how%2 == 0 {
		x.WaitUntil = h.now.Add(time.Second)
	}
	h.s = h.s.WithResponse(x)
	if state == debate.TurnFailed && how%3 == 0 {
		t.Attempt++
		h.s = h.s.WithDue(debate.DueTurn{Turn: t, At: h.now.Add(time.Second)})
	}
}

// running lists the turns under way.
func (h *history) running() []agents.Turn {
	var out []agents.Turn
	if c := h.s.Current(); c != nil {
		for _, x := range c.Responses {
			if x.State == debate.TurnRunning {
				out = append(out, x.Turn)
			}
		}
	}
	return out
}

func (h *history) endRunning(state debate.TurnState) {
	for _, t := range h.running() {
		h.end(t, state, 1)
	}
}

// askAgain makes turns due as the user asks.
func (h *history) askAgain(turns ...debate.DueTurn) {
	h.s = h.s.WithDue(turns...)
	for _, d := range turns {
		delete(h.cancelled, turnKey(d.Turn))
	}
}

// next does what is due. Outcome says how a turn ends.
func (h *history) next(outcome func() (debate.TurnState, int)) debate.Action {
	d := h.due()
	h.log = append(h.log, string(d.Action))
	switch d.Action {
	case debate.BeginRound:
		h.s.Requests = nil // answered, or there is no round
		r := debate.Round{Number: h.s.Next(), Began: h.now, Manifest: debate.Manifest{Round: h.s.Next(), Rounds: h.s.Rounds}}
		for _, p := range h.s.Seats {
			r.Manifest.Seats = append(r.Manifest.Seats, p.ID)
		}
		h.s.History = append(slices.Clip(h.s.History), r)
	case debate.RunTurns:
		for _, t := range append(d.Turns, h.running()...) {
			state, how := outcome()
			h.end(t, state, how)
		}
		h.now = h.now.Add(2 * time.Second)
	case debate.EndRound:
		h.endRound()
	case debate.WriteVerdict:
		h.s.Verdict = &debate.Verdict{}
	case debate.AwaitDecision:
		again := h.s.AskFailed()
		if len(again) == 0 {
			h.fail("too few answered, and nobody can be asked again")
		}
		if open := h.s.OpenRound(); open.CanGoOn() && h.rand.IntN(2) == 0 {
			h.log = append(h.log, "go on")
			h.endRound()
			break
		}
		h.askAgain(again...)
	case debate.Nothing:
	}
	return d.Action
}

// endRound ends the newest round.
func (h *history) endRound() {
	h.s.History = slices.Clone(h.s.History)
	h.s.History[len(h.s.History)-1].Ended = h.now
	if h.s.Stopped.Forced() {
		return
	}
	h.s.Stopped = debate.NotStopped
	if h.rand.IntN(4) == 0 {
		h.s.Stopped = debate.EndedByConsensus
	}
}

// meddle is something that a user, a crash or a member does at any time.
func (h *history) meddle() {
	seat := h.s.Seats[h.rand.IntN(len(h.s.Seats))].ID
	switch what := h.rand.IntN(6); what {
	case 0:
		h.log = append(h.log, "kill")
		for _, t := range h.running() {
			h.end(t, debate.TurnInterrupted, h.rand.IntN(4))
		}
	case 1:
		if t, ok := h.s.OpenTurn(seat, agents.Turn{}); ok {
			h.log = append(h.log, "cancel "+turnKey(t))
			h.end(t, debate.TurnCancelled, 1)
			h.cancelled[turnKey(t)] = true
		}
	case 2:
		if t, err := h.s.AskAgain(seat); err == nil {
			h.log = append(h.log, "ask "+turnKey(t))
			h.askAgain(debate.DueTurn{Turn: t, At: h.now})
		}
	case 3:
		if h.s.Current() != nil && h.s.Verdict == nil && h.rand.IntN(3) == 0 {
			h.log = append(h.log, "end")
			h.endRunning(debate.TurnCancelled)
			h.s = h.s.WithoutDue()
			h.s.Stopped = debate.StoppedByUser
		}
	case 4:
		if h.s.Verdict != nil { // a round more
			h.log = append(h.log, "add a round")
			h.s.Verdict, h.s.Stopped, h.s.Rounds = nil, debate.NotStopped, len(h.s.History)+1
		}
	case 5:
		h.s.Requests = []ledger.Request{{ID: "C1", State: ledger.Pending, Priority: ledger.Required}}
	}
}

// From whatever was stored, there is a next step, and doing what is due ends the debate.
func TestDue_leadsFromEveryHistoryToTheVerdict(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		h := newHistory(t, seed)
		h.log = append(h.log, fmt.Sprintf("seed %d", seed))
		states := []debate.TurnState{
			debate.TurnDone, debate.TurnDone, debate.TurnFailed, debate.TurnRunning, debate.TurnInterrupted,
		}
		for range 25 {
			if h.rand.IntN(3) == 0 {
				h.meddle()
				continue
			}
			h.next(func() (debate.TurnState, int) { return states[h.rand.IntN(len(states))], h.rand.IntN(12) })
		}
		h.endRunning(debate.TurnInterrupted) // the process ends; from here all goes well
		h.log = append(h.log, "resume")
		for steps := 0; h.next(func() (debate.TurnState, int) { return debate.TurnDone, 0 }) != debate.Nothing; steps++ {
			if steps > 60 {
				h.fail("the debate does not end")
			}
		}
	}
}

func TestDue_saysWhatTheDebateWaitsFor(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	began := func(states ...debate.TurnState) debate.Session {
		s := debate.Session{ID: "s", Mode: debate.Mode{Order: debate.Parallel, First: "Say.", Last: "Say."}, Rounds: 2}
		r := debate.Round{Number: 1, Began: at, Manifest: debate.Manifest{Round: 1, Rounds: 2}}
		for i, state := range states {
			id := agents.ID('a' + rune(i))
			s.Seats = append(s.Seats, agents.Profile{ID: id, Name: string(id)})
			r.Manifest.Seats = append(r.Manifest.Seats, id)
			if state != "" {
				r.Responses = append(r.Responses, debate.Response{
					Turn: agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: id}, State: state, Began: at,
					Statement: debate.Statement{Vote: "yes"},
				})
			}
		}
		s.History = []debate.Round{r}
		return s
	}
	again := agents.Turn{Session: "s", Round: 1, Attempt: 2, Agent: "a"}
	ended := func(s debate.Session) debate.Session {
		s.Stopped = debate.StoppedByUser
		return s
	}
	for name, c := range map[string]struct {
		session debate.Session
		action  debate.Action
		turns   int
		waiting int
	}{
		"before the first round":      {debate.Session{Rounds: 2}, debate.BeginRound, 0, 0},
		"seats that have not begun":   {began("", debate.TurnDone), debate.RunTurns, 1, 0},
		"a seat that was cut off":     {began(debate.TurnInterrupted, debate.TurnDone), debate.RunTurns, 1, 0},
		"a cancelled seat stays so":   {began(debate.TurnCancelled, debate.TurnDone, debate.TurnDone), debate.EndRound, 0, 0},
		"a side without words counts": {began(debate.TurnFailed, debate.TurnDone, debate.TurnDone), debate.EndRound, 0, 0},
		"nobody answered":             {began(debate.TurnFailed, debate.TurnCancelled), debate.AwaitDecision, 0, 0},
		"one of two answered":         {began(debate.TurnFailed, debate.TurnDone), debate.AwaitDecision, 0, 0},
		"one of three answered":       {began(debate.TurnFailed, debate.TurnDone, debate.TurnCancelled), debate.AwaitDecision, 0, 0},
		"one answered, one may":       {began("", debate.TurnDone, debate.TurnCancelled), debate.RunTurns, 1, 0},
		"the only seat answered":      {began(debate.TurnDone), debate.EndRound, 0, 0},
		"the debate was ended":        {ended(began(debate.TurnFailed, debate.TurnDone)), debate.EndRound, 0, 0},
		"a second try that waits": {
			began(debate.TurnFailed, debate.TurnDone).WithDue(debate.DueTurn{Turn: again, At: at.Add(time.Second)}),
			debate.RunTurns, 0, 1,
		},
		"a second try whose time has come": {
			began(debate.TurnFailed, debate.TurnDone).WithDue(debate.DueTurn{Turn: again, At: at}), debate.RunTurns, 1, 0,
		},
	} {
		d := c.session.Due(at)
		if d.Action != c.action || len(d.Turns) != c.turns || len(d.Waiting) != c.waiting {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// A wait is that of the model which was asked to wait.
func TestDue_doesNotWaitForAModelThatHasLeftItsSeat(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	turn := agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "a"}
	was, other := agents.Profile{ID: "a", Model: "m1"}, agents.Profile{ID: "a", Model: "m2"}
	s := debate.Session{ID: "s", Mode: debate.Mode{Order: debate.Parallel}, Rounds: 1, Seats: []agents.Profile{was}}
	s.History = []debate.Round{{Number: 1, Began: now, Manifest: debate.Manifest{Round: 1, Rounds: 1, Seats: []agents.ID{"a"}}}}
	s = s.WithResponse(debate.Response{Turn: turn, State: debate.TurnInterrupted, Ended: now, WaitUntil: now.Add(time.Hour)})
	turn.Attempt++
	for name, s := range map[string]debate.Session{"cut off": s, "to be asked again": s.WithDue(debate.DueTurn{Turn: turn, At: now.Add(time.Hour)})} {
		if d := s.Due(now.Add(time.Minute)); len(d.Waiting) != 1 || len(d.Turns) != 0 {
			t.Errorf("%s: %+v", name, d)
		}
		s = s.WithSeatChange(debate.SeatChange{Round: 1, Agent: "a", Was: was, Now: other, At: now.Add(time.Second)})
		if d := s.Due(now.Add(time.Minute)); len(d.Waiting) != 0 || len(d.Turns) != 1 || d.Turns[0] != turn {
			t.Errorf("%s, with another model: %+v", name, d)
		}
	}
}

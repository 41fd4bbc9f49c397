package tui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"roundtable/debate"
)

func spentUp() debate.Session {
	s := held(3, 2, 4)
	s.Stopped, s.Budget.WarnAt = debate.StoppedByBudget, 0.8
	s.Verdict = &debate.Verdict{Chair: "ada", ChairName: "Ada", Round: 2, Text: "## Conclusion\nSo far."}
	s.AuxiliarySpending = []debate.Spending{{Purpose: debate.ForChair, Calls: 1, Cost: num(0.466)}}
	return s
}

// needs is a budget that pays for nothing below so many USD.
func needs(usd float64) func(debate.Session) error {
	return func(s debate.Session) error {
		if s.Budget.USD >= usd {
			return nil
		}
		return &debate.BudgetError{Budget: s.Budget, Spent: debate.Budget{USD: 0.49}}
	}
}

// A round more is not started, and the verdict not thrown away, where the budget
// pays for none of it: + raises it.
func TestBudget_plusAsksForMore(t *testing.T) {
	bubble(t, spentUp, func(r *harness, script *scripted) {
		script.poor = needs(0.7)
		r.sees("incomplete (stopped by the budget, after round 2 of 4)", "+: another round")
		r.press("+")
		r.sees("budget in dollars, tokens ($0.49 of $0.50 spent) > $1.00", "enter save")
		r.press("esc", "+", "ctrl+u", "0.6", "enter")
		r.sees("Enter a larger budget.", "spent) > 0.6")
		r.didNot("add 1")
		r.ran(0)
		r.press("ctrl+u", "much", "enter")
		r.sees("Not an amount in dollars; write 0.50 or $0.50.", "spent) > much")
		r.press("ctrl+u", "$0.80", "enter")
		r.sees("Budget set to $0.80. Press + to add a round.", "of $0.80")
		r.press("+")
		r.sees("Add round 3?")
		r.wait(time.Second)
		r.press("+")
		if got := strings.Join(script.calls, ", "); !strings.HasSuffix(got, "budget $0.80, add 1, start 3") {
			t.Errorf("%s", got)
		}
	})
}

// A start that the budget does not allow is no trouble of the disk.
func TestBudget_tooSmallToStartAsksForMore(t *testing.T) {
	bubble(t, func() debate.Session { return session(3, 2) }, func(r *harness, script *scripted) {
		r.press("space")
		r.over(session(3, 2), &debate.BudgetError{Budget: debate.Budget{USD: 0.5}, Needed: debate.Budget{USD: 0.8}})
		r.sees("does not allow a single call; one could use up to $0.80.", "budget in dollars, tokens (", " > $1.00")
		r.misses("Cannot save")
		r.press("enter")
		r.sees("space: start round 1")
	})
	bubble(t, func() debate.Session { return session(3, 2) }, func(r *harness, script *scripted) {
		r.press("space")
		r.over(session(3, 2), &debate.BudgetError{Budget: debate.Budget{USD: 0.5}, Needed: debate.Budget{USD: 2.301}})
		r.sees(" > $2.31")
	})
	bubble(t, func() debate.Session { return session(3, 2) }, func(r *harness, script *scripted) {
		r.press("space")
		r.over(session(3, 2), &debate.UnpricedError{Speakers: panel(1)})
		r.sees("A budget in USD needs prices, and these seats have none: Ada (gpt-5-mini, openai).")
		r.misses("Cannot save")
	})
}

// A round that is added while one runs takes nothing from what is being written.
func TestAddRound_whileARoundRunsKeepsItsText(t *testing.T) {
	bubble(t, round1Done, func(r *harness, script *scripted) {
		r.press("space")
		run := script.current()
		s := run.speaking(held(3, 1, 4))
		s.History = slices.Clone(s.History) // what the interface has is its own
		s.History[1].Responses = []debate.Response{{Turn: turn("ada", 2), State: debate.TurnRunning, Began: time.Now()}}
		script.sessions[billing] = s
		r.wait(time.Second)
		r.sees("I hold that WAL is enough")
		r.press("+")
		r.sees("Round added: now 5 are planned.", "I hold that WAL is enough", " writing ╮")
		run.say("ada", " And so it is.")
		r.wait(time.Second)
		r.sees("And so it is.")
	})
}

// A speaker whose price is unknown makes the sum unknown from the start: $0.00
// before its first call would be taken for an amount.
func TestBudget_unknownPriceIsSaidFromTheStart(t *testing.T) {
	unpriced := func() debate.Session {
		s := session(3, 2)
		s.Budget, s.Seats[1].PriceIn, s.Seats[1].PriceOut = debate.Budget{}, nil, nil
		return s
	}
	bubble(t, unpriced, func(r *harness, script *scripted) {
		r.sees("price ?")
		r.misses("$0.00")
		r.press("space")
		s := unpriced()
		s.History = []debate.Round{{Number: 1, Began: time.Now(), Manifest: started(s, 1)}}
		run := script.current()
		run.events <- debate.RoundStarted{Session: s, Round: 1, At: time.Now()}
		x := stated("ada", 1, "yes", 0.5, "So.") // she is paid for, and Brook is still to come
		run.events <- debate.TurnStarted{Turn: x.Turn, Profile: s.Seats[0], At: time.Now()}
		r.hears(debate.TurnEnded{Response: x, At: time.Now()})
		r.sees("3.6k tok", "   price ?")
	})
	bubble(t, func() debate.Session { return session(3, 2) }, func(r *harness, _ *scripted) {
		r.sees("$0.00 of $0.50")
		r.misses("price ?")
	})
	bubble(t, func() debate.Session {
		s := session(3, 2)
		s.Budget.Tokens, s.Budget.USD = 50_000, 0.524
		return s
	}, func(r *harness, _ *scripted) {
		r.sees("0 tok of 50.0k tok   $0.00 of $0.524")
	})
}

// Where the budget allowed all but the report, + raises it for the report alone.
func TestBudget_hasTheReportWritten(t *testing.T) {
	owing := func() debate.Session {
		s := held(3, 2, 2)
		s.Verdict = &debate.Verdict{
			Round: 2, OverBudget: true,
			Cause: "Ada could not be asked: The budget of $0.50 does not allow this call",
		}
		return s
	}
	bubble(t, owing, func(r *harness, script *scripted) {
		r.sees("+: raise the budget", "No report: Ada could not be asked", "budget has it written.")
		r.press("+")
		r.sees("enter save, write the report")
		r.press("enter")
		r.did("conclude")
		r.didNot("add 1")
	})
}

package verdictview_test

import (
	"cmp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/debatetest"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
	"roundtable/tui/verdictview"
)

// The verdict is drawn in the room that it has in a terminal of 80x24, and one of them in one of 120x36.
func TestView_drawsEachKindOfVerdict(t *testing.T) {
	draws := func(t *testing.T, s debate.Session, w, h int) {
		view := newScreen(s, w, h).View(screen.Frame{})
		viewtest.RequireSize(t, view, w, h)
		viewtest.RequireClosedBoxes(t, view)
		golden.RequireEqual(t, ansi.Strip(view)+"\n")
	}
	all := cases(t)
	for _, name := range []string{"split", "stopped", "moved", "estimate", "ranking", "review", "no report", "no newer report"} {
		t.Run(name, func(t *testing.T) { draws(t, all[name], 80, 21) })
	}
	t.Run("wide", func(t *testing.T) { draws(t, all["moved"], 120, 33) })
}

// cases are the kinds of verdicts.
func cases(t *testing.T) map[string]debate.Session {
	yesNo, estimate, choice := debate.QuestionYesNo, debate.QuestionEstimate, debate.QuestionChoice
	split := played(choice, "Postgres 70, SQLite with one writer 64, Kafka 55, undecided 40", "Postgres 75, SQLite with one writer 60, Kafka 55, Postgres 45")
	split.Mode.Options = []string{"Postgres", "SQLite with one writer", "Kafka"}
	stopped := played(yesNo, "no 58, no 52, yes 60", "yes 71, -, -")
	stopped.Rounds, stopped.Stopped = 3, debate.StoppedByBudget
	for i := range stopped.History[1].Responses[1:] {
		stopped.History[1].Responses[i+1].Failure = &debate.TurnFailure{Kind: agents.KindBudget, Cause: "The budget is used up."}
	}
	moved := played(yesNo, "no 58, no 52, yes 64", "yes 71 C1, no 50, yes 66")
	moved.Requests = []ledger.Request{{
		ID: "C1", Query: "What is the peak write rate?", Round: 1, Priority: ledger.Required, State: ledger.Released,
		Asks:      []ledger.Ask{{Turn: agents.Turn{Session: "s", Round: 1, Attempt: 1, Agent: "cy"}}},
		Delivered: []ledger.Delivery{{Revision: 1, Round: 2}},
		Answers: []ledger.Answer{{
			Revision: 1, Outcome: ledger.Answered, Content: "42 writes/s at month end", Source: "dashboard",
			Author: ledger.Author{Kind: ledger.Person},
		}},
	}}
	moved.Verdict.Pick = &debate.Pick{Agent: "ada", Reason: "It says what would break."}
	weeks := played(estimate, "4 60, 9 70, 6 50, undecided", "6 65 ?, 9 72, 6 55, undecided")
	weeks.Unit = "weeks"
	demo := played(yesNo, "yes 60, no 55, yes 70")
	for i := range demo.Seats {
		demo.Seats[i].Provider = debate.DemoProvider
	}
	chairless := played(yesNo, "yes 60, no 55, yes 70")
	chairless.Verdict = &debate.Verdict{Round: 1, Cause: "Zoe does not answer: connection refused"}
	owed := played(yesNo, "yes 60, no 55, yes 70", "yes 64, no 51, yes 72")
	owed.Verdict, owed.Written = &debate.Verdict{Round: 2, Cause: chairless.Verdict.Cause}, owed.Verdict
	owed.Written.Round = 1
	return map[string]debate.Session{
		"no newer report": owed, "clear": played(yesNo, "yes 60, no 55, yes 70", "yes 64, no 51, yes 72"), "split": split,
		"incomplete": played(yesNo, "yes 60, no 55, -", "yes 64, no 51, -"), "stopped": stopped, "moved": moved,
		"estimate": weeks, "ranking": ranked(t), "review": debatetest.Reviewed(), "demo": demo, "no report": chairless,
	}
}

const chairText = `The majority would move the billing to SQLite, behind one writer.

**Against:** a second process that writes would queue behind the first, and nobody has measured how long.

**Why:** all eight transactions start in one file, and a backup becomes a copy of it.

**Where they differ:** whether the report job reads the live file.

**Nobody covered** what a restore takes.
`

// played returns a debate with a verdict. A round is the votes of the seats: a label, what
// it is sure of in percent, and what changed it; "-" for a turn that failed.
func played(kind debate.QuestionKind, rounds ...string) debate.Session {
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	s := debate.Session{
		ID: "s", Topic: "Should billing move to SQLite?", Question: kind, Rounds: len(rounds),
		Mode:    debate.Mode{Name: "panel", MinSeats: 2, MaxSeats: 8, Order: debate.Parallel, First: "Say.", Later: "Say.", Last: "Say."},
		Verdict: &debate.Verdict{Chair: "zoe", ChairName: "Zoe", ChairModel: "m-zoe", Text: chairText, Round: len(rounds)},
	}
	for i, votes := range rounds {
		r := debate.Round{Number: i + 1, Began: at, Ended: at, Manifest: debate.Manifest{Round: i + 1, Rounds: len(rounds)}}
		for seat, vote := range strings.Split(votes, ", ") {
			if i == 0 {
				name := []string{"Ada", "Brook", "Cy", "Dee"}[seat]
				id := agents.ID(strings.ToLower(name))
				s.Seats = append(s.Seats, agents.Profile{ID: id, Name: name, Provider: "p", Model: "m-" + name})
			}
			r.Manifest.Seats = append(r.Manifest.Seats, s.Seats[seat].ID)
			cost := 0.004
			x := debate.Response{
				Turn:  agents.Turn{Session: "s", Round: i + 1, Attempt: 1, Agent: s.Seats[seat].ID},
				State: debate.TurnDone, Finish: agents.FinishStop, Calls: 1, Cost: &cost, Usage: agents.Usage{Input: 3000, Output: 400},
				Began: at, Ended: at, Statement: stated(vote),
			}
			if vote == "-" {
				x.State, x.Failure = debate.TurnFailed, &debate.TurnFailure{Kind: agents.KindBusy, Cause: "The server is busy."}
			}
			r.Responses = append(r.Responses, x)
		}
		s.History = append(s.History, r)
	}
	return s
}

// stated returns the statement with a vote, see played.
func stated(vote string) debate.Statement {
	var st debate.Statement
	words := strings.Fields(vote)
	for i, word := range words {
		if sure, err := strconv.ParseFloat(word, 64); err == nil && i > 0 {
			sure /= 100
			by := strings.Join(words[i+1:], " ")
			st.Confidence, st.ChangedBy, words = &sure, &by, words[:i]
			break
		}
	}
	st.Vote = strings.Join(words, " ")
	st.Position = "I say " + cmp.Or(st.Vote, "nothing") + "."
	st.Body = st.Position
	return st
}

// ranked returns a debate in which the seats rank each other's answers.
func ranked(t *testing.T) debate.Session {
	f := debatetest.New(t, "council", 1, "Ada", "Brook", "Cy")
	f.BeginRound("")
	for _, step := range f.Mode.Steps(f.Current().Manifest.Seats, 1, 1) {
		for i, id := range step.Seats {
			f.SayInStep(step, id)
			if step.Phase != "" {
				others := [][]string{{"Cy", "Brook"}, {"Cy", "Ada"}, {"Ada", "Brook"}}[i]
				f.Current().Responses[len(f.Current().Responses)-1].Statement.Ranking = others
			}
		}
	}
	f.EndRound()
	f.Verdict = &debate.Verdict{Chair: "ada", ChairName: "Ada", ChairModel: "m-Ada", ChairIsMember: true, Round: 1, Text: chairText}
	return f.Session
}

func newScreen(s debate.Session, w, h int) *verdictview.Screen {
	v := verdictview.New(theme.New(theme.Options{Dark: true, Profile: colorprofile.ASCII}), nil)
	v.SetSize(w, h)
	v.SetSession(s)
	return v
}

func drawn(v *verdictview.Screen) string { return ansi.Strip(v.View(screen.Frame{})) }

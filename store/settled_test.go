package store_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/debatetest"
	"roundtable/debate/track"
	"roundtable/debate/verdict"
	"roundtable/store"
)

// turnedOut returns a debate of three seats that voted in two rounds, with an outcome.
func turnedOut(t testing.TB, n int, question debate.QuestionKind, outcome string, votes ...string) debate.Session {
	t.Helper()
	f := debatetest.New(t, "collaborative", len(votes), "Ada", "Brook", "Cy")
	f.ID = fmt.Sprintf("k7m2x%05d", n)
	f.Topic, f.Question = fmt.Sprintf("Question %d?", n), question
	for _, round := range votes {
		f.BeginRound("")
		for i, vote := range strings.Fields(round) {
			x := f.Response(f.Seats[i].ID)
			x.Began = debatetest.Began.Add(time.Duration(n) * time.Minute)
			c := 0.7
			x.Statement.Body, x.Statement.Confidence = strings.Repeat("A long statement. ", 200), &c
			switch {
			case vote == "-":
				x.State, x.Statement = debate.TurnFailed, debate.Statement{}
				x.Failure = &debate.TurnFailure{Kind: agents.KindBusy, Cause: "busy"}
			case question == debate.QuestionEstimate:
				x.Statement.Estimate = &debate.Estimate{Value: float64(len(vote)), Unit: "weeks"}
			case question == debate.QuestionYesNo:
				x.Statement.Stance = debate.Stance(vote)
			default:
				x.Statement.Choice = vote
			}
			f.Current().Responses = append(f.Current().Responses, x)
		}
		f.EndRound()
	}
	v := verdict.Compute(f.Session)
	v.Text = strings.Repeat("A long report. ", 500)
	f.Verdict = &v
	if outcome != "" {
		settled, err := verdict.ReadOutcome(f.Session, outcome, f.Author, debatetest.Began)
		check(t, err)
		f.Session = f.WithSettlement(settled)
	}
	return f.Session
}

// What is read for a track says the same as whole sessions do, and has none of their texts.
func TestSettled_readsAllThatATrackCounts(t *testing.T) {
	s := openNew(t)
	whole := []debate.Session{
		turnedOut(t, 1, debate.QuestionYesNo, "wrong", "yes yes no", "yes yes yes"),
		turnedOut(t, 2, debate.QuestionYesNo, "right", "yes - no", "no no yes"),
		turnedOut(t, 3, debate.QuestionEstimate, "2 weeks", "xx xxx xxxx"),
		turnedOut(t, 4, debate.QuestionOpen, "right", "Postgres Postgres SQLite"),
		turnedOut(t, 5, debate.QuestionYesNo, "", "yes yes yes"),
		turnedOut(t, 6, debate.QuestionYesNo, "mixed", "yes yes yes"),
		turnedOut(t, 7, debate.QuestionYesNo, "open 6w", "yes yes yes"),
	}
	changed := turnedOut(t, 8, debate.QuestionYesNo, "right", "yes yes yes", "yes yes yes")
	now := changed.Seats[2]
	now.Model = "another"
	changed.SeatChanges = []debate.SeatChange{{Round: 2, Agent: now.ID, Was: changed.Seats[2], Now: now, At: debatetest.Began}}
	changed.Seats[2] = now
	evaluated := turnedOut(t, 9, debate.QuestionYesNo, "right", "yes yes yes")
	evaluated.Eval = &debate.EvalItem{Name: "few", Key: "1"}
	deleted := turnedOut(t, 10, debate.QuestionYesNo, "right", "yes yes yes")
	for _, d := range append(whole, changed, evaluated, deleted) {
		debatetest.Record(t, s, d)
	}
	must(t, s.Delete(t.Context(), deleted.ID))
	light, err := s.Settled(t.Context())
	must(t, err)
	if len(light) != 7 {
		t.Fatalf("%d sessions", len(light))
	}
	got, want := track.Fold(light), track.Fold(append(whole, changed))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant\n%+v", got, want)
	}
	if len(got.Models) != 3 {
		t.Errorf("a model that came after the first votes counts: %+v", got.Models)
	}
	for _, d := range light {
		if d.Verdict.Text != "" {
			t.Errorf("%s has its report", d.ID)
		}
		for _, r := range d.History {
			for _, x := range r.Responses {
				if len(x.Statement.Body) > 1 || len(x.Passages) > 0 {
					t.Errorf("%s has a text of %s", d.ID, x.Turn.Agent)
				}
			}
		}
	}
}

// BenchmarkSettled measures what a track of 2,000 debates takes, all of them settled, and the list
// of the same debates.
func BenchmarkSettled(b *testing.B) {
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "r.db"), store.Options{})
	check(b, err)
	defer s.Close()
	for n := range 2000 {
		debatetest.Record(b, s, turnedOut(b, n, debate.QuestionYesNo, "right", "yes yes no", "yes yes yes"))
	}
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Sessions(b.Context(), store.Query{})
			check(b, err)
		}
	})
	b.Run("track", func(b *testing.B) {
		for b.Loop() {
			all, err := s.Settled(b.Context())
			check(b, err)
			if t := track.Fold(all); t.Verdicts.Right != 2000 {
				b.Fatalf("%+v", t.Verdicts)
			}
		}
	})
}

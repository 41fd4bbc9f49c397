package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/store"
)

// BenchmarkSessions lists 10,000 sessions, each with a panel of its own.
func BenchmarkSessions(b *testing.B) {
	s := openBench(b)
	for i := range 10000 {
		d := panel()
		d.Topic = fmt.Sprintf("Question %d", i)
		d.Seats[0].Name = fmt.Sprintf("Ada %d", i)
		d.Seats[0].Persona = strings.Repeat("Careful and slow. ", 50)
		if _, err := s.Create(b.Context(), d); err != nil {
			b.Fatal(err)
		}
	}
	for _, q := range []struct {
		name string
		store.Query
	}{{"all", store.Query{}}, {"first 50", store.Query{Limit: 50}}, {"search", store.Query{Text: "question 77"}}} {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				found, err := s.Sessions(b.Context(), q.Query)
				if err != nil || len(found) == 0 {
					b.Fatal(len(found), err)
				}
			}
		})
	}
}

// BenchmarkSession opens a session of 200 MB, half of it prompts.
func BenchmarkSession(b *testing.B) {
	s := openBench(b)
	d, err := s.Create(b.Context(), panel())
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("A claim without a measurement is a guess. ", 2500)
	_, err = s.BeginRound(b.Context(), d.ID, 1)
	for i := 0; i < 1000 && err == nil; i++ {
		err = longTurn(b.Context(), s, agents.Turn{Session: d.ID, Round: 1, Attempt: i + 1, Agent: "ada"}, text)
	}
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Session(b.Context(), d.ID); err != nil {
			b.Fatal(err)
		}
	}
}

func longTurn(ctx context.Context, s *store.Store, t agents.Turn, text string) error {
	if err := s.BeginTurn(ctx, debate.TurnStart{Response: debate.Response{Turn: t}}); err != nil {
		return err
	}
	if err := s.BeginCall(ctx, t, debate.ForMember, 1, agents.Request{Messages: []agents.Message{{Text: text}}}); err != nil {
		return err
	}
	_, err := s.EndTurn(
		ctx,
		debate.TurnEnd{Final: &agents.Completion{Text: text}, Response: debate.Response{Turn: t, State: debate.TurnDone}},
	)
	return err
}

// BenchmarkJournal writes a quarter of a second of text of four seats, fsync included.
func BenchmarkJournal(b *testing.B) {
	s := openBench(b)
	d, err := s.Create(b.Context(), panel())
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.BeginRound(b.Context(), d.ID, 1); err != nil {
		b.Fatal(err)
	}
	var parts []debate.PartialText
	for _, who := range []agents.ID{"ada", "brook", "cy", "dee"} {
		t := agents.Turn{Session: d.ID, Round: 1, Attempt: 1, Agent: who}
		if err := s.BeginTurn(b.Context(), debate.TurnStart{Response: debate.Response{Turn: t}}); err != nil {
			b.Fatal(err)
		}
		parts = append(parts, debate.PartialText{Turn: t, Text: strings.Repeat("words ", 30)})
	}
	for b.Loop() {
		if err := s.Journal(b.Context(), parts); err != nil {
			b.Fatal(err)
		}
	}
}

func openBench(b *testing.B) *store.Store {
	b.Helper()
	s, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "roundtable.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

package app_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/app"
	"roundtable/internal/testing/debatetest"
	"roundtable/store"
)

// Whoever continues a debate whose turns were asked with other prompts is told so, once.
func TestOpen_saysOnceThatThePromptsHaveChanged(t *testing.T) {
	mode := debatetest.Mode(t, "collaborative")
	changed := "The debate so far was asked with %s of the prompts; the next turns are asked with version %d."
	for version, want := range map[int]string{
		prompt.Version:     "",
		prompt.Version + 1: fmt.Sprintf(changed, fmt.Sprintf("version %d", prompt.Version+1), prompt.Version),
		0:                  fmt.Sprintf(changed, "an earlier version", prompt.Version),
	} {
		st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "r.db"), store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		s, err := st.Create(t.Context(), debate.Session{Topic: "Why?", Mode: mode, Rounds: 2, Seats: demo.Panel(3)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := st.BeginRound(t.Context(), s.ID, 1); err != nil {
			t.Fatal(err)
		}
		turn := agents.Turn{Session: s.ID, Round: 1, Attempt: 1, Agent: s.Seats[0].ID}
		start := debate.TurnStart{
			Response: debate.Response{Turn: turn, PromptVersion: version, Began: time.Now()}, Purpose: debate.ForMember,
		}
		if err := st.BeginTurn(t.Context(), start); err != nil {
			t.Fatal(err)
		}
		if err := st.BeginCall(t.Context(), turn, debate.ForMember, 1, agents.Request{Model: "m"}); err != nil {
			t.Fatal(err)
		}
		service := app.NewSessionService(st, time.Now)
		for range 2 {
			opened, err := service.Open(t.Context(), s.ID)
			if err != nil {
				t.Fatal(err)
			}
			var told string
			for _, n := range opened.Notices {
				if n.Code == "config_drift" {
					told += n.Text
				}
			}
			if told != want {
				t.Errorf("version %d: told %q, want %q", version, told, want)
			}
			if err := service.Close(s.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
}

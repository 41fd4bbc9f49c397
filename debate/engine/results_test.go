package engine_test

import (
	"fmt"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/debatetest"
)

// seatedSession is a session of a built-in mode with seats that can be hidden.
func (h *harness) seatedSession(mode string, rounds, seats int) debate.Session {
	h.Helper()
	m := debatetest.Mode(h.T, mode)
	s := debate.Session{Topic: "Is it so?", Mode: m, Rounds: rounds}
	for i := range seats {
		s.Seats = append(s.Seats, agents.Profile{
			ID: agents.ID(fmt.Sprint("seat", i+1)), Name: fmt.Sprint("Seat", i+1),
			Provider: "test", Model: fmt.Sprint("m", i+1),
		})
	}
	return h.create(s)
}

// structuredPart is a statement with the given members in its structured part.
func structuredPart(members string) string {
	return "So.\n\n```json\n{\"position\": \"So.\", \"confidence\": 0.5, " + members + "}\n```"
}

func TestRole_aWrongStanceIsFlaggedAndStoredAsItIs(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"m1": replyText(structuredPart(`"vote": "no"`)),
		"m2": replyText(structuredPart(`"vote": "no"`)), "m3": replyText(structuredPart(`"vote": "yes"`)),
	})
	evs, s := h.run(h.seatedSession("devils-advocate", 1, 3))
	for i, want := range []string{"as advocate it argues yes, and states no", "", ""} {
		x := s.History[0].Responses[i]
		if x.Statement.RoleBreach != want {
			t.Errorf("%s: %q, want %q", x.ID(), x.Statement.RoleBreach, want)
		}
	}
	if got := s.History[0].Responses[0].Statement.Vote; got != "no" {
		t.Errorf("the stance was made %s", got)
	}
	notices := noticesByCode(evs)["role"]
	if len(notices) != 1 || notices[0].Agent != "seat1" ||
		notices[0].Text != "Seat1 breaks its role in round 1: as advocate it argues yes, and states no. The statement is kept as it is." {
		t.Errorf("notices %+v", notices)
	}
	if again := h.read(s); again.History[0].Responses[0].Statement.RoleBreach == "" {
		t.Error("it is not stored")
	}
	h = newHarness(t, map[string]replyFunc{"m1": replyText(structuredPart(`"vote": "yes"`)), "m2": replyText(structuredPart(`"vote": "yes"`))})
	_, s = h.run(h.seatedSession("socratic", 1, 2))
	if got := s.History[0].Responses[0].Statement.RoleBreach; got != "as questioner it takes no side, and states yes" {
		t.Errorf("the questioner: %q", got)
	}
}

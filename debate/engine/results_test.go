package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
	s, err := h.store.Create(h.Context(), s)
	if err != nil {
		h.Fatal(err)
	}
	return s
}

// structuredPart is a statement with the given members in its structured part.
func structuredPart(members string) string {
	return "So.\n\n```json\n{\"position\": \"So.\", \"confidence\": 0.5, " + members + "}\n```"
}

// replyByPhase answers by what the prompt says of the phase; "" is the statement.
func replyByPhase(texts map[string]string) replyFunc {
	return func(n int, req agents.Request) ([]agents.Chunk, error) {
		_, now, _ := strings.Cut(req.Messages[1].Text, "This is round ")
		for phase, text := range texts {
			if phase != "" && strings.Contains(now, ", "+phase+". ") {
				return replyText(text)(n, req)
			}
		}
		return replyText(texts[""])(n, req)
	}
}

func TestResults_rankingIsABordaCountWithoutVotesForOneself(t *testing.T) {
	t.Parallel()
	ballots := []string{
		`"ranking": ["Member 2", "member 3: good", "4"]`,
		`"ranking": ["Member 2", "Member 3", "Member 1", "Member 4"]`, // itself does not count
		`"ranking": ["Member 4", "Member 4", "Member 9", "Member 1"]`,
		`"ranking": "Member 2"`,
	}
	lines := map[string]replyFunc{}
	for i, b := range ballots {
		lines[fmt.Sprint("m", i+1)] = replyByPhase(map[string]string{"": structuredPart(`"stance": "yes"`), "ranking": structuredPart(b)})
	}
	h := newHarness(t, lines)
	_, s := h.run(h.seatedSession("council", 1, 4))
	r := s.Verdict.Results.Ranking
	want := []debate.Ballot{
		{Agent: "seat1", Order: []agents.ID{"seat2", "seat3", "seat4"}},
		{Agent: "seat2", Order: []agents.ID{"seat3", "seat1", "seat4"}},
		{Agent: "seat3", Order: []agents.ID{"seat4", "seat1"}},
		{Agent: "seat4", Order: []agents.ID{"seat2"}},
	}
	if diff := cmp.Diff(want, r.Ballots); diff != "" {
		t.Errorf("ballots (-want +got):\n%s", diff)
	}
	places := []debate.Place{{Agent: "seat2", Place: 1, Points: 4, Firsts: 2, Stood: 3}, {
		Agent: "seat3", Place: 2, Points: 3,
		Firsts: 1, Stood: 3,
	}, {Agent: "seat1", Place: 3, Points: 2, Stood: 3}, {Agent: "seat4", Place: 3, Points: 2, Firsts: 1, Stood: 3}}
	if diff := cmp.Diff(places, r.Places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if r.Seed != s.History[0].Manifest.Seed {
		t.Errorf("the seed is %q", r.Seed)
	}
	notes := map[agents.ID]string{}
	for _, x := range s.History[0].Responses {
		notes[x.Turn.Agent] = strings.Join(x.Statement.Notes, "; ")
	}
	for id, want := range map[agents.ID]string{
		"seat1": "", "seat2": "its own answer in its ranking was not counted",
		"seat3": `"Member 4" is in its ranking twice; the first counts; "Member 9" in its ranking is no seat's answer; ` +
			`its ranking leaves out 1 of the answers`,
		"seat4": "its ranking leaves out 2 of the answers",
	} {
		if notes[id] != want {
			t.Errorf("%s has the notes %q, want %q", id, notes[id], want)
		}
	}
}

func TestRole_aWrongStanceIsFlaggedAndStoredAsItIs(t *testing.T) {
	t.Parallel()
	h := newHarness(t, map[string]replyFunc{
		"m1": replyText(structuredPart(`"stance": "no"`)),
		"m2": replyText(structuredPart(`"stance": "no"`)), "m3": replyText(structuredPart(`"stance": "yes"`)),
	})
	evs, s := h.run(h.seatedSession("devils-advocate", 1, 3))
	for i, want := range []string{"as advocate it argues yes, and states no", "", ""} {
		x := s.History[0].Responses[i]
		if x.Statement.RoleBreach != want {
			t.Errorf("%s: %q, want %q", x.ID(), x.Statement.RoleBreach, want)
		}
	}
	if got := s.History[0].Responses[0].Statement.Stance; got != debate.No {
		t.Errorf("the stance was made %s", got)
	}
	notices := noticesByCode(evs)["role"]
	if len(notices) != 1 || notices[0].Agent != "seat1" ||
		notices[0].Text != "Seat1 breaks its role in round 1: as advocate it argues yes, and states no. The statement is kept as it is." {
		t.Errorf("notices %+v", notices)
	}
	again, err := h.store.Session(t.Context(), s.ID)
	if err != nil || again.History[0].Responses[0].Statement.RoleBreach == "" {
		t.Errorf("it is not stored: %v", err)
	}
	h = newHarness(t, map[string]replyFunc{
		"m1": replyText(structuredPart(`"stance": "yes"`)),
		"m2": replyText(structuredPart(`"stance": "yes"`)),
	})
	_, s = h.run(h.seatedSession("socratic", 1, 2))
	if got := s.History[0].Responses[0].Statement.RoleBreach; got != "as questioner it takes no side, and states yes" {
		t.Errorf("the questioner: %q", got)
	}
}

package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

// bring adds files of so many lines to a session, for the next round.
func bring(t testing.TB, s debate.Session, lines ...int) debate.Session {
	t.Helper()
	var added []debate.Evidence
	for i, n := range lines {
		name := fmt.Sprintf("file %d of round %d", i+1, len(s.History)+1)
		added = append(added, debate.NewEvidence(name, debate.EvidenceFile, strings.Repeat("x\n", n), ""))
	}
	var err error
	if s.Evidence, err = debate.AddEvidence(s.Evidence, added); err != nil {
		t.Fatal(err)
	}
	return s
}

// called adds a tool call to the newest turn of a seat.
func called(s debate.Session, seat agents.ID, name string, status agents.ToolStatus) {
	name, args, _ := strings.Cut(name, " ")
	r := s.Current()
	for i := range r.Responses {
		if x := &r.Responses[i]; x.Turn.Agent == seat {
			x.Passages = append(x.Passages, debate.Passage{Tools: []debate.ToolRecord{{
				Name: name, Args: args, State: debate.ToolDone, Result: agents.ToolResult{Status: status, Text: "a result"},
			}}})
		}
	}
}

// sayBy says what changed the newest vote of a seat, by its own account.
func sayBy(s debate.Session, seat agents.ID, by string) {
	for i := range s.Current().Responses {
		if x := &s.Current().Responses[i]; x.Turn.Agent == seat {
			x.Statement.ChangedBy = &by
		}
	}
}

// movedBy returns what is said to have changed Ada's vote in the newest round.
func movedBy(s debate.Session) string {
	for _, v := range verdict.Count(s).Votes {
		if v.Seat == "ada" && v.Round == len(s.History) {
			return v.By
		}
	}
	return "no vote"
}

func TestVotes_areChangedByLinesThatWereReleased(t *testing.T) {
	for said, want := range map[string]string{
		"F1:3": "F1:3", "[F1:10]": "F1:10", "F1:11": "?", "F2:1": "?", "F9": "?", "the costs": "?", "": "", "Brook": "brook", "Ada": "?",
	} {
		s := bring(t, scriptedSession(t, "yes 0.8|no 1"), 10) // F1 comes with round 2
		s.Rounds = 3
		s = addRound(t, s, "no 0.8|no 1")
		s.Current().Responses[0].SeenResponses = []string{debate.TurnID(s.History[0].Responses[1].Turn)}
		sayBy(s, "ada", said)
		if got := movedBy(s); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestVotes_areChangedByToolsSinceTheVoteBefore(t *testing.T) {
	for _, c := range []struct {
		tool   string
		status agents.ToolStatus
		round  int
		want   string
	}{
		{"read_evidence", agents.ToolOK, 3, "read_evidence"},
		{"server__lookup", agents.ToolOK, 2, "?"}, // before a vote that could be read
		{"read_evidence", agents.ToolError, 3, "?"},
		{`read_evidence {"id":"F1:2"}`, agents.ToolOK, 3, "read_evidence"},
		{`read_evidence {"id":"R1:Brook"}`, agents.ToolOK, 3, "?"},
		{"request_context", agents.ToolOK, 3, "?"},
		{"list_dir", agents.ToolOK, 3, "?"},
	} {
		s := scriptedSession(t, "yes 0.8|no 1")
		s.Rounds = 3
		for round := 1; round <= 3; round++ {
			if round > 1 {
				s = addRound(t, s, []string{"yes .|no 1", "no 0.8|no 1"}[round-2])
			}
			if round == c.round {
				called(s, "ada", c.tool, c.status)
			}
			called(s, "brook", "read_evidence", agents.ToolOK) // of another seat
		}
		name, _, _ := strings.Cut(c.tool, " ")
		sayBy(s, "ada", name)
		if got := movedBy(s); got != c.want {
			t.Errorf("%s, %s in round %d: %q, want %q", c.tool, c.status, c.round, got, c.want)
		}
	}
}

// A seat does not move itself, and nothing moves it that it called in a turn that failed.
func TestVotes_areNotChangedByTheSeatItselfOrByATurnThatFailed(t *testing.T) {
	s := scriptedSession(t, "yes 0.8|no 1")
	s.Rounds = 3
	s = addRound(t, s, "no 0.8|no 1")
	s = addRound(t, s, "yes 0.8|no 1")
	s.Current().Responses[0].SeenResponses = []string{debate.TurnID(s.History[0].Responses[0].Turn)}
	if sayBy(s, "ada", "Ada"); movedBy(s) != "?" {
		t.Errorf("moved by itself: %q", movedBy(s))
	}
	s = scriptedSession(t, "yes 0.8|no 1")
	s.Rounds = 3
	s = addRound(t, s, "-|no 1")
	called(s, "ada", "lookup", agents.ToolOK)
	s = addRound(t, s, "no 0.8|no 1")
	if sayBy(s, "ada", "lookup"); movedBy(s) != "?" {
		t.Errorf("moved by a turn that failed: %q", movedBy(s))
	}
}

func TestCautions_nameWhatIsCitedAndNotThere(t *testing.T) {
	s := bring(t, scriptedSession(t, "yes 1 see [F1:1]|no 1|no 1"), 10) // nobody has F1 yet
	s.Rounds = 2
	s = addRound(t, s, "yes 1 see [F1:10], [F1:11]|no 1 [F2:3], [C9]|no 1 [F1:11]")
	for _, c := range verdict.Count(s).Cautions {
		if c.ID != verdict.CautionUnknownCitation {
			continue
		}
		var got []string
		for _, i := range c.Items {
			got = append(got, i.ID)
		}
		if diff := cmp.Diff([]string{"C9", "F1:1", "F1:11", "F2:3"}, got); diff != "" {
			t.Error(diff)
		}
		return
	}
	t.Error("nothing is unknown")
}

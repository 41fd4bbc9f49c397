package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
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

func TestMoves_evidenceOfTheUserCounts(t *testing.T) {
	s := bring(t, scriptedSession(t, "yes 0.8|no 1"), 10) // F1 comes with round 2
	s.Rounds = 9
	var want []string
	play := func(cell, change string) {
		s = addRound(t, s, cell+"|no 1")
		want = append(want, change)
	}
	play("yes 0.8 [F1:3]", "held[]")
	play("no 0.8 [F1:3]", "revised_known[F1:3]")
	s = bring(t, s, 5)
	play("yes 0.8 [F1:3], [F2:1-5]", "revised[F2:1-5]")
	play("no 0.8 [F2:6], [F1:11], [F9]", "conformed[]") // lines and files that are not there
	play("yes 0.8", "conformed[]")
	play("no 0.8 [F2]", "revised_known[F2]")
	s = bring(t, s, 5)
	play("no 0.8", "held[]")
	play("yes 0.8 [F3]", "revised_known[F3]")
	var got []string
	for _, m := range concludeByAda(t, s).Moves[1:9] {
		got = append(got, fmt.Sprint(m.Change, m.Cites))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ada's changes (-want +got):\n%s", diff)
	}
}

func TestMoves_resultsOfToolsCount(t *testing.T) {
	for _, c := range []struct {
		tool   string
		status agents.ToolStatus
		round  int
		want   string
	}{
		{"read_evidence", agents.ToolOK, 3, "revised[read_evidence]"},
		{"server__lookup", agents.ToolOK, 2, "revised[server__lookup]"}, // since the vote of round 1
		{"read_evidence", agents.ToolOK, 1, "conformed[]"},
		{"read_evidence", agents.ToolError, 3, "conformed[]"},
		{`read_evidence {"id":"F1:2"}`, agents.ToolOK, 3, "revised[read_evidence]"},
		{`read_evidence {"id":"R1:Brook"}`, agents.ToolOK, 3, "conformed[]"},
		{"request_context", agents.ToolOK, 3, "conformed[]"},
		{"list_evidence", agents.ToolOK, 3, "conformed[]"},
		{"list_dir", agents.ToolOK, 3, "conformed[]"},
	} {
		s := scriptedSession(t, "yes 0.8|no 1")
		s.Rounds = 3
		for round := 1; round <= 3; round++ {
			if round > 1 {
				s = addRound(t, s, []string{"? .|no 1", "no 0.8|no 1"}[round-2])
			}
			if round == c.round {
				called(s, "ada", c.tool, c.status)
			}
			called(s, "brook", "read_evidence", agents.ToolOK) // of another member
		}
		m := concludeByAda(t, s).Moves[2]
		if got := fmt.Sprint(m.Change, m.Cites); got != c.want || m.Agent != "ada" || m.Round != 3 {
			t.Errorf("%s, %s in round %d: %s, want %s", c.tool, c.status, c.round, got, c.want)
		}
	}
}

func TestSources_flagEvidenceThatIsNotThere(t *testing.T) {
	s := bring(t, scriptedSession(t, "yes 1 see [F1:1]|no 1|no 1"), 10) // nobody has F1 yet
	s.Rounds = 2
	s = addRound(t, s, "yes 1 see [F1:10], [F1:11]|no 1 [F2:3], [C9]|no 1 [F1:11]")
	if diff := cmp.Diff([]string{"C9", "F1:1", "F1:11", "F2:3"}, concludeByAda(t, s).UnknownCitations); diff != "" {
		t.Error(diff)
	}
}

func TestHeadline_saysWhatAChangeRestsOn(t *testing.T) {
	s := bring(t, scriptedSession(t, "yes 0.8|yes 0.8|no 1"), 10)
	s.Rounds = 2
	s = addRound(t, s, "no 0.8 [F1:3]|no 0.8|no 1")
	called(s, "ada", "search_evidence", agents.ToolOK)
	called(s, "brook", "read_file", agents.ToolOK)
	want := "Ada changed, citing F1:3, with results of search_evidence; Brook changed, with results of read_file"
	if got := concludeByAda(t, s).Headline; !strings.HasSuffix(got, want) {
		t.Errorf("headline = %q, want it to end with %q", got, want)
	}
}

package store_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/store"
)

// The body of a statement is read wherever it is: in the text of the answer or not.
func TestSession_hasTheBodiesOfItsStatements(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "roundtable.db")
	s := must.Get(store.Open(t.Context(), path, store.Options{Now: clock()}))(t)
	id := create(t, s).ID
	beginRound(t, s, id, 1)
	for i, x := range []struct{ text, body string }{
		{"All of it.", "All of it."},
		{"Before.\n\n\"In\\side\" <naïve> 請求.\n```json\n{}\n```", "\"In\\side\" <naïve> 請求."},
		{"One.\n{}\nTwo.", "One.\n\nTwo."},
		{"A zero\x00byte in it.", "A zero\x00byte in it."},
		{"{}", ""},
	} {
		turn := agents.Turn{Session: id, Round: 1, Attempt: i + 1, Agent: "ada"}
		beginCall(t, s, turn)
		must.Do(t, s.EndCall(t.Context(), turn, 1, agents.Completion{Text: "Let me look."}, []debate.ToolRecord{{ID: "1", Name: "list_evidence"}}, nil))
		must.Do(t, s.BeginCall(t.Context(), turn, debate.ForMember, 2, agents.Request{}))
		must.Get(s.EndTurn(t.Context(), debate.TurnEnd{Final: &agents.Completion{Text: x.text}, Response: debate.Response{
			Turn: turn, State: debate.TurnDone, Statement: debate.Statement{Body: x.body, Vote: "no"},
		}}))(t)
		all := get(t, s, id).History[0].Responses
		got := all[len(all)-1]
		if got.Statement.Body != x.body || got.Statement.Vote != "no" || got.Text() != x.text || len(got.Passages) != 2 {
			t.Errorf("%q comes back as %+v", x.body, got)
		}
	}
	known := get(t, s, id)
	must.Do(t, s.Close())
	if diff := cmp.Diff(known, get(t, openAt(t, path), id)); diff != "" {
		t.Errorf("read again:\n%s", diff)
	}
}

package verdict_test

import (
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
)

// The headline names the cause of a failure without what the server said.
func TestPresence_leavesOutTheWordsOfAServer(t *testing.T) {
	s := debate.Session{Seats: []agents.Profile{{ID: "ada", Name: "Ada"}, {ID: "cy", Name: "Cy"}}}
	v := debate.Verdict{Missing: []debate.MissingResponse{
		{Agent: "cy", Name: "Cy", Round: 1, Cause: `openai/o3 failed (500): "the server had an error: try again".`},
	}}
	if got, want := verdict.Presence(v, s), "1 of 2 seats missed a turn: Cy in round 1 (openai/o3 failed (500))"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

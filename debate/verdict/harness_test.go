package verdict_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
)

var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// scriptedSession returns a session of the given rounds, in which each seat has a cell:
// "yes 0.9 because [C1]" is a stance, a confidence and the body; "?" is a position
// without a stance, "~" prose alone,
// "-" a seat that failed.
func scriptedSession(t testing.TB, rounds ...string) debate.Session {
	t.Helper()
	seats := strings.Count(rounds[0], "|") + 1
	s := debate.Session{
		ID: "s1", Topic: "Is it so?", Rounds: len(rounds), Nonce: "secret",
		Question: debate.QuestionYesNo,
		Mode:     debate.Mode{Name: "plain", Order: debate.Parallel, Rules: "Be brief."},
	}
	for i, name := range []string{"Ada", "Brook", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal"}[:seats] {
		price := 1e6 / 1000.0 // a thousandth of a dollar for each token
		s.Seats = append(s.Seats, agents.Profile{
			ID: agents.ID(strings.ToLower(name)), Name: name, Provider: "p",
			Model: fmt.Sprintf("%c-%d", 'a'+i, i+1), PriceIn: &price, PriceOut: &price,
		})
	}
	for _, cells := range rounds {
		s = addRound(t, s, cells)
	}
	return s
}

// addRound adds a round to a session.
func addRound(t testing.TB, s debate.Session, cells string) debate.Session {
	t.Helper()
	m, release, err := s.Begin(debate.Focus{})
	must.Do(t, err)
	s.Requests = ledger.Ledger{Requests: s.Requests}.Apply(release...).Requests
	r := debate.Round{Number: m.Round, Manifest: m, Hash: m.Hash(), Began: noon, Ended: noon}
	for i, cell := range strings.Split(cells, "|") {
		turn := agents.Turn{Session: s.ID, Round: m.Round, Attempt: 1, Agent: s.Seats[i].ID}
		r.Responses = append(r.Responses, newResponse(t, s, turn, cell))
	}
	s.History = append(slices.Clone(s.History), r)
	return s
}

func newResponse(t testing.TB, s debate.Session, turn agents.Turn, cell string) debate.Response {
	p, _ := s.Seat(turn.Agent)
	x := debate.Response{Turn: turn, State: debate.TurnDone, Calls: 1, Usage: agents.Usage{Input: 8, Output: 2}}
	x.Cost = p.Cost(x.Usage)
	words := strings.Fields(cell)
	if words[0] == "-" {
		x.State, x.Failure = debate.TurnFailed, &debate.TurnFailure{Kind: agents.KindBusy, Cause: "Overloaded."}
		return x
	}
	switch words[0] {
	case "~":
		x.Statement.Body = "Well."
	case "?":
		x.Statement.Position = "It depends."
	default:
		x.Statement.Vote, x.Statement.Position = words[0], "I say "+words[0]+"."
	}
	if words = words[1:]; len(words) > 0 && words[0] != "." {
		c, err := strconv.ParseFloat(words[0], 64)
		if err != nil {
			t.Fatalf("cell %q: %v", cell, err)
		}
		x.Statement.Confidence = &c
	}
	if len(words) > 1 {
		x.Statement.Body = strings.Join(words[1:], " ")
	}
	return x
}

// addQuestion puts a question of the seat into the session, in its last round.
func addQuestion(t testing.TB, s debate.Session, seat agents.ID, query string) debate.Session {
	t.Helper()
	turn := agents.Turn{Session: s.ID, Round: len(s.History), Attempt: 1, Agent: seat}
	l := ledger.Ledger{Requests: s.Requests}
	_, events, err := l.Ask(turn, "call of "+query, ledger.Question{Query: query, Reason: "It decides."}, ledger.DefaultCaps)
	must.Do(t, err)
	s.Requests = l.Apply(events...).Requests
	return s
}

package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/report"
)


// reportRound goes to what an earlier or later round came to: its agreement, its
// ballots, votes and scores.
func (m *Model) reportRound(direction int) tea.Cmd {
	m.tell(plainly, m.board.report.step(direction))
	return nil
}

func noReportRound(m *Model) string {
	s := m.board.session
	switch {
	case s.Verdict == nil:
		return "The verdict is being written."
	case len(s.History) < 2:
		return "There is one round alone."
	}
	return ""
}

func reportRoundHint(*Model) string { return "[ ] round" }

// step goes to the round before or after the one that is shown, and says how far
// its members agreed.
func (r *verdictReport) step(n int) string {
	last := len(r.session.History)
	at := min(max(r.shown()+n, 1), last)
	r.round, r.lines = at%last, nil
	text := fmt.Sprintf("Round %d of %d. ", at, last)
	if c := r.session.History[at-1].Consensus; c != nil {
		return text + safetext.Line(report.ConsensusLine(*c))
	}
	return text + "Its agreement was not measured."
}

// shown is the round that is shown.
func (r *verdictReport) shown() int {
	if r.round == 0 {
		return len(r.session.History)
	}
	return r.round
}

// counted is what the ballots, votes and scores came to in the round that is
// shown; in the end that is what the verdict says.
func (r *verdictReport) counted(v *debate.Verdict) *debate.Results {
	if r.round == 0 {
		return v.Results
	}
	if c := r.session.History[r.round-1].Consensus; c != nil {
		return c.Results
	}
	return nil
}

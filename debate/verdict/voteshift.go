package verdict

import (
	"roundtable/agents"
	"roundtable/debate"
)

// PollPhases names the phases in which votes are cast.
func PollPhases(m debate.Mode) []string {
	var out []string
	for _, p := range m.Phases {
		if p.Asks == debate.AsksVote {
			out = append(out, p.Name)
		}
	}
	return out
}

// shiftOf compares the first poll with the last.
func shiftOf(s debate.Session, history []debate.Round, before, after string) *debate.VoteShift {
	votes := map[agents.ID]*debate.VotePair{}
	for _, r := range history {
		for _, x := range append(responsesInPhase(s, r, before), responsesInPhase(s, r, after)...) {
			v := votes[x.Turn.Agent]
			if v == nil {
				v = &debate.VotePair{Agent: x.Turn.Agent}
				votes[x.Turn.Agent] = v
			}
			switch {
			case x.Phase == after:
				v.After = x.Statement.Stance
			case v.Before == "":
				v.Before = x.Statement.Stance
			}
		}
	}
	if len(votes) == 0 {
		return nil
	}
	out := &debate.VoteShift{Before: map[debate.Stance]int{}, After: map[debate.Stance]int{}}
	for _, p := range s.Seats {
		v := votes[p.ID]
		if v == nil {
			continue
		}
		out.Votes = append(out.Votes, *v)
		if v.Before != "" && v.After != "" {
			out.Before[v.Before]++
			out.After[v.After]++
		}
	}
	out.Shift = out.After[debate.Yes] - out.After[debate.No] - out.Before[debate.Yes] + out.Before[debate.No]
	switch {
	case out.Shift > 0:
		out.Winner = debate.Yes
	case out.Shift < 0:
		out.Winner = debate.No
	}
	return out
}

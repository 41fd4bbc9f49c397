package verdict

import (
	"slices"

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

// shiftOf compares the first poll with the last. A vote without a side counts as
// neutral, and one that cannot be read not at all; there is no shift between options or numbers, and none if fewer than half of
// the voters voted both times.
func shiftOf(s debate.Session, history []debate.Round, before, after string) *debate.VoteShift {
	q := SidesOf(s)
	if q.kind == debate.QuestionChoice || q.kind == debate.QuestionEstimate {
		return nil
	}
	votes := map[agents.ID]*debate.VotePair{}
	for _, r := range history {
		for _, x := range append(responsesInPhase(s, r, before), responsesInPhase(s, r, after)...) {
			if isUnread(x.Statement) {
				continue
			}
			pair := votes[x.Turn.Agent]
			if pair == nil {
				pair = &debate.VotePair{Agent: x.Turn.Agent}
				votes[x.Turn.Agent] = pair
			}
			stance := debate.Neutral
			if side := q.Of(x.Statement); isYesOrNo(side) {
				stance = debate.Stance(side)
			}
			switch {
			case x.Phase == after:
				pair.After = stance
			case pair.Before == "":
				pair.Before = stance
			}
		}
	}
	if len(votes) == 0 {
		return nil
	}
	out, both := &debate.VoteShift{Before: map[debate.Stance]int{}, After: map[debate.Stance]int{}}, 0
	for _, p := range s.Seats {
		pair := votes[p.ID]
		if pair == nil {
			continue
		}
		out.Votes = append(out.Votes, *pair)
		if pair.Before != "" && pair.After != "" {
			out.Before[pair.Before]++
			out.After[pair.After]++
			both++
		}
	}
	if 2*both < len(voters(s)) { // too few to say how the votes moved
		clear(out.Before)
		clear(out.After)
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

// whoVotedTwice says why there is no shift.
func whoVotedTwice(v debate.VoteShift) string {
	if slices.ContainsFunc(v.Votes, func(p debate.VotePair) bool { return p.Before != "" && p.After != "" }) {
		return "fewer than half"
	}
	return "nobody"
}

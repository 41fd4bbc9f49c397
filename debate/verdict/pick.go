package verdict

import (
	"encoding/json"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// Picked answers of a panel beat those of one model more often than blends of all of them
// do: 81 to 18 % in arXiv 2603.20324; see also arXiv 2601.08835.

// Candidates returns the seats whose last answers a chair may pick the strongest of: those
// of the voting phase with a side of their own. There are none where the members rank each
// other, for estimates, without votes, and for a chair that is a member unless two others
// are left.
func Candidates(s debate.Session, chair agents.ID) []agents.ID {
	out := standing(s)
	if !CountsSides(s) || s.Question == debate.QuestionEstimate || len(out) < 2 {
		return nil
	}
	if i := slices.Index(out, chair); i >= 0 {
		if out = slices.Delete(out, i, i+1); len(out) < 2 {
			return nil
		}
	}
	return out
}

// standing returns the voters with a readable last vote.
func standing(s debate.Session) []agents.ID {
	_, last := firstAndLast(s, SidesOf(s))
	if last == nil {
		return nil
	}
	var out []agents.ID
	for _, v := range last.votes {
		out = append(out, v.Turn.Agent)
	}
	return out
}

// setPick sets the strongest single answer: the first by ballots, or what the chair named
// in its report.
func setPick(v *debate.Verdict, s debate.Session, report string) {
	if r := v.Results; r != nil && r.Ranking != nil || s.OffScript() {
		return // the ballots pick, or nobody
	}
	v.Pick = nil
	candidates := Candidates(s, v.Chair)
	if len(candidates) == 0 {
		return
	}
	members, _ := statement.LastObject(report, "pick", "pick_reason")
	var name, reason string
	_ = json.Unmarshal(members["pick"], &name)
	_ = json.Unmarshal(members["pick_reason"], &reason)
	ids := namedSeats(s, s.RestoreNames(name))
	if strings.TrimSpace(name) == "" || len(ids) != 1 || !slices.Contains(candidates, ids[0]) {
		return
	}
	v.Pick = &debate.Pick{Agent: ids[0], By: v.ChairName, Reason: s.RestoreNames(text.Clip(text.Line(reason), maxItemLength))}
	setPickSide(v, s)
}

// setPickSide says whether a pick argues against the majority.
func setPickSide(v *debate.Verdict, s debate.Session) {
	q := SidesOf(s)
	_, last := firstAndLast(s, q)
	if v.Pick == nil || last == nil {
		return
	}
	v.Pick.Off = debate.Undecided
	for _, x := range last.votes {
		if x.Turn.Agent == v.Pick.Agent && v.Side != nil && x.side != *v.Side {
			v.Pick.Off = x.side
		}
	}
}

func pickByBallots(r debate.Ranking) *debate.Pick {
	var p *debate.Pick
	for _, place := range r.Places {
		switch {
		case place.Place != 1:
		case p == nil:
			p = &debate.Pick{Agent: place.Agent, By: debate.PickedByBallots}
		default:
			p.Tied = append(p.Tied, place.Agent)
		}
	}
	if readableBallots(r) == 0 {
		return nil
	}
	return p
}

// PickHeading is the title of a pick.
func PickHeading(p debate.Pick) string {
	if p.Off != debate.Undecided {
		return "The pick argues for " + QuoteSide(p.Off) + ", against the majority"
	}
	return "The pick"
}

// Picked returns the statement that a pick is, as its seat gave it last; false if it is not
// there.
func Picked(s debate.Session, id agents.ID) (debate.Response, bool) {
	_, last := firstAndLast(s, SidesOf(s))
	for _, r := range slices.Backward(s.History) {
		for _, x := range slices.Backward(r.Latest()) {
			if x.Turn.Agent != id || !x.HasStatement() || s.Mode.AskedField(x.Phase) == debate.AsksRanking {
				continue
			}
			if last == nil || r.Number == last.round.Number && x.Phase == last.phase {
				return x, true
			}
		}
	}
	return debate.Response{}, false
}

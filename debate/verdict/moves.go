package verdict

import (
	"fmt"

	"roundtable/debate"
)

// moves returns the change ledger, by seat and then by round.
func moves(s debate.Session) []debate.Move {
	var out []debate.Move
	for _, p := range s.Seats {
		var before *debate.Statement
		seen := map[string]bool{}
		for _, r := range s.History {
			move := debate.Move{Agent: p.ID, Round: r.Number, Change: debate.NoResponse}
			for _, x := range r.Statements() {
				if x.Turn.Agent != p.ID {
					continue
				}
				st := x.Statement
				move.Stance, move.Confidence = st.Stance, st.Confidence
				move.Cites = newEvidence(s, r.Number, st, seen)
				move.Change = change(before, st, len(move.Cites) > 0)
				if st.Stance != "" {
					before = &st
				}
			}
			out = append(out, move)
		}
	}
	return out
}

func change(before *debate.Statement, now debate.Statement, cites bool) debate.Change {
	switch {
	case now.Stance == "":
		return debate.Unstated
	case before == nil:
		return debate.Opening
	case before.Stance != now.Stance && cites:
		return debate.Revised
	case before.Stance != now.Stance:
		return debate.Conformed
	default:
		return debate.Held
	}
}

// newEvidence lists what a statement cites and its seat has not cited before, and marks
// it as seen. An answer counts as evidence from the round of its release, and again when
// it was corrected. A request that is cited before its answer does not count.
func newEvidence(s debate.Session, round int, statement debate.Statement, seen map[string]bool) []string {
	var out []string
	requests, others := statement.Evidence()
	for _, id := range requests {
		if n := revision(s, id, round); n > 0 && markSeen(seen, fmt.Sprint(id, " revision ", n)) {
			out = append(out, id)
		}
	}
	for _, c := range others {
		if markSeen(seen, c) {
			out = append(out, c)
		}
	}
	return out
}

// markSeen adds item to seen and reports whether it is new.
func markSeen(seen map[string]bool, item string) bool {
	if seen[item] {
		return false
	}
	seen[item] = true
	return true
}

// dissent lists who is on another side than the majority of the last round.
func dissent(s debate.Session, final debate.Tally) []debate.Dissent {
	var out []debate.Dissent
	if final.None || final.Split {
		return nil
	}
	for _, x := range votingStatements(s, s.History[len(s.History)-1]) {
		if st := x.Statement; st.Stance != "" && debate.Side(st.Stance) != final.Majority {
			p, _ := s.Seat(x.Turn.Agent)
			out = append(out, debate.Dissent{
				Agent: p.ID, Name: p.Name, Stance: st.Stance, Confidence: st.Confidence, Position: st.Position,
			})
		}
	}
	return out
}

// phasePositions lists what members held in the last round's additional phases in which
// they argue.
func phasePositions(s debate.Session) []debate.PhasePosition {
	var out []debate.PhasePosition
	for _, x := range s.History[len(s.History)-1].Latest() {
		st := x.Statement
		if x.State != debate.TurnDone || x.Phase == "" || s.Mode.AskedField(x.Phase) != debate.AsksStance {
			continue
		}
		p, _ := s.Seat(x.Turn.Agent)
		out = append(out, debate.PhasePosition{
			Agent: p.ID, Name: p.Name, Role: x.Role, Phase: x.Phase, Stance: st.Stance,
			Confidence: st.Confidence, Position: st.Position,
		})
	}
	return out
}

package verdict

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
)

// Moves returns what each voter has done in each round so far, by seat and then by round.
// A voter whose turn in the running round has not ended has no response in it.
func Moves(s debate.Session) []debate.Move { return moves(s, SidesOf(s)) }

// VotesOf returns the count of the last votes that were cast in a round; false if there are
// none.
func VotesOf(s debate.Session, round int) (debate.Tally, bool) {
	q := SidesOf(s)
	here := slices.DeleteFunc(slices.Clone(s.History), func(r debate.Round) bool { return r.Number != round })
	cast := occasionsIn(s, q, here)
	if len(cast) == 0 {
		return debate.Tally{}, false
	}
	return cast[len(cast)-1].count(s, q), true
}

// moves returns the change ledger: what each voter did in each round in which votes were
// held, by seat and then by round.
func moves(s debate.Session, q Sides) []debate.Move {
	if !CountsSides(s) {
		return nil
	}
	cast := make([][]vote, len(s.History)) // by round
	for i, r := range s.History {
		for _, phase := range votePhases(s.Mode) {
			cast[i] = append(cast[i], votesIn(s, q, r, phase).all()...)
		}
	}
	var out []debate.Move
	for _, id := range voters(s) {
		var before *vote
		for i, r := range s.History {
			move := debate.Move{Agent: id, Round: r.Number, Change: debate.NoResponse}
			held := votesHeld(s, r)
			for _, v := range cast[i] {
				if v.Turn.Agent == id {
					held, before = true, step(&move, s, q, before, v)
				}
			}
			if held {
				out = append(out, move)
			}
		}
	}
	return out
}

// step sets a move by a vote and the last earlier one with a side. It returns the last
// vote with a side.
func step(move *debate.Move, s debate.Session, q Sides, before *vote, now vote) *vote {
	st := now.Statement
	move.Side, move.Stance, move.Confidence, move.Cites = now.side, st.Stance, st.Confidence, nil
	switch {
	case now.side == debate.Undecided:
		move.Change = debate.Unstated
		return before
	case before == nil:
		move.Change = debate.Opening
	case before.side == now.side:
		move.Change = debate.Held
		if q.kind == debate.QuestionOpen && statement.FoldLabel(q.openLabel(before.Statement)) != statement.FoldLabel(q.openLabel(st)) {
			move.Change = debate.HeldOther
		}
	case !q.comparable(before.side, now.side):
		move.Change = debate.OtherLabel
	default:
		fresh, known := evidence(s, before.Response, now.Response)
		switch {
		case len(fresh) > 0:
			move.Change, move.Cites = debate.Revised, fresh
		case len(known) > 0:
			move.Change, move.Cites = debate.RevisedOld, known
		default:
			move.Change = debate.Conformed
		}
	}
	return &now
}

// evidence returns what a vote rests on that can be checked: what came since an earlier
// vote of its speaker, and what was known by then. That is answers and evidence of the user
// that it cites, and results of tools.
func evidence(s debate.Session, before, now debate.Response) (fresh, known []string) {
	fresh, known = citedAnswers(s, now.Statement, before.Turn.Round, now.Turn.Round)
	for _, c := range cite.StatementEvidence(now.Statement) {
		switch {
		case cite.Resolve(c, s, now.Turn.Round).Problem != "":
		case cite.EvidenceRound(s, c.ID) > before.Turn.Round:
			fresh = append(fresh, c.String())
		default:
			known = append(known, c.String())
		}
	}
	return append(fresh, toolsUsed(s, before.Turn, now.Turn)...), known
}

// toolsUsed returns the names of the tools that brought the speaker of two turns something
// from outside of the debate, after the first and up to the second.
func toolsUsed(s debate.Session, after, upTo agents.Turn) []string {
	var out []string
	for _, r := range s.History[after.Round-1 : upTo.Round] {
		for _, x := range r.Latest() {
			early := x.Turn.Round == after.Round && x.Turn.Step <= after.Step
			late := x.Turn.Round == upTo.Round && x.Turn.Step > upTo.Step
			if x.Turn.Agent != upTo.Agent || early || late || !x.HasStatement() {
				continue
			}
			for _, p := range x.Passages {
				for _, t := range p.Tools {
					if isSource(t) && !slices.Contains(out, t.Name) {
						out = append(out, t.Name)
					}
				}
			}
		}
	}
	return out
}

// isSource reports whether a tool call returned something from outside of the debate. A
// question to the user is answered later, and fact_check repeats what members said.
func isSource(t debate.ToolRecord) bool {
	return t.State == debate.ToolDone && t.Result.Status == agents.ToolOK && t.Result.Text != "" &&
		t.Name != agents.RequestContextName && t.Name != agents.FactCheckName
}

// citedAnswers returns the answers that a statement of a round cites: those that were
// released, or corrected, after an earlier round, and those that were known by then. An
// answer "unavailable" is not evidence.
func citedAnswers(s debate.Session, st debate.Statement, earlier, round int) (fresh, known []string) {
	requests, _ := cite.Sources(st)
	for _, id := range requests {
		q, _ := s.Request(id)
		at := 0 // round of the newest release that the speaker had
		for _, d := range q.Delivered {
			if d.Round <= round {
				at = d.Round
			}
		}
		a, ok := q.Revision(revision(s, id, round))
		switch {
		case at == 0 || !ok || a.Outcome == ledger.Unavailable || slices.Contains(fresh, id) || slices.Contains(known, id):
		case at > earlier:
			fresh = append(fresh, id)
		default:
			known = append(known, id)
		}
	}
	return fresh, known
}

// Changed lists the voters who took one side in the first votes and another one in the
// last, by seat, with the change that brought them to it.
func Changed(v debate.Verdict, s debate.Session) []debate.Move {
	if v.Comparison == nil {
		return nil
	}
	var out []debate.Move
	for _, p := range s.Seats {
		var first, last debate.Side
		var turn *debate.Move
		for i := range v.Moves {
			m := &v.Moves[i]
			if m.Agent != p.ID {
				continue
			}
			if m.Round == v.Comparison.First {
				first = m.Side
			}
			if m.Round == v.Comparison.Last {
				last = m.Side
			}
			if isChange(m.Change) {
				turn = m
			}
		}
		if first != debate.Undecided && last != debate.Undecided && first != last && turn != nil {
			out = append(out, *turn)
		}
	}
	return out
}

func isChange(c debate.Change) bool {
	return c == debate.Revised || c == debate.RevisedOld || c == debate.Conformed
}

func dissent(s debate.Session, q Sides) []debate.Dissent {
	_, last := firstAndLast(s, q)
	if last == nil {
		return nil
	}
	final := count(s, q, last.votes)
	var out []debate.Dissent
	for _, v := range last.votes {
		if st := v.Statement; final.Majority != debate.Undecided && v.side != debate.Undecided && v.side != final.Majority {
			p, _ := s.Seat(v.Turn.Agent)
			out = append(out, debate.Dissent{
				Agent: p.ID, Name: p.Name, Side: v.side, Stance: st.Stance, Confidence: st.Confidence, Position: st.Position,
			})
		}
	}
	return out
}

// phasePositions lists what members held in the last round's additional phases in which
// they argue.
func phasePositions(s debate.Session, q Sides) []debate.PhasePosition {
	var out []debate.PhasePosition
	for _, x := range s.History[len(s.History)-1].Latest() {
		st := x.Statement
		if x.State != debate.TurnDone || x.Phase == "" || s.Mode.AskedField(x.Phase) != debate.AsksStance {
			continue
		}
		p, _ := s.Seat(x.Turn.Agent)
		out = append(out, debate.PhasePosition{
			Agent: p.ID, Name: p.Name, Role: x.Role, Phase: x.Phase, Side: q.Of(st), Stance: st.Stance,
			Confidence: st.Confidence, Position: st.Position,
		})
	}
	return out
}

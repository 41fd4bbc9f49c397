package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
	"roundtable/internal/text"
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
		cast[i] = votesIn(s, q, r, s.Mode.Votes).all()
	}
	var out []debate.Move
	for _, id := range voters(s) {
		var before, undecided *vote
		for i, r := range s.History {
			move := debate.Move{Agent: id, Round: r.Number, Change: debate.NoResponse}
			held := votesHeld(s, r)
			for _, v := range cast[i] {
				if v.Turn.Agent != id {
					continue
				}
				held = true
				step(&move, s, q, before, undecided, v)
				switch {
				case v.side != debate.Undecided:
					before = &v
				case !q.isUnread(v.Statement):
					undecided = &v
				}
			}
			if held {
				out = append(out, move)
			}
		}
	}
	return out
}

// step sets a move by a vote and the last earlier one with a side, or one that was stated
// as undecided.
func step(move *debate.Move, s debate.Session, q Sides, before, undecided *vote, now vote) {
	st := now.Statement
	move.Side, move.Stance, move.Confidence, move.Cites = now.side, st.Stance, st.Confidence, nil
	switch {
	case now.side == debate.Undecided:
		move.Change = debate.Unstated
	case before == nil && undecided == nil:
		move.Change = debate.Opening
	case (before == nil || before.side != now.side) && otherModel(s, *cmp.Or(before, undecided), now):
		move.Change = debate.OtherModel
	case before == nil:
		setGrounds(move, s, q, *undecided, now)
		move.Change, move.WasUndecided = debate.Opening, true
	case before.side == now.side:
		move.Change = debate.Held
		if q.kind == debate.QuestionOpen && statement.FoldLabel(openLabel(before.Statement)) != statement.FoldLabel(openLabel(st)) {
			move.Change = debate.HeldOther
		}
	case !q.comparable(before.side, now.side), q.kind == debate.QuestionEstimate && !q.sameUnit(before.Statement, st):
		move.Change = debate.OtherLabel
	default:
		setGrounds(move, s, q, *before, now)
	}
}

// otherModel reports whether another model gave a vote than an earlier one of its seat. What
// differs between the two is no change of anybody's mind.
func otherModel(s debate.Session, before, now vote) bool {
	_, other := s.ChangedModel(now.Turn.Agent, before.Turn.Round, now.Turn.Round)
	return other
}

// setGrounds sets what moved a voter from an earlier vote to this one. What it says itself
// counts where it can be checked, and before what it cites.
func setGrounds(move *debate.Move, s debate.Session, q Sides, before, now vote) {
	by := accountOf(s, q, now.Response)
	if by.evidence != "" { // it need not be cited besides
		now.Statement.Citations = append(slices.Clone(now.Statement.Citations), "["+by.evidence+"]")
	}
	fresh, known := evidence(s, before.Response, now.Response)
	all := slices.Concat(fresh, known)
	switch at := slices.Index(all, by.evidence); {
	case by.member != "":
		move.Change, move.By, move.AlsoCites = debate.Convinced, by.member, all
	case by.nothing:
		move.Change, move.Unmoved, move.AlsoCites = debate.Conformed, true, all
	case at >= 0:
		move.Change, move.Cites = debate.Revised, []string{by.evidence}
		if move.AlsoCites = slices.Delete(all, at, at+1); at >= len(fresh) {
			move.Change = debate.RevisedOld
		}
	case len(fresh) > 0:
		move.Change, move.Cites = debate.Revised, fresh
	case len(known) > 0:
		move.Change, move.Cites = debate.RevisedOld, known
	default:
		move.Change = debate.Conformed
	}
	if move.Known = move.Change == debate.RevisedOld; move.Known {
		move.SinceStart = !slices.ContainsFunc(move.Cites, func(c string) bool { return knownFrom(s, c) > 1 })
	}
}

// knownFrom returns the round from which an answer or evidence was known.
func knownFrom(s debate.Session, id string) int {
	if q, asked := s.Request(id); asked {
		return q.FirstDelivery()
	}
	name, _, _ := strings.Cut(id, ":")
	return cite.EvidenceRound(s, name)
}

// account is what moved a voter by its own account: one of three, or nothing of it.
type account struct {
	evidence string // as evidence names it
	member   agents.ID
	nothing  bool   // by nothing new
	problem  string // why it cannot be that
}

// accountOf checks what a voter says has moved it: evidence that it had, or a member on its
// side now whose statement it had read.
func accountOf(s debate.Session, q Sides, now debate.Response) account {
	said := now.Statement.ChangedBy
	if said == nil {
		return account{}
	}
	if *said == "" {
		return account{nothing: true}
	}
	word := strings.Trim(*said, "[] ")
	if found := groundsNamed(s, now, word); found != "" {
		return account{evidence: found}
	}
	quoted := text.Head(word, maxQuotedLength)
	ids := namedSeats(s, word)
	side := q.Of(now.Statement)
	held := func(x debate.Response) bool { return q.Of(x.Statement) == side }
	switch {
	case len(ids) != 1 || ids[0] == now.Turn.Agent || ids[0] == "":
		return account{problem: fmt.Sprintf("changed_by %q is no seat, answer or evidence that it had", quoted)}
	case !slices.ContainsFunc(seenBy(s, now, ids[0]), held):
		return account{problem: fmt.Sprintf("changed_by %q did not hold the side in what it had read", quoted)}
	}
	return account{member: ids[0]}
}

// groundsNamed returns the evidence that a word names, as evidence names it: an answer or
// lines that a speaker had, or a tool of its own turns; "" for all else.
func groundsNamed(s debate.Session, now debate.Response, word string) string {
	named := now
	named.Statement = debate.Statement{Citations: []string{"[" + word + "]"}, ContextUsed: []string{strings.ToUpper(word)}}
	fresh, known := evidence(s, debate.Response{Turn: agents.Turn{Agent: now.Turn.Agent, Round: 1, Step: -1}}, named)
	for _, found := range append(fresh, known...) {
		if strings.EqualFold(found, word) {
			return found
		}
	}
	return ""
}

// seenBy returns what a speaker had read of another member before it spoke.
func seenBy(s debate.Session, now debate.Response, who agents.ID) []debate.Response {
	var out []debate.Response
	for _, r := range s.History[:now.Turn.Round] {
		for _, x := range r.Latest() {
			if x.Turn.Agent == who && slices.Contains(now.SeenResponses, x.ID()) {
				out = append(out, x)
			}
		}
	}
	return out
}

// noteAccount notes where what moved a voter, by its own account, cannot be that.
func noteAccount(s debate.Session, x *debate.Response) {
	if by := accountOf(s, SidesOf(s), *x); by.problem != "" && x.Side != debate.Undecided {
		x.Statement.AddNote("%s", by.problem)
	}
}

func (q Sides) sameUnit(a, b debate.Statement) bool {
	x, y := q.estimate(a), q.estimate(b)
	return x != nil && y != nil && q.unit(*x) == q.unit(*y)
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
// question to the user is answered later, a statement is what a member said, and a list of
// names says nothing of what is in them.
func isSource(t debate.ToolRecord) bool {
	notSources := []string{agents.RequestContextName, "list_evidence", "list_dir", "find_files"}
	if t.Name == agents.ReadEvidenceName && agents.StatementID(t.Args) != "" {
		return false
	}
	return t.State == debate.ToolDone && t.Result.Status == agents.ToolOK && t.Result.Text != "" && !slices.Contains(notSources, t.Name)
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

// Changed lists the compared voters who took a side in the last votes and another one or, as
// they said, none in the first, by seat, with the change that brought them to it.
func Changed(v debate.Verdict, s debate.Session) []debate.Move {
	if v.Comparison == nil {
		return nil
	}
	var out []debate.Move
	once := slices.Concat(v.Comparison.OnlyBefore, v.Comparison.OnlyAfter, v.Comparison.OtherModel)
	for _, p := range s.Seats {
		var first, last, turn *debate.Move
		if slices.Contains(once, p.ID) {
			continue
		}
		for i := range v.Moves {
			m := &v.Moves[i]
			if m.Agent != p.ID {
				continue
			}
			if m.Round == v.Comparison.First && first == nil {
				first = m
			}
			if m.Round > v.Comparison.Last {
				continue
			}
			if m.Round == v.Comparison.Last {
				last = m
			}
			if isChange(*m) {
				turn = m
			}
		}
		if first != nil && last != nil && turn != nil && last.Side != debate.Undecided && first.Side != last.Side {
			out = append(out, *turn)
		}
	}
	return out
}

// isChange reports whether a move has grounds: a change of sides, or the first side of
// somebody who was undecided.
func isChange(m debate.Move) bool {
	switch m.Change {
	case debate.Revised, debate.RevisedOld, debate.Convinced, debate.Conformed:
		return true
	case debate.Opening:
		return m.WasUndecided
	case debate.Held, debate.HeldOther, debate.OtherLabel, debate.OtherModel, debate.Unstated, debate.NoResponse:
	}
	return false
}

// dissent lists who holds another side than the majority in the last votes.
func dissent(s debate.Session, q Sides) []debate.Dissent {
	_, last := firstAndLast(s, q)
	if last == nil {
		return nil
	}
	final := last.count(s, q)
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

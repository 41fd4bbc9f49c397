package verdict

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// votingPhase returns the phase whose statements are votes. It returns false in a mode
// without votes.
func votingPhase(m debate.Mode) (debate.Phase, bool) {
	if m.Votes == debate.VotesNone {
		return debate.Phase{}, false
	}
	return m.Phase(m.Votes), true
}

// HasVote reports whether a seat is a voter: whether it speaks in the voting phase with
// a stance of its own. If no phase is named as the voting phase, a seat whose role
// prescribes a stance has none.
func HasVote(s debate.Session, id agents.ID) bool {
	phase, ok := votingPhase(s.Mode)
	if !ok {
		return false
	}
	_, seat := s.Seat(id)
	role, _ := s.Mode.RoleOf(seat, len(s.Seats))
	if len(phase.Roles) > 0 && !slices.Contains(phase.Roles, role.Name) {
		return false
	}
	return phase.Name != "" || !role.Fixed && role.Stance != debate.NoStance
}

// CountsSides reports whether the votes of a session are sides: there are votes, and
// they are no ballots.
func CountsSides(s debate.Session) bool {
	phase, ok := votingPhase(s.Mode)
	return ok && phase.Asks != debate.AsksRanking
}

func votesHeld(s debate.Session, r debate.Round) bool {
	phase, ok := votingPhase(s.Mode)
	return ok && (phase.Name == "" || phase.Instructions(r.Number, r.Manifest.Rounds) != "")
}

func voters(s debate.Session) []agents.ID {
	var out []agents.ID
	for _, p := range s.Seats {
		if HasVote(s, p.ID) {
			out = append(out, p.ID)
		}
	}
	return out
}

// IsVote reports whether a response was given where votes are cast, by a voter.
func IsVote(s debate.Session, x debate.Response) bool {
	return HasVote(s, x.Turn.Agent) && x.Phase == s.Mode.Votes
}

type vote struct {
	debate.Response
	side debate.Side
}

// Answers reports whether a vote of a phase says what the phase and the question ask for.
// A stated neutral answers any question.
func Answers(s debate.Session, phase string, st debate.Statement) bool {
	switch s.Mode.AskedField(phase) {
	case debate.AsksRanking:
		return len(st.Ranking) > 0
	case debate.AsksFindings:
		return st.Findings != nil && len(s.History) == 1 || st.Judgements != nil || len(s.History) > 1 && len(defectsOf(s)) == 0
	case debate.AsksVote, debate.AsksStance:
	}
	switch {
	case st.Stance == debate.Neutral:
		return true
	case s.Question == debate.QuestionChoice:
		return st.Choice != ""
	case s.Question == debate.QuestionEstimate:
		return SidesOf(s).estimate(st) != nil
	case s.Question == debate.QuestionUnset:
		return st.Stance != ""
	default:
		return st.Stance != "" || st.Choice != ""
	}
}

// isUnread reports whether nothing in a vote can be read. A stated neutral can.
func (q Sides) isUnread(st debate.Statement) bool {
	return st.Stance == "" && st.Choice == "" && q.estimate(st) == nil
}

// ballotBox is all votes on sides that were cast in a phase of a round.
type ballotBox struct {
	round  debate.Round
	phase  string
	held   bool   // every voter ended its turn, see held
	votes  []vote // by seat
	unread []vote // that cannot be read
}

func votesIn(s debate.Session, q Sides, r debate.Round, phase string) ballotBox {
	b := ballotBox{round: r, phase: phase, held: held(s, r, phase)}
	for _, x := range responsesInPhase(s, r, phase) {
		switch {
		case !HasVote(s, x.Turn.Agent):
		case q.isUnread(x.Statement):
			b.unread = append(b.unread, vote{x, debate.Undecided})
		default:
			b.votes = append(b.votes, vote{x, q.Of(x.Statement)})
		}
	}
	return b
}

func (b ballotBox) all() []vote { return slices.Concat(b.votes, b.unread) }

// held reports whether the votes of a phase count: every voter that was due in it ended
// its turn, with an answer, a failure, or cancelled alone. Where the debate was cut short,
// the votes that came before do not stand for the panel.
func held(s debate.Session, r debate.Round, phase string) bool { return heldBy(s, r, phase, voters(s)) }

// heldBy reports whether all of those who were due in a phase ended their turns, and
// somebody was.
func heldBy(s debate.Session, r debate.Round, phase string, who []agents.ID) bool {
	due := false
	for _, step := range s.Mode.Steps(seatsIn(s, r), r.Number, max(r.Manifest.Rounds, r.Number)) {
		if step.Phase != phase {
			continue
		}
		for _, id := range step.Seats {
			if !slices.Contains(who, id) {
				continue
			}
			due = true
			if !slices.ContainsFunc(r.Responses, func(x debate.Response) bool {
				return x.Turn.Agent == id && x.Phase == phase && endedTurn(x)
			}) {
				return false
			}
		}
	}
	return due
}

// endedTurn reports whether a turn came to its end: neither the budget nor the end of the
// debate cut it off.
func endedTurn(x debate.Response) bool {
	return x.Finished() && (x.Failure == nil || x.Failure.Kind != agents.KindBudget && x.Failure.Cause != debate.CauseCutOff)
}

func seatsIn(s debate.Session, r debate.Round) []agents.ID {
	if len(r.Manifest.Seats) > 0 {
		return r.Manifest.Seats
	}
	return s.SeatIDs()
}

// lastHeld returns the last round in which the voting phase was held, 0 for none.
func lastHeld(s debate.Session) int {
	for _, r := range slices.Backward(s.History) {
		if CountsSides(s) && votesHeld(s, r) && held(s, r, s.Mode.Votes) {
			return r.Number
		}
	}
	return 0
}

// occasionsIn returns the occasions on which votes on sides were held or begun, the first
// first, including those without a readable vote.
func occasionsIn(s debate.Session, q Sides, rounds []debate.Round) []ballotBox {
	if !CountsSides(s) {
		return nil
	}
	var out []ballotBox
	for _, r := range rounds {
		if b := votesIn(s, q, r, s.Mode.Votes); b.held || len(b.all()) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// firstAndLast returns the first votes that can be read and the last that were held, nil
// if there are none. Both are the same if votes were held once.
func firstAndLast(s debate.Session, q Sides) (first, last *ballotBox) {
	all := slices.DeleteFunc(occasionsIn(s, q, s.History), func(b ballotBox) bool { return !b.held })
	for i := range slices.Backward(all) {
		if len(all[i].votes) > 0 {
			first = &all[i]
		}
	}
	for i := range all {
		if all[i].phase == s.Mode.Votes {
			last = &all[i]
		}
	}
	return first, last
}

// Vote is what a voter said where sides were counted.
type Vote struct {
	debate.Response
	Side     debate.Side
	Estimate *debate.Estimate // of a question for a number; nil if none can be read
	Unread   bool             // nothing in it can be read
}

// Votes returns the votes before and after the debate: those of the first occasion, if it
// was blind, and of the last one that was held. They are the same if votes were cast once.
func Votes(s debate.Session) (first, last []Vote) {
	q := SidesOf(s)
	before, after := firstAndLast(s, q)
	if before != nil && isBlind(s, *before) {
		first = q.listed(before)
	}
	return first, q.listed(after)
}

func (q Sides) listed(b *ballotBox) (out []Vote) {
	if b != nil {
		for _, v := range b.all() {
			out = append(out, Vote{v.Response, v.side, q.estimate(v.Statement), q.isUnread(v.Statement)})
		}
	}
	return out
}

// cutShort returns the first round after another one in which votes or ballots were due and
// not held, 0 if there is none.
func cutShort(s debate.Session, after int) int {
	for _, r := range s.History {
		if r.Number > after && votesHeld(s, r) && !held(s, r, s.Mode.Votes) {
			return r.Number
		}
	}
	return 0
}

// CheckSide returns an error if no verdict of a session can have the side that a label
// names: the question is answered otherwise, or nobody's side is counted.
func CheckSide(s debate.Session, label string) error {
	switch {
	case s.Mode.Reviews() && (label == ReviewClean || label == ReviewUnconfirmed):
		return nil
	case s.Mode.Reviews():
		return fmt.Errorf("the verdict of mode %s has no side; give %s or %s, not %q", s.Mode.Name, ReviewClean, ReviewUnconfirmed,
			text.Label(label))
	case !CountsSides(s):
		return fmt.Errorf("mode %s counts no sides, so its verdict has none", s.Mode.Name)
	case len(voters(s)) == 0:
		return fmt.Errorf("the roles of mode %s prescribe every side, so its verdict has none", s.Mode.Name)
	}
	switch s.Question {
	case debate.QuestionEstimate:
		return errors.New("an estimate is a number, so its verdict has no side")
	case debate.QuestionYesNo, debate.QuestionUnset:
		if statement.YesOrNo(label) == debate.Undecided {
			return fmt.Errorf("the question is answered with yes or no, not with %q", text.Label(label))
		}
	case debate.QuestionChoice:
		if options := s.GivenOptions(); len(options) > 0 && optionNamed(options, label) < 0 {
			return fmt.Errorf("%q is none of the options: %s", text.Label(label), text.Line(strings.Join(options, "; ")))
		}
	case debate.QuestionOpen:
	}
	if !isReadable(label) || statement.IsNeutral(label) {
		return fmt.Errorf("%q takes no side", text.Label(label))
	}
	return nil
}

// HasSide reports whether the verdict of a session is the side that a label names. Labels
// that were counted as one answer name the same side, as do yes and no of all languages.
func HasSide(s debate.Session, label string) bool {
	if s.Verdict == nil || s.OffScript() {
		return false
	}
	v := *s.Verdict
	if v.Rules < debate.VerdictRules { // an earlier version counted otherwise
		Recount(&v, s)
	}
	if v.Side == nil || *v.Side == debate.Undecided {
		return false
	}
	wanted := statement.EnglishYesOrNo(label)
	if wanted != debate.Undecided && statement.YesOrNo(string(*v.Side)) == wanted && s.Question != debate.QuestionChoice {
		return true
	}
	return *v.Side == SidesOf(s).Of(debate.Statement{Choice: label, Stance: debate.Stance(statement.YesOrNo(label))})
}

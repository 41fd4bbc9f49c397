// Package verdict does all the counting of a debate: agreement, votes, rankings
// and scores, what the panel said without a debate, who changed sides and why,
// and the report that is computed when no chair can write one.
//
// Everything here is a pure function of a session. It imports values and the
// functions over them; it asks no model, stores nothing and draws nothing.
package verdict

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// Compute returns the verdict without the chair's report: missing responses, counts,
// moves, dissent and sources.
func Compute(s debate.Session) debate.Verdict {
	v := debate.Verdict{Rules: debate.VerdictRules, Stopped: s.Stopped, EndReason: s.EndReason()}
	v.Missing, v.CutPrompts, v.Results = MissingResponses(s), s.CutPrompts(), Results(s, len(s.History))
	v.Sources, v.UnknownCitations = sources(s, "")
	if slices.Contains(s.RosterWarnings(), debate.WarningOneFamily) {
		v.Warnings = append(v.Warnings, debate.WarningOneFamily)
	}
	if s.Caps.None && s.Rounds > 1 && s.Mode.Asking != "" {
		v.Warnings = append(v.Warnings, "The seats could ask you nothing (--no-questions).")
	}
	for _, n := range s.Notices {
		if n.Code == debate.NoticeToolsUnread {
			v.Warnings = append(v.Warnings, n.Text)
		}
	}
	for _, r := range s.History {
		if few := s.TooFewAnswers(r); few.CanGoOn() {
			v.Warnings = append(v.Warnings, text.Capitalize(few.Summary())+".")
		}
	}
	if s.Mode.Reviews() && s.Rounds == 1 {
		v.Warnings = append(v.Warnings, oneRoundReview)
	}
	if same := sameFindings(s); same != nil && same.Ignored != "" {
		v.Warnings = append(v.Warnings, fmt.Sprintf("Findings with different titles were not compared by %s: %s.", same.By, same.Ignored))
	}
	v.Coverage = coverage(s)
	addCounts(&v, s, SidesOf(s))
	return v
}

// oneRoundReview says what a review lacks that has no round for it.
const oneRoundReview = "The review had one round: no seat could ask you anything, and nobody judged the findings of another."

func addCounts(v *debate.Verdict, s debate.Session, q Sides) {
	v.Findings = review(s)
	v.Unstated = unstated(s, q, s.History[len(s.History)-1])
	v.Baseline, v.Final = count(q, len(voters(s)), nil), count(q, len(voters(s)), nil)
	first, last := firstAndLast(s, q)
	if first != nil {
		v.Baseline = first.count(s, q)
	}
	if last != nil {
		v.Final = last.count(s, q)
	}
	v.Side, v.Changed = nil, nil
	if side := v.Final.Majority; side != debate.Undecided {
		v.Side = &side
	}
	v.Comparison = compare(s, q)
	if c := v.Comparison; c != nil && (c.Result == debate.AnswerSame || c.Result == debate.AnswerChanged) {
		changed := c.Result == debate.AnswerChanged
		v.Changed = &changed
	}
	v.Moves, v.Dissent, v.PhasePositions = moves(s, q), dissent(s, q), phasePositions(s, q)
	if v.Outcome == "" || v.Outcome == debate.OutcomeFull || v.Outcome == debate.OutcomeDegraded {
		v.Outcome = outcome(*v)
	}
	if v.Results != nil && v.Results.Ranking != nil {
		v.Pick = pickByBallots(*v.Results.Ranking)
	}
	setPickSide(v, s)
	setHeadline(v, s, q)
}

// Recount counts a verdict that was written before the present rules of counting.
func Recount(v *debate.Verdict, s debate.Session) {
	s.Verdict = v
	v.Rules, v.Results = debate.VerdictRules, Results(s, len(s.History))
	addCounts(v, s, SidesOf(s))
}

func outcome(v debate.Verdict) debate.Outcome {
	switch {
	case v.Stopped.Forced():
		return debate.OutcomeStopped
	case len(v.Missing)+len(v.Unstated)+len(v.CutPrompts) > 0,
		v.Findings != nil && len(v.Findings.Incomplete)+len(v.Findings.Unread) > 0:
		return debate.OutcomeDegraded
	default:
		return debate.OutcomeFull
	}
}

// unstated lists who spoke in the last round and said nothing there that can be read as
// a position or an answer, although asked for it. A stated neutral is an answer.
func unstated(s debate.Session, q Sides, last debate.Round) []agents.ID {
	if s.Mode.Reviews() { // see Findings.Unread
		return nil
	}
	asked, stated := map[agents.ID]bool{}, map[agents.ID]bool{}
	for _, x := range last.Latest() {
		if st := x.Statement; x.HasStatement() && s.Mode.AskedField(x.Phase) != debate.AsksRanking {
			asked[x.Turn.Agent] = true
			if st.Position != "" || !q.isUnread(st) {
				stated[x.Turn.Agent] = true
			}
		}
	}
	var out []agents.ID
	for _, p := range s.Seats {
		if asked[p.ID] && !stated[p.ID] {
			out = append(out, p.ID)
		}
	}
	return out
}

// IsReport reports whether a chair's answer has words: a structured part alone is no
// report.
func IsReport(reply agents.Reply) bool {
	st := statement.Parse(reply.Text)
	return st.Body != "" || st.Position != ""
}

// AddReport adds a chair's report to the verdict.
func AddReport(v *debate.Verdict, s debate.Session, chair agents.Profile, reply agents.Reply) {
	st := statement.Parse(reply.Text)
	v.Chair, v.ChairName, v.ChairModel = chair.ID, chair.Name, chair.Model
	v.Text, v.Confidence = s.RestoreNames(st.Body), st.Confidence
	if st.Body == "" {
		v.Text = s.RestoreNames(st.Position)
	}
	if reply.Finish == agents.FinishLength {
		v.Warnings = append(v.Warnings, "The report was cut at the chair's length limit.")
	}
	_, seat := s.Seat(chair.ID)
	v.ChairIsMember = seat > 0
	v.Warnings = append(v.Warnings, s.ChairWarnings(chair)...)
	v.Sources, v.UnknownCitations = sources(s, v.Text)
	if reply.Cut != nil {
		v.CutPrompts = append(v.CutPrompts, debate.CutPrompt{Agent: chair.ID, Name: chair.Name, Cut: *reply.Cut})
		v.Outcome = outcome(*v)
		setHeadline(v, s, SidesOf(s))
	}
	setPick(v, s, reply.Text)
}

// AddFallback adds a computed report to the verdict of a debate in which no chair
// succeeded, with the causes.
func AddFallback(v *debate.Verdict, s debate.Session, causes []string) {
	if v.Outcome != debate.OutcomeStopped {
		v.Outcome = debate.OutcomeNoSynthesis
	}
	q, statements := SidesOf(s), s.History[len(s.History)-1].Statements()
	switch {
	case len(causes) > 0:
		v.Cause = strings.Join(causes, "; ")
	case !slices.ContainsFunc(s.History, func(r debate.Round) bool { return len(r.Statements()) > 0 }):
		v.Cause = "no seat answered"
	default:
		v.Cause = "no seat can be the chair"
	}
	setHeadline(v, s, q)
	var b strings.Builder
	b.WriteString("No synthesis: " + v.Cause + ". What follows is counted without a model.\n\n## Positions\n")
	for _, p := range s.Seats {
		text := fmt.Sprintf("no statement in round %d", len(s.History))
		if i := slices.IndexFunc(statements, func(x debate.Response) bool { return x.Turn.Agent == p.ID }); i >= 0 {
			text = position(statements[i], q.Of(statements[i].Statement))
		}
		fmt.Fprintf(&b, "\n- **%s**: %s", p.Name, text)
	}
	if lines := ResultLines(v.Results, func(id agents.ID) string { p, _ := s.Seat(id); return p.Name }); len(lines) > 0 {
		b.WriteString("\n\n## Ballots, votes and scores\n")
		for _, l := range lines {
			b.WriteString("\n- " + l)
		}
	}
	v.Text = b.String()
}

func position(x debate.Response, side debate.Side) string {
	switch {
	case x.Statement.Position == "" && side == debate.Undecided:
		return "not stated"
	case x.Statement.Position == "":
		return string(side)
	case side == debate.Undecided:
		return x.Statement.Position
	}
	return x.Statement.Position + " (" + string(side) + ")"
}

// MissingResponses lists every turn without a statement, with its cause.
func MissingResponses(s debate.Session) []debate.MissingResponse {
	ids := s.SeatIDs()
	var out []debate.MissingResponse
	for _, r := range s.History {
		latest := r.Latest()
		steps := s.Mode.Steps(ids, r.Number, r.Manifest.Rounds)
		for _, p := range s.Seats {
			for _, step := range steps {
				if !slices.Contains(step.Seats, p.ID) {
					continue
				}
				a := debate.MissingResponse{Agent: p.ID, Name: p.Name, Round: r.Number, Phase: step.Phase}
				i := slices.IndexFunc(latest, func(x debate.Response) bool { return x.Turn.Agent == p.ID && x.Turn.Step == step.Index })
				if i >= 0 && latest[i].HasStatement() {
					continue
				}
				if i >= 0 && latest[i].Failure != nil {
					a.Cause = debate.ShortCause(latest[i].Failure.Kind, latest[i].Failure.Cause)
				}
				out = append(out, a)
			}
		}
	}
	return out
}

// sources lists the released answers with who cites them, and what is cited without
// having been released or without existing. Text is the chair's report.
func sources(s debate.Session, text string) (lines []debate.SourceLine, unknown []string) {
	by := map[string][]agents.ID{}
	seen := map[string]bool{}
	addUnknown := func(id string) {
		if revision(s, id, len(s.History)) == 0 && markSeen(seen, id) {
			unknown = append(unknown, id)
		}
	}
	for _, r := range s.History {
		for _, x := range r.Statements() {
			requests, _ := cite.Sources(x.Statement)
			for _, id := range requests {
				addUnknown(id)
				if revision(s, id, r.Number) > 0 && !slices.Contains(by[id], x.Turn.Agent) {
					by[id] = append(by[id], x.Turn.Agent)
				}
			}
		}
	}
	for _, id := range cite.Requests(text) {
		addUnknown(id)
	}
	s.Verdict = &debate.Verdict{Text: text}
	for _, c := range cite.All(s) {
		if id := c.Citation.String(); c.Problem != "" && markSeen(seen, id) {
			unknown = append(unknown, id)
		}
	}
	for _, q := range s.Requests {
		a, released := q.Revision(revision(s, q.ID, len(s.History)))
		if !released {
			continue
		}
		line := debate.SourceLine{ID: q.ID, Text: a.Content, Source: a.From(), CitedBy: by[q.ID]}
		if a.Outcome == ledger.Unavailable {
			line.Text = fmt.Sprintf("unavailable: %s", a.Content)
		}
		lines = append(lines, line)
	}
	return lines, unknown
}

func markSeen(seen map[string]bool, item string) bool {
	if seen[item] {
		return false
	}
	seen[item] = true
	return true
}

func revision(s debate.Session, id string, round int) int {
	n := 0
	q, _ := s.Request(id)
	for _, d := range q.Delivered {
		if d.Round <= round {
			n = d.Revision
		}
	}
	return n
}

// extraSpending returns what everything but the first votes cost: what members said
// after them, chairs and the light model. Without votes, all of round 1 counts as them.
// What a fork was begun with is no cost of it.
func extraSpending(s debate.Session, chair debate.Spending) debate.Spending {
	sum := debate.Spending{Cost: new(float64)}
	first, _ := firstAndLast(s, SidesOf(s))
	for _, r := range s.History {
		for _, x := range r.Responses {
			if x.Inherited || first == nil && r.Number == 1 || first != nil && first.untilVotes(x) {
				continue
			}
			sum = sum.Plus(x.Calls, x.Usage, x.Cost)
		}
	}
	for _, part := range append([]debate.Spending{chair}, s.AuxiliarySpending...) {
		if part.Purpose == debate.ForFollowUp { // no part of the answer
			continue
		}
		sum = sum.Plus(part.Calls, part.Usage, part.Cost)
	}
	return sum
}

func (b ballotBox) untilVotes(x debate.Response) bool {
	if x.Turn.Round != b.round.Number {
		return x.Turn.Round < b.round.Number
	}
	step := 0
	for _, v := range b.votes {
		step = max(step, v.Turn.Step)
	}
	return x.Turn.Step <= step
}

// spendingByPurpose lists what members, chair and light model cost if they were called,
// and the total. Earlier chairs without a verdict count as the chair.
func spendingByPurpose(s debate.Session, chair debate.Spending) []debate.Spending {
	out := []debate.Spending{budget.MemberSpending(s, 1)}
	var others []debate.Spending
	for _, a := range s.AuxiliarySpending {
		if a.Purpose == debate.ForChair {
			chair = chair.Plus(a.Calls, a.Usage, a.Cost)
		} else {
			others = append(others, a)
		}
	}
	var total debate.Spending
	for _, part := range append([]debate.Spending{chair}, others...) {
		if part.Calls > 0 {
			out = append(out, part)
		}
	}
	total.Cost = out[0].Cost
	for _, part := range out {
		total = total.Plus(part.Calls, part.Usage, part.Cost)
	}
	return append(out, total)
}

// AddSpending sets what the debate cost. Chair is what the chairs of this verdict cost.
func AddSpending(v *debate.Verdict, s debate.Session, chair debate.Spending) {
	v.Spending, v.ExtraSpending = spendingByPurpose(s, chair), extraSpending(s, chair)
}

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Conclusion is what a verdict says. It is made once and then only rendered.
//
// The verdict screen makes one when it is given a session. Headline and Ended are its
// first row, Text its main box with Opinions and Sources below, Pick a tab, and Baseline,
// Cautions, Results, Agreement, Changes and Spending a panel each. A screen that draws
// symbols or bars takes them from the typed fields, such as Move.Change and
// Agreement.Level, and every word from here.
type Conclusion struct {
	Outcome    debate.Outcome
	Headline   string // the outcome in one line, never softer than it is
	Presence   string // which members answered in every round
	Ended      string // how the debate ended, such as "Ended after the planned rounds"; "" if it is not recorded
	Stopped    debate.StopReason
	Settled    string // how the verdict turned out, such as "Outcome: right"; "" if nobody has said it
	Author     Author
	Text       string   // Markdown
	Confidence *float64 // of the author; nil: not stated

	Pick *Pick // the strongest single answer; nil without one

	Review   *Review // nil unless the debate was a review
	Baseline Baseline
	Changes  Changes
	Dissent  []Opinion
	Views    []Opinion // of the last round's further phases, by phase

	Labels []string // sentences about which labels mean the same, and who says so

	// Results and ResultLines are the rankings, votes and scores of the last round,
	// as tables and in a sentence each; Counted is what they are made of.
	Results     []Table
	ResultLines []string
	Counted     *debate.Results

	Weak     []string          // sentences about what makes the result weak, the gravest first
	Warnings []string          // about the verdict
	Unknown  []string          // sentences about citations of answers that were not released
	Missing  []string          // sentences about what was not said, or could not be read
	Ignored  []string          // sentences about members who did not use what they had asked for
	Sources  []Answered        // released answers
	Open     []OpenRequest     // requests that nobody answered
	Cited    []Cited           // citations of evidence
	Spending []debate.Spending // by purpose, then the total, then what a fork inherited
}

// Author is who wrote a verdict. A computed one has no name.
type Author struct {
	Name, Model string
	Member      bool // also a member of the panel
}

// Pick is the strongest single answer, whole and as it was given.
type Pick struct {
	Heading string
	By      string // who picked it and why, in a sentence
	Text    string // Markdown; left out if the session has its responses in outline
	Turn    agents.Turn
}

func pickOf(v debate.Verdict, s debate.Session) *Pick {
	if v.Pick == nil {
		return nil
	}
	x, ok := verdict.Picked(s, v.Pick.Agent)
	if !ok {
		return nil
	}
	by := fmt.Sprintf("%s, picked by %s", s.NameOf(v.Pick.Agent), v.Pick.By)
	if v.Pick.Reason != "" {
		by += ": " + strings.TrimSuffix(v.Pick.Reason, ".")
	}
	if len(v.Pick.Tied) > 0 {
		by += ", level with " + text.List(s.NamesOf(v.Pick.Tied))
	}
	p := &Pick{Heading: verdict.PickHeading(*v.Pick), By: by + ".", Turn: x.Turn}
	if !x.Outlined {
		p.Text = cmp.Or(x.Statement.Body, x.Statement.Position)
	}
	return p
}

// Baseline compares the first votes with the last.
type Baseline struct {
	Title         string       // "Without and with the debate" if the first votes were blind to each other
	Line          string       // what the debate changed
	Votes         string       // the first votes, such as "yes 2, no 1"; "" if there was one vote or none
	Final         string       // the last votes; "" if there were none
	Before, After debate.Tally // the first and the last votes
	Changed       *bool        // nil: there is nothing to compare
	Added         string       // what the panel added to one model's answer, in a sentence; "" if Line says it or nobody knows
	Cost          string       // what came after the first votes, in a sentence; "" if nothing did
}

func baselineOf(v debate.Verdict, s debate.Session) Baseline {
	if v.Findings != nil {
		return Baseline{Title: "What the panel added", Added: verdict.WhatItAdded(v, s), Cost: extraLine(v, s)}
	}
	b := Baseline{
		Title: comparisonTitle(v), Line: comparisonLine(v, s), Final: verdict.CountsOf(v.Final),
		Before: v.Baseline, After: v.Final, Changed: v.Changed, Added: verdict.WhatItAdded(v, s), Cost: extraLine(v, s),
	}
	if strings.HasPrefix(b.Line, strings.TrimSuffix(b.Added, ".")) {
		b.Added = ""
	}
	if v.Comparison != nil {
		b.Votes = verdict.CountsOf(v.Baseline)
	}
	return b
}

func extraLine(v debate.Verdict, s debate.Session) string {
	e, first := v.ExtraSpending, "the first votes"
	switch {
	case noneRead(v.Final), v.Findings != nil:
		first = "round 1"
	case v.Comparison == nil:
		first = "the votes"
	}
	if e.Calls == 0 {
		return ""
	}
	cost := "cost unknown"
	if e.Cost != nil {
		cost = agents.CostText(text.Price(e.Cost), e.Cost, s.Speakers()...)
	}
	return fmt.Sprintf("Everything after %s took %s, %s, %s.", first, text.Count(e.Calls, "call"), tokens(e.Usage), cost)
}

func comparisonLine(v debate.Verdict, s debate.Session) string {
	c := v.Comparison
	if c == nil {
		return singleVoteLine(v, s)
	}
	before, after := verdict.BothAnswers(*c)
	var line string
	switch some := len(c.OnlyBefore)+len(c.OnlyAfter)+len(c.OtherModel) > 0; {
	case some:
		line = votersOfBothLine(*c, before, after)
	case c.Result == debate.AnswerChanged && c.Blind:
		line = fmt.Sprintf("The debate changed the answer: %s → %s.", before, after)
	case c.Result == debate.AnswerChanged:
		line = fmt.Sprintf("The answer changed after round %d: %s → %s.", c.First, before, after)
	case c.After.Majority == debate.Undecided && c.After.Median == nil && before != after:
		line = fmt.Sprintf("There was no majority after round %d, and there is none at the end: %s → %s.", c.First, before, after)
	case c.After.Majority == debate.Undecided && c.After.Median == nil:
		line = fmt.Sprintf("There was no majority after round %d, and there is none at the end: %s.", c.First, after)
	case c.Blind:
		line = fmt.Sprintf("The debate did not change the answer: %s.", after)
	default:
		line = fmt.Sprintf("The answer is the same as after round %d: %s.", c.First, after)
	}
	if n := len(c.OnlyBefore); n > 0 {
		line += absentLine(n, c.Last, text.Inflect(n, "is", "are"), v.Final.Unread)
	}
	if n := len(c.OnlyAfter); n > 0 {
		line += absentLine(n, c.First, text.Inflect(n, "was", "were"), v.Baseline.Unread)
	}
	for _, id := range c.OtherModel {
		first, last := s.SpeakerOf(debate.ForMember, agents.Turn{Agent: id, Round: c.First}),
			s.SpeakerOf(debate.ForMember, agents.Turn{Agent: id, Round: c.Last})
		line += fmt.Sprintf(" %s is not compared: %s voted first, %s last.", s.NameOf(id), modelName(first), modelName(last))
	}
	return line
}

// comparisonTitle names the first votes and the last: the first are what the panel would
// have said without a debate if they were blind to each other.
func comparisonTitle(v debate.Verdict) string {
	switch {
	case v.Comparison == nil:
		return "Votes"
	case v.Comparison.Blind:
		return "Without and with the debate"
	default:
		return fmt.Sprintf("After round %d and at the end", v.Comparison.First)
	}
}

// Lines returns the votes, what the debate changed and what it took, a sentence or two
// each.
func (b Baseline) Lines() []string {
	var lines []string
	last := "Votes"
	if b.Votes != "" {
		last = "Last votes"
		lines = append(lines, fmt.Sprintf("First votes: %s.", b.Votes))
	}
	if b.Final != "" {
		lines = append(lines, fmt.Sprintf("%s: %s.", last, b.Final))
	}
	for _, line := range []string{b.Line, b.Added, b.Cost} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// Changes is the change ledger: what every voter did in every round.
type Changes struct {
	Line   string // how many voters changed sides without evidence
	Rounds []int
	Seats  []SeatChanges // empty if nothing was recorded
}

// SeatChanges is a row of the change ledger.
type SeatChanges struct {
	Agent agents.ID
	Name  string
	Moves []*debate.Move // one for each round; nil: none is recorded
}

// Of returns what a seat did in a round; nil if nothing is recorded.
func (c Changes) Of(id agents.ID, round int) *debate.Move {
	for _, seat := range c.Seats {
		if i := slices.Index(c.Rounds, round); seat.Agent == id && i >= 0 {
			return seat.Moves[i]
		}
	}
	return nil
}

// Answered is a released answer with those who cite it.
type Answered struct {
	ID, Text, Source string
	CitedBy          string // names, and "the verdict"; "" for nobody
}

// Opinion is what a member holds.
type Opinion struct {
	Agent      agents.ID
	Name, Role string
	Phase      string // "" for a statement
	Side       debate.Side
	Stance     debate.Stance
	Confidence *float64
	Position   string
	Standing   string // its side and confidence, such as "votes yes · 70%"
}

// Conclude returns what a verdict of a session says, with all text made safe. The
// session needs its mode and seats; rounds that it does not have yet are only
// missing from Changes.
func Conclude(v debate.Verdict, s debate.Session) Conclusion {
	return scrub(conclude(v, s), text.Sanitize)
}

func conclude(v debate.Verdict, s debate.Session) Conclusion {
	v = Counted(v, s)
	seatName := func(id agents.ID) string { p, _ := s.Seat(id); return p.Name }
	c := Conclusion{
		Outcome: v.Outcome, Headline: v.Headline, Presence: verdict.Presence(v, s),
		Ended: endedLine(v.EndReason), Stopped: v.Stopped, Settled: settledLine(v, s),
		Author: Author{v.ChairName, v.ChairModel, v.ChairIsMember}, Text: v.Text, Confidence: v.Confidence,
		Pick:     pickOf(v, s),
		Review:   reviewOf(v, s),
		Baseline: baselineOf(v, s),
		Changes:  changesOf(v, s),
		Labels:   labelLines(v, s),
		Results:  resultTables(v.Results, s), ResultLines: verdict.ResultLines(v.Results, seatName), Counted: v.Results,
		Warnings: v.Warnings, Unknown: unknownCitations(v, s),
		Spending: withInherited(spentSince(v, s), budget.InheritedSpending(s)),
		Open:     openRequests(s),
	}
	for _, d := range v.Dissent {
		o := Opinion{
			Agent: d.Agent, Name: d.Name, Side: d.Side, Stance: d.Stance, Confidence: d.Confidence,
			Position: d.Position,
		}
		o.Standing = opinionStanding(s, o, s.Mode.Votes)
		c.Dissent = append(c.Dissent, o)
	}
	s.Verdict = &v
	c.Cited = citedOf(s)
	inReport := cite.Requests(v.Text)
	for _, src := range v.Sources {
		by := citing(s, src.CitedBy, slices.Contains(inReport, src.ID))
		c.Sources = append(c.Sources, Answered{src.ID, src.Text, src.Source, by})
	}
	for _, x := range v.PhasePositions {
		if x.Phase == s.Mode.Votes && slices.ContainsFunc(v.Dissent, func(d debate.Dissent) bool { return d.Agent == x.Agent }) {
			continue // it is shown as dissent
		}
		o := Opinion{
			Agent: x.Agent, Name: x.Name, Role: x.Role, Phase: x.Phase, Side: x.Side, Stance: x.Stance, Confidence: x.Confidence,
			Position: x.Position,
		}
		o.Standing = opinionStanding(s, o, x.Phase)
		c.Views = append(c.Views, o)
	}
	c.addWeaknesses(v, s)
	for _, r := range s.History {
		for _, x := range r.Responses {
			if ids := cite.UnaddressedAnswers(s, x); len(ids) > 0 {
				c.Ignored = append(c.Ignored, fmt.Sprintf("%s asked for %s but did not use %s in round %d.",
					s.NameOf(x.Turn.Agent), text.List(ids), text.Inflect(len(ids), "the answer", "the answers"), r.Number))
			}
		}
	}
	return c
}

// labelLines says which labels of an open question count as the same answer, and who
// says so.
func labelLines(v debate.Verdict, s debate.Session) []string {
	if s.Question != debate.QuestionOpen || !verdict.CountsSides(s) {
		return nil
	}
	used := map[debate.Side]bool{}
	for _, m := range v.Moves {
		used[m.Side] = true
	}
	delete(used, debate.Undecided)
	if free := len(used); free > 2 || free == 2 && !(used[debate.SideYes] && used[debate.SideNo]) {
		return []string{"Labels are compared as written."}
	}
	return nil
}

// endedLine says how a debate ended, by the reason that its verdict has.
func endedLine(reason string) string {
	switch {
	case reason == "":
		return ""
	case reason == "maximum of rounds":
		return "Ended after the planned rounds"
	case strings.HasPrefix(reason, "stopped"):
		return text.Capitalize(reason)
	default:
		return "Ended because " + reason
	}
}

// spentSince returns what a session spent up to its verdict, and on follow-ups after it.
func spentSince(v debate.Verdict, s debate.Session) []debate.Spending {
	if len(s.FollowUps) > 0 {
		return spentOf(s)
	}
	return v.Spending
}

func openRequests(s debate.Session) []OpenRequest {
	var out []OpenRequest
	for _, q := range s.Requests {
		if q.State == ledger.Pending || q.State == ledger.Expired {
			out = append(out, OpenRequest{q.ID, q.Query, string(q.Priority) + ", asked by " + text.List(s.NamesOf(q.Askers()))})
		}
	}
	return out
}

func changesOf(v debate.Verdict, s debate.Session) Changes {
	c := Changes{Line: ledgerLine(v, s)}
	for _, r := range s.History {
		c.Rounds = append(c.Rounds, r.Number)
	}
	if len(v.Moves) == 0 {
		return c
	}
	for _, p := range s.Seats {
		if !verdict.HasVote(s, p.ID) {
			continue
		}
		row := SeatChanges{Agent: p.ID, Name: p.Name}
		for _, round := range c.Rounds {
			row.Moves = append(row.Moves, moveOf(v.Moves, p.ID, round))
		}
		c.Seats = append(c.Seats, row)
	}
	return c
}

func moveOf(moves []debate.Move, id agents.ID, round int) *debate.Move {
	for i := range moves {
		if moves[i].Agent == id && moves[i].Round == round {
			return &moves[i]
		}
	}
	return nil
}

// addWeaknesses sets what is missing from a verdict and what makes it weak, each said once.
func (c *Conclusion) addWeaknesses(v debate.Verdict, s debate.Session) {
	if len(v.Missing) > 0 {
		c.Missing = append(c.Missing, c.Presence+".")
	}
	if n := len(v.Unstated); n > 0 {
		c.Missing = append(c.Missing, fmt.Sprintf("The %s of %s in round %d could not be read.", text.Plural(n, "answer"),
			text.List(s.NamesOf(v.Unstated)), len(s.History)))
	}
	for _, p := range v.CutPrompts {
		c.Missing = append(c.Missing, p.Text())
	}
	if v.Cause != "" {
		missing := "No report by a chair: " + v.Cause + "."
		if v.OverBudget {
			missing += " A larger budget has it written."
		}
		c.Missing = append(c.Missing, missing)
	}
	c.Missing = slices.Concat(c.Missing, verdict.UnitNotes(s), unusedAnswers(s))
	unshown := verdict.CoverageSentences(v, s)
	for i, weak := range v.Weak {
		if i == 0 && verdict.IsUnshown(weak) { // each file says more
			continue
		}
		c.Weak = append(c.Weak, verdict.WeakSentence(weak))
	}
	c.Weak = append(unshown, c.Weak...)
	if verdict.OfOneModel(v) { // which says more
		c.Warnings = slices.DeleteFunc(slices.Clone(c.Warnings), func(w string) bool { return w == debate.WarningOneFamily })
	}
}

// unusedAnswers says which answers and corrections no seat has read.
func unusedAnswers(s debate.Session) (out []string) {
	for _, r := range s.Requests {
		a, waits := r.Undelivered()
		if !waits {
			continue
		}
		what := "answer to"
		if a.Correction {
			what = "correction of"
		}
		out = append(out, fmt.Sprintf("No seat has read the %s %s: it came too late for the last round, and is sent if you add rounds.",
			what, r.ID))
	}
	return out
}

// settledLine says how a verdict turned out, with a label; "" if nobody has said it.
func settledLine(v debate.Verdict, s debate.Session) string {
	s.Verdict = &v
	if line := verdict.SettledLine(s); line != "" {
		return "Outcome: " + line
	}
	return ""
}

// Byline says who wrote the verdict, how sure that is, and why the debate ended.
func (c Conclusion) Byline() string {
	line := "No chair wrote this."
	if c.Author.Name != "" {
		line = "Written by " + c.Author.Name
		if c.Author.Model != "" {
			line += ", " + c.Author.Model
		}
		if c.Author.Member {
			line += ", a seat"
		}
		line += ". The chair's own confidence: " + confidence(c.Confidence) + "."
	}
	if c.Ended != "" {
		line += " " + c.Ended + "."
	}
	return line
}

// CautionsTitle is the heading of the cautions.
const CautionsTitle = "Missing and weak"

// Cautions returns what is missing, what makes the result weak, and what else a reader
// should beware of, in sentences.
func (c Conclusion) Cautions() []string {
	return slices.Concat(c.Missing, c.Weak, c.Warnings, wrongCitations(c.Unknown, c.Cited), c.Ignored)
}

// Figures returns the views and the results as tables.
func (c Conclusion) Figures() []Table { return append(viewTables(c.Views), c.Results...) }

// Ledger returns the change ledger as a table; none if nothing was recorded.
func (c Conclusion) Ledger() []Table {
	if len(c.Changes.Seats) == 0 {
		return nil
	}
	return []Table{c.Changes.table()}
}

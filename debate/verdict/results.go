package verdict

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Results returns the results of the structured parts up to the given round, nil if no
// round asked for any. Polls count over all these rounds, the first as before and the
// last as after; of rankings and scores those of the last round in which they were held.
func Results(s debate.Session, round int) *debate.Results {
	var out debate.Results
	polls := PollPhases(s.Mode)
	for i := range s.History[:min(round, len(s.History))] {
		r := s.History[i]
		for _, p := range append([]debate.Phase{s.Mode.Phase("")}, s.Mode.Phases...) {
			switch asked := p.Asks == debate.AsksRanking || p.Asks == debate.AsksScores; {
			case !asked || !heldBy(s, r, p.Name, s.SeatIDs()):
			case p.Asks == debate.AsksRanking:
				out.Ranking = rankingOf(s, r, p.Name)
			default:
				out.Matrix = matrixOf(s, r, p.Name)
			}
		}
	}
	if len(polls) == 2 {
		out.Shift = shiftOf(s, s.History[:min(round, len(s.History))], polls[0], polls[1])
	}
	if out == (debate.Results{}) {
		return nil
	}
	return &out
}

func responsesInPhase(s debate.Session, r debate.Round, phase string) []debate.Response {
	var out []debate.Response
	latest := r.Latest()
	for _, p := range s.Seats {
		for _, x := range latest {
			if x.Turn.Agent == p.ID && x.Phase == phase && x.HasStatement() {
				out = append(out, x)
			}
		}
	}
	return out
}

// rankingOf counts the ballots of a phase, nil if there are none. A ballot without a
// readable entry has an empty order and gives no points.
func rankingOf(s debate.Session, r debate.Round, phase string) *debate.Ranking {
	ballots := responsesInPhase(s, r, phase)
	if len(ballots) == 0 {
		return nil
	}
	out := &debate.Ranking{Round: r.Number, Seed: r.Manifest.Seed, Due: max(len(ballots), dueIn(s, r, phase))}
	var answers []agents.ID
	for _, x := range responsesInPhase(s, r, "") {
		answers = append(answers, x.Turn.Agent)
		out.Places = append(out.Places, debate.Place{Agent: x.Turn.Agent})
	}
	for _, x := range ballots {
		order, _ := ReadBallot(s, x, answers)
		out.Ballots = append(out.Ballots, debate.Ballot{Agent: x.Turn.Agent, Order: order})
		best := len(answers) - 1
		if slices.Contains(answers, x.Turn.Agent) {
			best--
		}
		for i := range out.Places {
			if len(order) > 0 && out.Places[i].Agent != x.Turn.Agent {
				out.Places[i].Stood++
			}
		}
		for i, id := range order {
			index := slices.IndexFunc(out.Places, func(p debate.Place) bool { return p.Agent == id })
			out.Places[index].Points += best - i
			if i == 0 {
				out.Places[index].Firsts++
			}
		}
	}
	slices.SortStableFunc(out.Places, func(a, b debate.Place) int { return comparePlaces(b, a) })
	for i := range out.Places {
		switch {
		case out.Places[i].Stood == 0:
		case i > 0 && comparePlaces(out.Places[i], out.Places[i-1]) == 0:
			out.Places[i].Place = out.Places[i-1].Place
		default:
			out.Places[i].Place = i + 1
		}
	}
	return out
}

// comparePlaces compares two answers by their points per ballot on which they could stand.
func comparePlaces(a, b debate.Place) int {
	if a.Stood == 0 || b.Stood == 0 {
		return a.Stood - b.Stood
	}
	return a.Points*b.Stood - b.Points*a.Stood
}

func dueIn(s debate.Session, r debate.Round, phase string) int {
	seats := map[agents.ID]bool{}
	for _, step := range s.Mode.Steps(seatsIn(s, r), r.Number, max(r.Manifest.Rounds, r.Number)) {
		for _, id := range step.Seats {
			seats[id] = seats[id] || step.Phase == phase
		}
	}
	n := 0
	for _, due := range seats {
		if due {
			n++
		}
	}
	return n
}

func readableBallots(r debate.Ranking) int {
	n := 0
	for _, b := range r.Ballots {
		if len(b.Order) > 0 {
			n++
		}
	}
	return n
}

// ReadBallot reads a ranking of the others' answers. Entries that do not count are
// noted: those that name nobody, several members, the member itself, or one for the
// second time.
func ReadBallot(s debate.Session, x debate.Response, answers []agents.ID) (order []agents.ID, notes []string) {
	for _, entry := range x.Statement.Ranking {
		named := text.Head(entry, maxQuotedLength)
		switch ids := namedSeats(s, entry); {
		case len(ids) > 1:
			notes = append(notes, fmt.Sprintf("%q in its ranking names more than one seat", named))
		case len(ids) == 0 || !slices.Contains(answers, ids[0]) && ids[0] != x.Turn.Agent:
			notes = append(notes, fmt.Sprintf("%q in its ranking is no seat's answer", named))
		case ids[0] == x.Turn.Agent:
			notes = append(notes, "its own answer in its ranking was not counted")
		case slices.Contains(order, ids[0]):
			notes = append(notes, fmt.Sprintf("%q is in its ranking twice; the first counts", named))
		default:
			order = append(order, ids[0])
		}
	}
	left := len(answers) - len(order)
	if slices.Contains(answers, x.Turn.Agent) {
		left--
	}
	if left > 0 {
		notes = append(notes, fmt.Sprintf("its ranking leaves out %d of the answers", left))
	}
	return order, notes
}

// listNumber is a list number in front of an entry, such as "1.", "1st:", "#1" or
// "first place -".
var listNumber = regexp.MustCompile(`(?i)^\s*(?:#\s*\d+\s*[.:)\-–—]?|\(?\d+\s*[.):]|\d+(?:st|nd|rd|th)(?:\s+place)?\s*[.:)\-–—]?|` +
	`(?:first|second|third|fourth|fifth|sixth|seventh|eighth|last|best)(?:\s+place)?\s*[.:)\-–—]|\d+\s+[\-–—])\s*`)

// namedSeats returns the members that an entry names: by the mode's label, or else by
// name or id, or else by a bare number.
func namedSeats(s debate.Session, entry string) []agents.ID {
	if rest := listNumber.ReplaceAllString(entry, ""); strings.TrimSpace(rest) != "" {
		entry = rest
	}
	if ids := labelledSeats(s, entry); len(ids) > 0 {
		return ids
	}
	var ids []agents.ID
	for _, p := range s.Seats {
		if text.Fold(strings.TrimSpace(entry)) == text.Fold(p.Name) {
			return []agents.ID{p.ID}
		}
	}
	for _, p := range s.Seats {
		if containsWord(entry, p.Name) || containsWord(entry, string(p.ID)) {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) > 0 {
		return ids
	}
	n, err := strconv.Atoi(strings.Trim(entry, " \t#.:()[]*\"'`"))
	if err != nil || n < 1 || n > len(s.Seats) {
		return nil
	}
	return []agents.ID{s.Seats[n-1].ID}
}

// labelledSeats returns the members that are named by the mode's label, each once; "" is
// a member that does not exist.
func labelledSeats(s debate.Session, entry string) []agents.ID {
	if s.Mode.Label == "" {
		return nil
	}
	pattern := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(s.Mode.Label) + `[\s\-_#.:]*(\d+)`)
	var ids []agents.ID
	for _, m := range pattern.FindAllStringSubmatch(entry, -1) {
		var id agents.ID
		if n, err := strconv.Atoi(m[1]); err == nil && n >= 1 && n <= len(s.Seats) {
			id = s.Seats[n-1].ID
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func containsWord(content, name string) bool {
	content, name = text.Fold(content), text.Fold(strings.TrimSpace(name))
	if name == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(content[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		before, after := []rune(content[:start]), []rune(content[end:])
		if (len(before) == 0 || !text.InWord(before[len(before)-1])) && (len(after) == 0 || !text.InWord(after[0])) {
			return true
		}
		at = start + 1
		for at < len(content) && content[at]&0xc0 == 0x80 {
			at++
		}
	}
}

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

// shiftOf compares the first poll with the last. A vote without a side counts as neutral,
// and an unreadable one not at all. There is no shift between options or numbers, or if
// fewer than half of the voting seats voted both times with the same model.
func shiftOf(s debate.Session, history []debate.Round, before, after string) *debate.VoteShift {
	q := SidesOf(s)
	if q.kind == debate.QuestionChoice || q.kind == debate.QuestionEstimate {
		return nil
	}
	votes, since := map[agents.ID]*debate.VotePair{}, map[agents.ID]int{}
	for _, r := range history {
		for _, x := range append(responsesInPhase(s, r, before), responsesInPhase(s, r, after)...) {
			if q.isUnread(x.Statement) {
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
				_, pair.OtherModel = s.ChangedModel(pair.Agent, cmp.Or(since[pair.Agent], r.Number), r.Number)
			case pair.Before == "":
				pair.Before, since[pair.Agent] = stance, r.Number
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
		if pair.Before != "" && pair.After != "" && !pair.OtherModel {
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

func matrixOf(s debate.Session, r debate.Round, phase string) *debate.Matrix {
	out := &debate.Matrix{Round: r.Number, Options: s.Mode.Options, Criteria: s.Mode.Criteria}
	out.Cells = make([]debate.Cell, len(out.Options)*len(out.Criteria))
	scored := false
	for _, x := range responsesInPhase(s, r, phase) {
		for _, sc := range x.Statement.Scores {
			o, c := s.Mode.OptionIndex(sc.Option), s.Mode.CriterionIndex(sc.Criterion)
			if o < 0 || c < 0 {
				continue
			}
			cell := &out.Cells[o*len(out.Criteria)+c]
			if slices.ContainsFunc(cell.Scores, func(m debate.MemberScore) bool { return m.Agent == x.Turn.Agent }) {
				continue
			}
			cell.Scores = append(cell.Scores, debate.MemberScore{Agent: x.Turn.Agent, Score: sc.Score, Reason: sc.Reason})
			scored = true
		}
	}
	if !scored {
		return nil
	}
	totalMatrix(out)
	return out
}

// totalMatrix computes the means, which criteria count, and the option that is ahead. A
// criterion counts over the members who scored all options on it.
func totalMatrix(m *debate.Matrix) {
	m.Counted, m.Missing = make([]bool, len(m.Criteria)), nil
	means := make([][]float64, len(m.Options))
	counted := 0
	for c := range m.Criteria {
		cells := make([]*debate.Cell, len(m.Options))
		for o := range m.Options {
			cells[o] = &m.Cells[o*len(m.Criteria)+c]
			cells[o].Mean = mean(scoresOf(*cells[o], nil))
		}
		whole := scoredAll(cells)
		if len(whole) == 0 {
			m.Missing = append(m.Missing, missingCells(*m, c, cells)...)
			continue
		}
		m.Counted[c] = true
		counted++
		for o, cell := range cells {
			cell.Mean = mean(scoresOf(*cell, whole))
			means[o] = append(means[o], *cell.Mean)
		}
	}
	m.Totals = make([]*float64, len(m.Options))
	best, tie := -1, false
	for o := range m.Options {
		if m.Totals[o] = mean(means[o]); m.Totals[o] != nil {
			*m.Totals[o] = math.Round(*m.Totals[o]*1e6) / 1e6 // so that equal totals tie
		}
		switch {
		case m.Totals[o] == nil:
		case best < 0 || *m.Totals[o] > *m.Totals[best]:
			best, tie = o, false
		case *m.Totals[o] == *m.Totals[best]:
			tie = true
		}
	}
	if best >= 0 && !tie && 2*counted >= len(m.Criteria) {
		m.Best = m.Options[best]
	}
}

// scoreBase returns how many criteria count, and how many members scored all options on
// one of them.
func scoreBase(m debate.Matrix) (criteria, members int) {
	who := map[agents.ID]bool{}
	for c, counts := range m.Counted {
		if !counts {
			continue
		}
		criteria++
		cells := make([]*debate.Cell, len(m.Options))
		for o := range m.Options {
			cells[o] = &m.Cells[o*len(m.Criteria)+c]
		}
		for _, id := range scoredAll(cells) {
			who[id] = true
		}
	}
	return criteria, len(who)
}

// decimals returns how many decimals totals are shown with, so that different ones differ.
func decimals(m debate.Matrix) int {
	for n := 1; n < maxDecimals; n++ {
		seen, clash := map[string]float64{}, false
		for _, total := range m.Totals {
			if total == nil {
				continue
			}
			word := strconv.FormatFloat(*total, 'f', n, 64)
			other, ok := seen[word]
			clash = clash || ok && other != *total
			seen[word] = *total
		}
		if !clash {
			return n
		}
	}
	return maxDecimals
}

const maxDecimals = 6

func scoredAll(cells []*debate.Cell) []agents.ID {
	var out []agents.ID
	for _, sc := range cells[0].Scores {
		if !slices.ContainsFunc(cells, func(c *debate.Cell) bool { return !slices.ContainsFunc(c.Scores, by(sc.Agent)) }) {
			out = append(out, sc.Agent)
		}
	}
	return out
}

func by(id agents.ID) func(debate.MemberScore) bool {
	return func(sc debate.MemberScore) bool { return sc.Agent == id }
}

// scoresOf returns the scores of a cell by the given members; nil is all.
func scoresOf(cell debate.Cell, members []agents.ID) []float64 {
	var out []float64
	for _, sc := range cell.Scores {
		if members == nil || slices.Contains(members, sc.Agent) {
			out = append(out, sc.Score)
		}
	}
	return out
}

// missingCells names the cells for which a criterion does not count: those without any
// score, or if all have some, those that a member left out who scored others.
func missingCells(m debate.Matrix, criterion int, cells []*debate.Cell) []string {
	var empty, partial []string
	for o, cell := range cells {
		name := m.Options[o] + " by " + m.Criteria[criterion]
		if len(cell.Scores) == 0 {
			empty = append(empty, name)
		}
		leftOut := func(sc debate.MemberScore) bool { return !slices.ContainsFunc(cell.Scores, by(sc.Agent)) }
		if slices.ContainsFunc(cells, func(other *debate.Cell) bool { return slices.ContainsFunc(other.Scores, leftOut) }) {
			partial = append(partial, name)
		}
	}
	if len(empty) > 0 {
		return empty
	}
	return partial
}

func mean(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	m := sum / float64(len(values))
	return &m
}

// matrixPhrase says which option is ahead by the scores, or why none is.
func matrixPhrase(m debate.Matrix) string {
	missing := ""
	if len(m.Missing) > 0 {
		missing = text.List(m.Missing) + " " + text.Inflect(len(m.Missing), "is", "are") + " missing"
	}
	counted, members := scoreBase(m)
	base := fmt.Sprintf(", %d of %d %s, %s", counted, len(m.Criteria), text.Inflect(len(m.Criteria), "criterion", "criteria"),
		text.Count(members, "seat"))
	if len(m.Counted) == 0 { // in scores of an earlier version
		base = ""
	}
	if 2*counted < len(m.Criteria) && missing != "" && m.Best == "" {
		return "No option is ahead: " + missing
	}
	phrase := text.Capitalize(scoresClause(m, debate.Undecided)) + base
	if missing != "" {
		phrase += "; " + missing
	}
	return phrase
}

// scoresClause says in a clause which option is ahead, beside the side that the votes
// chose, if any.
func scoresClause(m debate.Matrix, side debate.Side) string {
	total := func(option string) string {
		i := slices.Index(m.Options, option)
		if i < 0 || i >= len(m.Totals) || m.Totals[i] == nil {
			return "none"
		}
		return strconv.FormatFloat(*m.Totals[i], 'f', decimals(m), 64)
	}
	leaders := leadersOf(m)
	switch {
	case m.Best == "" && len(leaders) > 1 && total(leaders[0]) != "none":
		return fmt.Sprintf("no option is ahead by the scores: %s have %s", text.List(quoted(leaders)), total(leaders[0]))
	case m.Best == "":
		return "no option is ahead by the scores"
	case string(side) == m.Best:
		return fmt.Sprintf("ahead by the scores too, %s to %s", total(m.Best), total(runnerUp(m)))
	case side != debate.Undecided && total(string(side)) == "none":
		return "but " + scoresClause(m, debate.Undecided)
	case side != debate.Undecided:
		return fmt.Sprintf("but %s is ahead by the scores, %s to %s", QuoteSide(debate.Side(m.Best)), total(m.Best), total(string(side)))
	}
	clause := fmt.Sprintf("%s is ahead by the scores, %s", QuoteSide(debate.Side(m.Best)), total(m.Best))
	if second := runnerUp(m); second != "" {
		clause += " to " + total(second)
	}
	return clause
}

func quoted(options []string) []string {
	out := make([]string, len(options))
	for i, o := range options {
		out[i] = QuoteSide(debate.Side(o))
	}
	return out
}

// leadersOf returns the options with the highest total.
func leadersOf(m debate.Matrix) []string {
	top, leaders := 0.0, []string(nil)
	for o, total := range m.Totals {
		switch {
		case total == nil: // in scores of an earlier version
		case *total > top || leaders == nil:
			top, leaders = *total, []string{m.Options[o]}
		case *total == top:
			leaders = append(leaders, m.Options[o])
		}
	}
	return leaders
}

// runnerUp returns the option with the highest total besides the best, "" if none has one.
func runnerUp(m debate.Matrix) string {
	second := ""
	top := math.Inf(-1)
	for o, total := range m.Totals {
		if total != nil && m.Options[o] != m.Best && *total > top {
			top, second = *total, m.Options[o]
		}
	}
	return second
}

// ResultLines describes ballots, votes and scores, a sentence each. NameOf returns the
// name of an agent.
func ResultLines(r *debate.Results, nameOf func(agents.ID) string) []string {
	var out []string
	if r == nil {
		return nil
	}
	if r.Ranking != nil {
		out = append(out, placesLine(r.Ranking, nameOf))
	}
	if r.Shift != nil {
		out = append(out, shiftLine(r.Shift))
	}
	if r.Matrix != nil {
		out = append(out, matrixLine(r.Matrix))
	}
	return out
}

func placesLine(r *debate.Ranking, nameOf func(agents.ID) string) string {
	places := make([]string, len(r.Places))
	for i, p := range r.Places {
		places[i] = fmt.Sprintf("%d. %s, %s on %s", p.Place, nameOf(p.Agent), text.Count(p.Points, "point"), text.Count(p.Stood, "ballot"))
		switch {
		case p.Stood == 0 && p.Place > 0: // of an earlier version
			places[i] = fmt.Sprintf("%d. %s, %d", p.Place, nameOf(p.Agent), p.Points)
		case p.Place == 0:
			places[i] = nameOf(p.Agent) + " could stand on none"
		}
	}
	ballots := text.Count(len(r.Ballots), "ballot")
	if readableBallots(*r) == 0 {
		return fmt.Sprintf("No ranking in round %d: none of %s could be read.", r.Round, ballots)
	}
	return fmt.Sprintf("Ranking of round %d, by points per ballot on which an answer could stand, %d of %s: %s.", r.Round,
		readableBallots(*r), ballots, strings.Join(places, "; "))
}

func shiftLine(v *debate.VoteShift) string {
	if len(v.Before) == 0 {
		return "Fewer than half of the voting seats voted both before and after."
	}
	end := "neither side gained"
	if v.Winner != "" {
		end = string(v.Winner) + " gained"
	}
	return fmt.Sprintf("Votes before: %s; after: %s; %s.", shiftCounts(v.Before), shiftCounts(v.After), end)
}

func matrixLine(m *debate.Matrix) string {
	totals := make([]string, len(m.Options))
	for i, option := range m.Options {
		totals[i] = option + " no score"
		if i < len(m.Totals) && m.Totals[i] != nil {
			totals[i] = fmt.Sprintf("%s %.*f", option, decimals(*m), *m.Totals[i])
		}
	}
	return fmt.Sprintf("Scores of round %d, from 0 to 10: %s. %s.", m.Round, strings.Join(totals, ", "), matrixPhrase(*m))
}

// CountLines says in sentences what the debate comes to as it was counted: the headline,
// rankings, votes and scores, and what every voter did. A chair and follow-ups get them; the
// causes of what is missing are not for models.
func CountLines(v debate.Verdict, s debate.Session) []string {
	lines := append([]string{v.Headline + "."}, ResultLines(v.Results, s.NameOf)...)
	if v.Findings != nil {
		lines = append(lines, findingLines(*v.Findings, s)...)
	}
	for _, id := range voters(s) {
		var steps []string
		for _, m := range v.Moves {
			if m.Agent == id {
				steps = append(steps, moveWords(s, m))
			}
		}
		if len(steps) > 0 {
			lines = append(lines, s.NameOf(id)+": "+strings.Join(steps, "; ")+".")
		}
	}
	if added := WhatItAdded(v, s); added != "" {
		lines = append(lines, added)
	}
	return lines
}

// moveWords says what a voter did in a round.
func moveWords(s debate.Session, m debate.Move) string {
	round := fmt.Sprintf("round %d: ", m.Round)
	switch m.Change {
	case debate.NoResponse:
		return round + "missing"
	case debate.Unstated:
		return round + "no side"
	case debate.Revised, debate.RevisedOld, debate.Convinced, debate.Conformed:
		return round + string(m.Side) + ", " + Grounds(s, m)
	case debate.Opening:
		if m.WasUndecided {
			return round + string(m.Side) + ", " + Grounds(s, m)
		}
	case debate.OtherModel:
		return round + string(m.Side) + ", by another model"
	case debate.Held, debate.HeldOther, debate.OtherLabel:
	}
	return round + string(m.Side)
}

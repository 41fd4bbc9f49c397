package verdict

import (
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
// last as after; of rankings and scores the newest count.
func Results(s debate.Session, round int) *debate.Results {
	var out debate.Results
	polls := PollPhases(s.Mode)
	for i := range s.History[:min(round, len(s.History))] {
		r := s.History[i]
		for _, p := range append([]debate.Phase{s.Mode.Phase("")}, s.Mode.Phases...) {
			switch p.Asks {
			case debate.AsksRanking:
				if got := rankingOf(s, r, p.Name); got != nil {
					out.Ranking = got
				}
			case debate.AsksScores:
				if got := matrixOf(s, r, p.Name); got != nil {
					out.Matrix = got
				}
			case debate.AsksStance, debate.AsksVote:
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
	out := &debate.Ranking{Round: r.Number, Seed: r.Manifest.Seed}
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
		for i, id := range order {
			index := slices.IndexFunc(out.Places, func(p debate.Place) bool { return p.Agent == id })
			out.Places[index].Points += best - i
			if i == 0 {
				out.Places[index].Firsts++
			}
		}
	}
	slices.SortStableFunc(out.Places, func(a, b debate.Place) int { return b.Points - a.Points })
	for i := range out.Places {
		out.Places[i].Place = i + 1
		if i > 0 && out.Places[i].Points == out.Places[i-1].Points {
			out.Places[i].Place = out.Places[i-1].Place
		}
	}
	return out
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
			notes = append(notes, fmt.Sprintf("%q in its ranking names more than one member", named))
		case len(ids) == 0 || !slices.Contains(answers, ids[0]) && ids[0] != x.Turn.Agent:
			notes = append(notes, fmt.Sprintf("%q in its ranking is no member's answer", named))
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
// fewer than half of the voters voted both times.
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

func whoVotedTwice(v debate.VoteShift) string {
	if slices.ContainsFunc(v.Votes, func(p debate.VotePair) bool { return p.Before != "" && p.After != "" }) {
		return "fewer than half"
	}
	return "nobody"
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
	best := slices.Index(m.Options, m.Best)
	counted, members := scoreBase(m)
	base := fmt.Sprintf(", %d of %d %s, %s", counted, len(m.Criteria), text.Inflect(len(m.Criteria), "criterion", "criteria"),
		text.Count(members, "member"))
	if len(m.Counted) == 0 { // in scores of an earlier version
		base = ""
	}
	switch {
	case m.Best != "" && best >= 0:
		phrase := fmt.Sprintf("%s is ahead by the scores, %.*f of 10", m.Best, decimals(m), *m.Totals[best]) + base
		if missing != "" {
			phrase += "; " + missing
		}
		return phrase
	case 2*counted < len(m.Criteria) && missing != "":
		return "No option is ahead: " + missing
	}
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
	phrase := "No option is ahead by the scores"
	if len(leaders) > 0 {
		phrase += fmt.Sprintf(": %s have %.*f", text.List(leaders), decimals(m), top) + base
	}
	if missing != "" {
		phrase += "; " + missing
	}
	return phrase
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
		places[i] = fmt.Sprintf("%d. %s, %d", p.Place, nameOf(p.Agent), p.Points)
	}
	ballots := text.Count(len(r.Ballots), "ballot")
	if readableBallots(*r) == 0 {
		return fmt.Sprintf("No ranking in round %d: none of %s could be read.", r.Round, ballots)
	}
	return fmt.Sprintf("Ranking of round %d, points of %d of %s: %s.", r.Round, readableBallots(*r), ballots, strings.Join(places, "; "))
}

func shiftLine(v *debate.VoteShift) string {
	if len(v.Before) == 0 {
		return text.Capitalize(whoVotedTwice(*v)) + " voted both before and after."
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

package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Words are the words of a result. Everything that is said of votes is said here.
type Words struct {
	s debate.Session
	c debate.Counted
	f fit
}

// WordsOf returns the words of what a session comes to.
func WordsOf(s debate.Session, c debate.Counted) Words {
	return Words{s: s, c: c}
}

// fit says what a line leaves out so that it fits: the first steps, as many as are needed.
type fit int

const (
	countMoved fit = 1 + iota // instead of names
	noWas
	noCaution // in the brackets after "incomplete"
	few       // sides and points
	label20   // characters of labels and names
	label12
	bare // the result alone, without votes and ranges
	noLast
	noSecond
)

// Line returns the result in one line, and the rows for where there is less room.
func (w Words) Line() debate.Line {
	if w.s.Gone != "" {
		return debate.Line(w.s.Gone.Error())
	}
	rows := []string{w.row()}
	for w.f < noSecond {
		w.f++
		if row := w.row(); text.Width(row) < text.Width(rows[len(rows)-1]) {
			rows = append(rows, row)
		}
	}
	return debate.Line(strings.Join(rows, "\n"))
}

func (w Words) row() string {
	parts := []string{}
	if w.c.Demo {
		parts = append(parts, "Demo")
	}
	parts = append(parts, w.Result(w.c.Result))
	if second := w.questions(); second != "" && w.f < noSecond {
		parts = append(parts, second)
	}
	if lacks := w.incomplete(); lacks != "" {
		parts = append(parts, lacks)
	}
	if w.c.Was != nil && w.f < noWas {
		parts = append(parts, w.was())
	}
	if last := w.after(); last != "" && w.f < noLast {
		parts = append(parts, last)
	}
	return strings.Join(parts, " · ")
}

// Result returns the words of a result without what it lacks.
func (w Words) Result(r debate.PanelResult) string {
	out := w.result(r)
	if w.f >= bare {
		out, _, _ = strings.Cut(out, "; ")
	}
	return out
}

func (w Words) result(r debate.PanelResult) string {
	switch r.Kind {
	case debate.KindSide:
		return text.Join("; ", fmt.Sprintf("%s, %d of %d", w.title(r.Side), r.Count, r.Of), w.votes(r, r.Side))
	case debate.KindUndecided:
		return text.Join("; ", fmt.Sprintf("Undecided, %d of %d", r.Undecided, r.Of), w.votes(r, debate.UndecidedWord))
	case debate.KindSplit:
		if w.f >= bare {
			return fmt.Sprintf("Split of %d, %d sides", r.Of, len(r.Sides))
		}
		return fmt.Sprintf("Split of %d: %s", r.Of, w.votes(r, ""))
	case debate.KindNoVotes, debate.KindNoMajority:
		if !CountsSides(w.s) {
			return fmt.Sprintf("No ranking, %d of %s", r.Ballots, text.Count(r.Due, "ballot"))
		} else if r.Kind == debate.KindNoMajority {
			return w.noMajority(r)
		}
		return fmt.Sprintf("No votes of %d", r.Of)
	case debate.KindEstimate:
		return w.estimate(r)
	case debate.KindRanking:
		return w.ranking(r)
	case debate.KindFindings:
		return w.findings(r)
	case debate.KindText:
		return w.text(r)
	case debate.KindNone:
	}
	return "No vote in this mode"
}

func (w Words) text(r debate.PanelResult) string {
	switch {
	case r.Seat == "":
		return "No text"
	case r.Draft:
		return w.Name(r.Seat) + "'s draft"
	case r.Count == 0:
		return w.Name(r.Seat) + "'s answer, no critic"
	}
	return fmt.Sprintf("%s's answer after %s", w.Name(r.Seat), text.Count(r.Count, "critic"))
}

func (w Words) noMajority(r debate.PanelResult) string {
	what, said := "No majority", w.votes(r, "")
	if w.s.Question == debate.QuestionEstimate {
		what = "No median"
		if len(r.Numbers) > 0 {
			said = text.Join("; ", w.numbers(r), undecided(r))
		}
	}
	if w.f >= bare {
		return fmt.Sprintf("%s of %d", what, r.Of)
	}
	return fmt.Sprintf("%s of %d: %s", what, r.Of, said)
}

func (w Words) votes(r debate.PanelResult, but debate.Side) string {
	var out []string
	for _, side := range r.Sides {
		if side.Side != but {
			out = append(out, fmt.Sprintf("%s %d", w.Label(side.Side), side.Count))
		}
	}
	if len(r.Numbers) > 0 {
		out = append(out, w.numbers(r))
	}
	shown := 3
	if r.Kind == debate.KindSide {
		shown = 2
	}
	if w.f >= few && len(out) > shown {
		out = append(out[:shown], fmt.Sprintf("%d more sides", len(out)-shown))
	}
	if r.Undecided > 0 && but != debate.UndecidedWord {
		out = append(out, undecided(r))
	}
	return strings.Join(out, ", ")
}

func undecided(r debate.PanelResult) string {
	if r.Undecided == 0 {
		return ""
	}
	return fmt.Sprintf("%s %d", debate.UndecidedWord, r.Undecided)
}

func (w Words) numbers(r debate.PanelResult) string {
	numbers := r.Numbers
	more := ""
	if w.f >= few && len(numbers) > 3 {
		more, numbers = fmt.Sprintf(", %d more", len(numbers)-3), numbers[:3]
	}
	return strings.Join(text.Each(numbers, w.number), ", ") + more + w.unit(r.Unit)
}

const maxUnit = 12

func (w Words) unit(unit string) string {
	if unit = text.Line(unit); unit == "" {
		return ""
	}
	return " " + text.Clip(unit, maxUnit)
}

func (w Words) estimate(r debate.PanelResult) string {
	out := "Median " + w.number(*r.Median) + w.unit(r.Unit)
	if *r.Least != *r.Greatest && w.f < bare {
		out += fmt.Sprintf(" (%s to %s)", w.number(*r.Least), w.number(*r.Greatest))
	}
	return text.Join("; ", fmt.Sprintf("%s, %d of %d", out, r.Count, r.Of), undecided(r))
}

func (w Words) number(v float64) string {
	places := 0
	for _, vote := range w.c.Votes {
		if vote.Value != nil {
			_, fraction, _ := strings.Cut(plain(*vote.Value, -1), ".")
			places = max(places, len(fraction))
		}
	}
	return plain(v, places+2)
}

// plain returns a number in decimals with at most so many places; -1: as many as it has.
func plain(v float64, places int) string {
	out := strconv.FormatFloat(v+0, 'f', places, 64)
	if strings.Contains(out, ".") {
		out = strings.TrimRight(strings.TrimRight(out, "0"), ".")
	}
	return out
}

func (w Words) ranking(r debate.PanelResult) string {
	if len(r.Places) == 1 {
		return "Only " + w.Name(r.Places[0].Seat) + " answered"
	}
	var first, rest []string
	for _, p := range r.Places {
		switch name := w.Name(p.Seat); {
		case p.Place == 1:
			first = append(first, name)
		case w.f >= few && len(rest) == 2:
		default:
			rest = append(rest, fmt.Sprintf("%s %d", name, p.Points))
		}
	}
	points := r.Places[0].Points
	if len(first) > 1 {
		who := text.List(first)
		if w.f >= bare {
			who = fmt.Sprintf("%d seats", len(first))
		}
		return fmt.Sprintf("Tie of %s by points, %d each", who, points)
	}
	if more := len(r.Places) - 1 - len(rest); more > 0 {
		rest = append(rest, fmt.Sprintf("%d more", more))
	}
	out := fmt.Sprintf("%s first by points, %d", first[0], points)
	if w.f < bare {
		out += " (" + strings.Join(rest, ", ") + ")"
	}
	return fmt.Sprintf("%s, %d of %d", out, r.Ballots, r.Due)
}

func (w Words) findings(r debate.PanelResult) string {
	f := r.Findings
	count := f.Agreed + f.Disputed + f.Single
	switch {
	case r.Count == 0:
		return fmt.Sprintf("No findings read of %d", r.Of)
	case count == 0 && f.Refuted > 0:
		return fmt.Sprintf("No findings, %d refuted", f.Refuted)
	case count == 0:
		return "No findings"
	}
	some := func(n int, word string) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf("%d %s", n, word)
	}
	parts := text.Join(", ", some(f.Agreed, "agreed"), some(f.Disputed, "disputed"), some(f.Single, oneSeat))
	if w.f >= bare {
		first, _, _ := strings.Cut(parts, ", ")
		return text.Count(count, "finding") + ", " + first
	}
	return text.Join("; ", text.Count(count, "finding")+": "+parts, some(f.High, "high"))
}

// Name returns the name of a seat or of the chair, as it stands in a line.
func (w Words) Name(id agents.ID) string { return w.short(text.Line(w.s.NameOf(id))) }

func (w Words) short(word string) string {
	switch {
	case w.f >= label12:
		return text.Clip(word, 12)
	case w.f >= label20:
		return text.Clip(word, 20)
	}
	return word
}

var plainLabel = text.Regexp(`^[\pL\pN\pM./+#-]+$`)

var grammarWords = []string{
	"yes", "no", "split", "undecided", "median", "tie", "only", "demo", "incomplete", "was", "moved", "more",
}

// Label returns a side, in quotation marks unless it is one plain word or an option made of such.
func (w Words) Label(side debate.Side) string {
	label := text.Line(string(side))
	if w.s.Question == debate.QuestionYesNo || w.s.Question == debate.QuestionUnset {
		return label
	}
	first, _, _ := strings.Cut(strings.ToLower(label), " ")
	words := label
	if slices.Contains(w.s.Mode.Options, string(side)) {
		words = strings.ReplaceAll(label, " ", "")
	}
	if plainLabel().MatchString(words) && !slices.Contains(grammarWords, first) {
		return w.short(label)
	}
	return "“" + w.short(label) + "”"
}

func (w Words) title(side debate.Side) string {
	if label := w.Label(side); side == debate.SideYes || side == debate.SideNo {
		return text.Capitalize(label)
	}
	return w.Label(side)
}

// VoteLabel returns the side or the number of a vote as it stands in the table.
func (w Words) VoteLabel(v debate.SeatVote) string {
	switch v.State {
	case debate.VoteUndecided:
		return debate.UndecidedWord
	case debate.VoteUnreadable:
		return "?"
	case debate.VoteNone:
		return "–"
	case debate.VoteRead:
	}
	if v.Value != nil {
		return plain(*v.Value, -1) + w.unit(w.s.Unit)
	}
	return text.Line(v.Label)
}

// Vote returns a vote as it stands in the table, with its label or a letter for it.
func (w Words) Vote(v debate.SeatVote, label string) string {
	switch v.Arrow {
	case debate.ArrowMoved:
		label = "→ " + label
	case debate.ArrowModel:
		label = "≠ " + label
	}
	if v.Confidence != nil && v.State != debate.VoteNone {
		label += " " + text.Percent(*v.Confidence)
	}
	if v.Stale {
		label += " ·"
	}
	return label
}

// Rows returns the votes of each seat, or the places of a ranking, a line each.
func (w Words) Rows() []string {
	var out []string
	for i, v := range w.c.Votes {
		line := fmt.Sprintf("round %d %s", v.Round, w.Vote(v, w.VoteLabel(v)))
		if v.By != "" {
			line += " by " + w.By(v.By)
		}
		if i == 0 || w.c.Votes[i-1].Seat != v.Seat {
			out = append(out, w.Name(v.Seat)+": "+line)
		} else {
			out[len(out)-1] += "; " + line
		}
	}
	for _, p := range w.c.Result.Places {
		out = append(out, fmt.Sprintf("%d. %s, %d points", p.Place, w.Name(p.Seat), p.Points))
	}
	return out
}

// questions names the first required question without an answer, or else without a person's.
func (w Words) questions() string {
	if none, _ := w.required(CautionUnanswered); len(none) > 0 {
		return more(none) + " unanswered"
	}
	if others, name := w.required(CautionOtherAuthor); len(others) > 0 {
		return more(others) + " by " + text.Clip(text.Line(name), maxUnit)
	}
	return ""
}

func (w Words) required(id debate.CautionID) (questions []string, name string) {
	for _, c := range w.c.Cautions {
		for _, i := range c.Items {
			if q, _ := w.s.Request(i.ID); c.ID == id && q.Priority == ledger.Required {
				questions, name = append(questions, i.ID), cmp.Or(name, i.Word)
			}
		}
	}
	return questions, name
}

func more(ids []string) string {
	if len(ids) == 1 {
		return ids[0]
	}
	return fmt.Sprintf("%s +%d", ids[0], len(ids)-1)
}

// after names a required question open after the verdict, or else one answered too late.
func (w Words) after() string {
	for _, c := range w.c.Cautions {
		first := c.Items[0]
		q, _ := w.s.Request(first.ID)
		if c.ID == CautionOpenQuestion && q.Priority == ledger.Required || c.ID == CautionUnreadAnswer {
			return w.fill(cautionForms[c.ID].item, first)
		}
	}
	return ""
}

// incomplete names the gravest of what a result lacks, and how many others there are.
func (w Words) incomplete() string {
	var lacks []debate.Caution
	for _, c := range w.c.Cautions {
		if c.Missing {
			c.Items = slices.DeleteFunc(slices.Clone(c.Items), func(i debate.CautionItem) bool { return !i.Counted })
			lacks = append(lacks, c)
		}
	}
	switch {
	case len(lacks) == 0:
		return ""
	case w.f >= noCaution:
		return "incomplete"
	case len(lacks) == 1:
		return "incomplete (" + w.caution(lacks[0], 2) + ")"
	}
	return fmt.Sprintf("incomplete (%s; %d more)", w.caution(lacks[0], 2), len(lacks)-1)
}

func (w Words) was() string {
	out := "was " + w.First(*w.c.Was)
	switch n := len(w.c.Moved); {
	case n == 0:
		return out
	case n > 2 || w.f >= countMoved:
		return fmt.Sprintf("%s; %d moved", out, n)
	}
	var who []string
	for _, m := range w.c.Moved {
		name := w.Name(m.Seat) + " moved"
		if m.By != "" && m.By != "?" {
			name += " by " + w.By(m.By)
		}
		who = append(who, name)
	}
	return out + "; " + strings.Join(who, ", ")
}

// By names what changed a vote, see debate.SeatVote.
func (w Words) By(by string) string { return text.Line(w.s.NameOf(agents.ID(by))) }

// First returns the words of the result of the first votes.
func (w Words) First(r debate.PanelResult) string {
	switch r.Kind {
	case debate.KindSide:
		return w.Label(r.Side)
	case debate.KindSplit:
		return "split"
	case debate.KindUndecided:
		return debate.UndecidedWord
	case debate.KindEstimate:
		return "median " + w.number(*r.Median) + w.unit(r.Unit)
	default:
		return "no majority"
	}
}

const oneSeat = "by one seat" // what came of a finding that nobody else judged

// StateWords says in words what came of a finding.
func StateWords(f debate.ReviewFinding) string {
	words := string(f.State)
	if f.State == debate.FindingSingle {
		words = oneSeat
	}
	if f.OneModel {
		words += ", by one model"
	}
	return words
}

// The cautions, the gravest first.
const (
	CautionUnanswered      debate.CautionID = "unanswered"
	CautionOpenQuestion    debate.CautionID = "open_question"
	CautionUnreadAnswer    debate.CautionID = "unread_answer"
	CautionOtherAuthor     debate.CautionID = "other_author"
	CautionNotEnded        debate.CautionID = "not_ended"
	CautionStopped         debate.CautionID = "stopped"
	CautionNoVote          debate.CautionID = "no_vote"
	CautionUnreadableVote  debate.CautionID = "unreadable_vote"
	CautionStaleVote       debate.CautionID = "stale_vote"
	CautionNoConcerns      debate.CautionID = "no_concerns"
	CautionNoReply         debate.CautionID = "no_reply"
	CautionCutPrompts      debate.CautionID = "cut_prompts"
	CautionReportCut       debate.CautionID = "report_cut"
	CautionUnreadEvidence  debate.CautionID = "unread_evidence"
	CautionMissedTurn      debate.CautionID = "missed_turn"
	CautionSharedTool      debate.CautionID = "shared_tool"
	CautionChangedModel    debate.CautionID = "changed_model"
	CautionOneModel        debate.CautionID = "one_model"
	CautionOneVoter        debate.CautionID = "one_voter"
	CautionNarrow          debate.CautionID = "narrow"
	CautionNoQuestions     debate.CautionID = "no_questions"
	CautionUnknownCitation debate.CautionID = "unknown_citation"
	CautionBlind           debate.CautionID = "blind"
)

// cautionForms say of each caution what it is before what it applies to, and how an item is
// written. {seat}, {id}, {word}, {round}, {of} and {lines} stand for what an item holds, and
// {vote} for what was asked; {: seat} and {: word} are left out where it is empty.
// A result is incomplete by some whatever they apply to.
var cautionForms = map[debate.CautionID]struct {
	head, item string
	missing    bool
}{
	CautionUnanswered:      {"", "{id} unanswered{: word}", false},
	CautionOpenQuestion:    {"", "{id} open", false},
	CautionUnreadAnswer:    {"", "{id} answered, not read", false},
	CautionOtherAuthor:     {"", "{about} by {word}", false},
	CautionNotEnded:        {"", "not ended, {in}", true},
	CautionStopped:         {"", "stopped by {word}, {in}", true},
	CautionNoVote:          {"no {vote}: ", "{seat}", true},
	CautionUnreadableVote:  {"unreadable {vote}: ", "{seat}", true},
	CautionStaleVote:       {"old vote: ", "{seat} in round {round}", true},
	CautionNoConcerns:      {"no readable concerns: ", "{seat}", true},
	CautionNoReply:         {"no reply: ", "{id}", true},
	CautionCutPrompts:      {"prompt cut: ", "{seat} in round {round}{ (word)}", false},
	CautionReportCut:       {"the chair's prompt cut", "", false},
	CautionUnreadEvidence:  {"", "{lines} of evidence shown to no seat", false},
	CautionMissedTurn:      {"missed turn: ", "{seat} in round {round}", false},
	CautionSharedTool:      {"a tool that may change something, shared by blind seats", "", false},
	CautionChangedModel:    {"another model: ", "{seat}", false},
	CautionOneModel:        {"one model: ", "{seat}", false},
	CautionOneVoter:        {"only voting seat: ", "{seat}", false},
	CautionNarrow:          {"no majority with one vote fewer", "", false},
	CautionNoQuestions:     {"no questions possible", "{: seat}", false},
	CautionUnknownCitation: {"unknown citation: ", "{id}", false},
	CautionBlind:           {"all agreed blind, after round {round} of {of}", "", false},
}

// Caution returns the words of a caution, a noun phrase.
func (w Words) Caution(c debate.Caution) string { return w.caution(c, len(c.Items)) }

// Cautions returns the words of all cautions of a result.
func (w Words) Cautions() []string { return text.Each(w.c.Cautions, w.Caution) }

func (w Words) caution(c debate.Caution, most int) string {
	form := cautionForms[c.ID]
	var items []string
	for _, i := range c.Items {
		if words := w.fill(form.item, i); words != "" {
			items = append(items, words)
		}
	}
	head := w.fill(form.head, c.Items[0])
	switch n := len(items); {
	case n == 0:
		return head
	case n > most && n > 1:
		keep := max(most-1, 1)
		return head + strings.Join(items[:keep], ", ") + fmt.Sprintf(" and %d others", n-keep)
	}
	return head + strings.Join(items, ", ")
}

func (w Words) fill(form string, i debate.CautionItem) string {
	in := fmt.Sprintf("after round %d of %d", i.Round, i.Of)
	switch {
	case i.Within, i.Round == 0 && len(w.s.History) > 0:
		in = fmt.Sprintf("in round %d of %d", max(i.Round, 1), i.Of)
	case i.Round == 0:
		in = "before round 1"
	}
	seat, word := w.Name(i.Seat), w.word(i)
	some := func(before, words, behind string) string {
		if words == "" {
			return ""
		}
		return before + words + behind
	}
	return strings.NewReplacer("{seat}", seat, "{id}", text.Line(i.ID), "{word}", word, "{round}", fmt.Sprint(i.Round),
		"{of}", fmt.Sprint(i.Of), "{lines}", text.Count(i.Lines, "line"), "{in}", in, "{vote}", w.asked(),
		"{about}", cmp.Or(text.Line(i.ID), "the topic"),
		"{: seat}", some(": ", seat, ""), "{: word}", some(": ", word, ""), "{ (word)}", some(" (", word, ")")).Replace(form)
}

func (w Words) asked() string {
	switch {
	case w.s.Mode.Reviews():
		return "list"
	case !CountsSides(w.s):
		return "ballot"
	}
	return "vote"
}

func (w Words) word(i debate.CautionItem) string {
	switch debate.StopReason(i.Word) {
	case debate.StoppedByUser:
		return "request"
	case debate.StoppedByBudget:
		return "the budget"
	default:
		return text.Clip(text.Line(i.Word), maxReason)
	}
}

const maxReason = 60

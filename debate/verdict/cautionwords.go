package verdict

import (
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

// cautionForms are the words of each caution: what it is before what it applies to, and how
// an item is written. {seat}, {id}, {word}, {round}, {of} and {lines} stand for what an item
// holds, and {vote} for what was asked; what stands between [ and ] is left out where one of them is empty.
var cautionForms = map[debate.CautionID]struct{ head, item string }{
	debate.CautionUnanswered:      {"", "{id} unanswered[: {word}]"},
	debate.CautionOpenQuestion:    {"", "{id} open"},
	debate.CautionUnreadAnswer:    {"", "{id} answered, not read"},
	debate.CautionOtherAuthor:     {"", "[{id}] by {word}"},
	debate.CautionNotEnded:        {"", "not ended, {in}"},
	debate.CautionStopped:         {"", "stopped by {word}, {in}"},
	debate.CautionNoVote:          {"no {vote}: ", "{seat}"},
	debate.CautionUnreadableVote:  {"unreadable {vote}: ", "{seat}"},
	debate.CautionStaleVote:       {"old vote: ", "{seat} in round {round}"},
	debate.CautionCutPrompts:      {"prompt cut: ", "{seat} in round {round}[ ({word})]"},
	debate.CautionReportCut:       {"the chair's prompt cut", ""},
	debate.CautionUnreadEvidence:  {"", "{lines} of evidence shown to no seat"},
	debate.CautionMissedTurn:      {"missed turn: ", "{seat} in round {round}"},
	debate.CautionSharedTool:      {"a tool that may change something, shared by blind seats", ""},
	debate.CautionChangedModel:    {"another model: ", "{seat}"},
	debate.CautionOneModel:        {"one model: ", "{seat}"},
	debate.CautionOneVoter:        {"only voting seat: ", "{seat}"},
	debate.CautionNarrow:          {"no majority with one vote fewer", ""},
	debate.CautionNoQuestions:     {"no questions possible", "[: {seat}]"},
	debate.CautionUnknownCitation: {"unknown citation: ", "{id}"},
	debate.CautionBlind:           {"all agreed blind, after round {round} of {of}", ""},
}

// Caution returns the words of a caution, a noun phrase.
func (w Words) Caution(c debate.Caution) string { return w.caution(c, len(c.Items)) }

// Cautions returns the words of all cautions of a result.
func (w Words) Cautions() []string {
	var out []string
	for _, c := range w.c.Cautions {
		out = append(out, w.Caution(c))
	}
	return out
}

// caution returns the words of a caution with at most so many of its items.
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

// fill replaces what stands for the parts of an item.
func (w Words) fill(form string, i debate.CautionItem) string {
	in := fmt.Sprintf("after round %d of %d", i.Round, i.Of)
	switch {
	case i.Within, i.Round == 0 && len(w.s.History) > 0:
		in = fmt.Sprintf("in round %d of %d", max(i.Round, 1), i.Of)
	case i.Round == 0:
		in = "before round 1"
	}
	parts := []string{
		"{seat}", w.Name(i.Seat), "{id}", text.Line(i.ID), "{word}", w.word(i), "{round}", fmt.Sprint(i.Round),
		"{of}", fmt.Sprint(i.Of), "{lines}", text.Count(i.Lines, "line"), "{in}", in, "{vote}", w.asked(),
	}
	before, optional, found := strings.Cut(form, "[")
	if optional, after, _ := strings.Cut(optional, "]"); found {
		for n := 0; n < len(parts); n += 2 {
			if parts[n+1] == "" && strings.Contains(optional, parts[n]) {
				optional = ""
				if parts[n] == "{id}" {
					optional = "the topic"
				}
			}
		}
		form = before + optional + after
	}
	return strings.NewReplacer(parts...).Replace(form)
}

// asked returns what the seats are to give: votes, ballots of a ranking, or lists of findings.
func (w Words) asked() string {
	switch {
	case w.s.Mode.Reviews():
		return "list"
	case !CountsSides(w.s):
		return "ballot"
	}
	return "vote"
}

// word returns the reason, author or cause of an item, as far as it stands in a line.
func (w Words) word(i debate.CautionItem) string {
	switch debate.StopReason(i.Word) {
	case debate.StoppedByUser:
		return "you"
	case debate.StoppedByBudget:
		return "the budget"
	default:
		return text.Clip(text.Line(i.Word), maxReason)
	}
}

// maxReason is how many characters of a reason a caution quotes.
const maxReason = 60

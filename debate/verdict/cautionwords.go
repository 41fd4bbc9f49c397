package verdict

import (
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

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
// {vote} for what was asked; what stands between [ and ] is left out where one of them is empty.
// A result is incomplete by some whatever they apply to.
var cautionForms = map[debate.CautionID]struct {
	head, item string
	missing    bool
}{
	CautionUnanswered:      {"", "{id} unanswered[: {word}]", false},
	CautionOpenQuestion:    {"", "{id} open", false},
	CautionUnreadAnswer:    {"", "{id} answered, not read", false},
	CautionOtherAuthor:     {"", "[{id}] by {word}", false},
	CautionNotEnded:        {"", "not ended, {in}", true},
	CautionStopped:         {"", "stopped by {word}, {in}", true},
	CautionNoVote:          {"no {vote}: ", "{seat}", true},
	CautionUnreadableVote:  {"unreadable {vote}: ", "{seat}", true},
	CautionStaleVote:       {"old vote: ", "{seat} in round {round}", true},
	CautionNoConcerns:      {"no readable concerns: ", "{seat}", true},
	CautionNoReply:         {"no reply: ", "{id}", true},
	CautionCutPrompts:      {"prompt cut: ", "{seat} in round {round}[ ({word})]", false},
	CautionReportCut:       {"the chair's prompt cut", "", false},
	CautionUnreadEvidence:  {"", "{lines} of evidence shown to no seat", false},
	CautionMissedTurn:      {"missed turn: ", "{seat} in round {round}", false},
	CautionSharedTool:      {"a tool that may change something, shared by blind seats", "", false},
	CautionChangedModel:    {"another model: ", "{seat}", false},
	CautionOneModel:        {"one model: ", "{seat}", false},
	CautionOneVoter:        {"only voting seat: ", "{seat}", false},
	CautionNarrow:          {"no majority with one vote fewer", "", false},
	CautionNoQuestions:     {"no questions possible", "[: {seat}]", false},
	CautionUnknownCitation: {"unknown citation: ", "{id}", false},
	CautionBlind:           {"all agreed blind, after round {round} of {of}", "", false},
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
		return "you"
	case debate.StoppedByBudget:
		return "the budget"
	default:
		return text.Clip(text.Line(i.Word), maxReason)
	}
}

const maxReason = 60

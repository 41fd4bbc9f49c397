package form

import (
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/input"
)

// item is one request in the form: the request, its text made safe, and what the user
// has typed.
type item struct {
	ledger.Request
	query string
	asks  []askReason

	answer, reason, source typed
	unavailable            bool // reason applies, not answer
	edited                 bool // the user has typed something that is not recorded

	expanded bool // shown in full although it is settled
	seen     bool // no longer counted as new

	dirty  bool // the current draft is not stored
	stored bool // the store has, or may have, a draft of the request
}

// typed is the text of a field, with its history.
type typed struct {
	text string
	past input.History
}

type askReason struct {
	agent         agents.ID
	reason, query string
}

func newItem(r ledger.Request, d debate.Draft) *item {
	it := &item{Request: r}
	if !d.IsEmpty() {
		it.restore(cleanText(d.Text), text.Line(d.Source), d.Unavailable)
		it.other().text = cleanText(d.Other)
		it.edited, it.stored = it.differsFromRecord(), true
	}
	return it
}

// setRequest updates the request; older copies are ignored. Text that the user is
// editing stays.
func (it *item) setRequest(r ledger.Request) {
	if r.Seq < it.Seq {
		return
	}
	it.Request, it.query = r, text.Line(r.Query)
	it.asks = it.asks[:0]
	for _, a := range r.Asks {
		if a.Withdrawn {
			continue
		}
		words := askReason{agent: a.Turn.Agent, reason: text.Line(a.Reason)}
		if q := text.Line(a.Query); q != it.query {
			words.query = q
		}
		if !slices.Contains(it.asks, words) { // an attempt that was cut off has asked the same
			it.asks = append(it.asks, words)
		}
	}
	if a, ok := r.Answer(); ok && !it.edited {
		it.restore(cleanText(a.Content), text.Line(a.Source), a.Outcome == ledger.Unavailable)
	}
}

func (it *item) restore(text, source string, unavailable bool) {
	it.source, it.unavailable = typed{text: source}, unavailable
	*it.at(fieldAnswer) = typed{text: text}
	it.other().past = input.History{}
}

// at returns what a field holds: the source, or the answer or else the reason why there is none.
func (it *item) at(f field) *typed {
	switch {
	case f == fieldSource:
		return &it.source
	case it.unavailable:
		return &it.reason
	}
	return &it.answer
}

// other returns the one of answer and reason that is not shown.
func (it *item) other() *typed {
	if it.unavailable {
		return &it.answer
	}
	return &it.reason
}

func (it *item) text() string { return it.at(fieldAnswer).text }

func (it *item) settled() bool { return it.State == ledger.Resolved || it.State == ledger.Released }

// sent reports whether the newest answer was sent; a correction goes with the next round.
func (it *item) sent() bool {
	_, waits := it.Undelivered()
	return it.State == ledger.Released && !waits
}

// folded reports whether a request is shown as one row: it is settled and not being
// edited.
func (it *item) folded() bool { return it.settled() && !it.expanded && !it.edited }

func (it *item) withdrawn() bool { return it.State == ledger.Withdrawn }

func (it *item) differsFromRecord() bool {
	a, ok := it.Answer()
	if !ok {
		return true
	}
	return it.submission() != ledger.Submission{
		Request: it.ID, Outcome: a.Outcome, Content: strings.TrimSpace(a.Content),
		Source: strings.TrimSpace(a.Source), Correct: it.State == ledger.Released,
	}
}

func (it *item) updateEdited() {
	all := strings.TrimSpace(it.answer.text + it.reason.text + it.source.text)
	it.edited = it.differsFromRecord() && (it.settled() || it.unavailable || all != "")
}

func (it *item) hasDraft() bool {
	return it.edited && strings.TrimSpace(it.text()) != "" && it.differsFromRecord()
}

func (it *item) needsReason() bool {
	return it.unavailable && it.edited && !ledger.HasWords(it.reason.text)
}

func (it *item) submission() ledger.Submission {
	s := ledger.Submission{
		Request: it.ID, Outcome: ledger.Answered, Content: strings.TrimSpace(it.text()),
		Source: strings.TrimSpace(it.source.text), Correct: it.State == ledger.Released,
	}
	if it.unavailable {
		s.Outcome, s.Source = ledger.Unavailable, ""
	}
	return s
}

// normalizedSubmission returns the submission as it is sent, with its text in normal
// form; text typed key by key need not be.
func (it *item) normalizedSubmission() ledger.Submission {
	s := it.submission()
	s.Content, s.Source = strings.TrimSpace(text.Clean(s.Content)), text.Line(s.Source)
	return s
}

func (it *item) draft() debate.Draft {
	if !it.edited {
		return debate.Draft{}
	}
	return debate.Draft{Text: it.text(), Source: it.source.text, Unavailable: it.unavailable, Other: it.other().text}
}

// cleanText makes the user's own text safe to store; it may have several lines.
func cleanText(content string) string { return strings.TrimRight(text.Clean(content), "\n ") }

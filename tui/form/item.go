package form

import (
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/ledger"
)


// item is one request as the form has it: the request, its words made safe, and
// what the user has typed.
type item struct {
	ledger.Request
	query   string
	reasons []reason

	answer, reason, source string
	unavailable            bool // reason is what counts, not answer
	past                   pasts
	touched                bool // typed, and not recorded

	open bool // unfolded although it is settled
	seen bool // has been on the screen

	save saving
}

// reason is why an agent asks, and what, where it asked in other words.
type reason struct {
	agent      agents.ID
	why, query string
}

// newItem returns a request with the draft that is stored of it.
func newItem(r ledger.Request, d debate.Draft) *item {
	it := &item{Request: r}
	if strings.TrimSpace(d.Text+d.Source) != "" {
		it.restore(clean(d.Text), safetext.Line(d.Source), d.Unavailable)
		it.touched, it.save.known = it.differs(), true
	}
	return it
}

// update takes over the newest copy of the request. What the user is typing stays.
func (it *item) update(r ledger.Request) {
	if r.Seq < it.Seq {
		return
	}
	it.Request, it.query = r, safetext.Line(r.Query)
	it.reasons = it.reasons[:0]
	for _, a := range r.Asks {
		if a.Withdrawn {
			continue
		}
		words := reason{agent: a.Turn.Agent, why: safetext.Line(a.Reason)}
		if q := safetext.Line(a.Query); q != it.query {
			words.query = q
		}
		it.reasons = append(it.reasons, words)
	}
	if a, ok := r.Answer(); ok && !it.touched {
		it.restore(clean(a.Content), safetext.Line(a.Source), a.Outcome == ledger.Unavailable)
	}
}

func (it *item) restore(text, source string, unavailable bool) {
	it.source, it.unavailable, it.past = source, unavailable, pasts{}
	it.setText(text)
}

// text is what is typed: the answer, or the reason why there is none.
func (it *item) text() string {
	if it.unavailable {
		return it.reason
	}
	return it.answer
}

func (it *item) setText(text string) {
	if it.unavailable {
		it.reason = text
	} else {
		it.answer = text
	}
}

// settled reports whether there is an answer, or a reason for none.
func (it *item) settled() bool { return it.State == ledger.Resolved || it.State == ledger.Released }

// gone reports whether nobody asks any more.
func (it *item) gone() bool { return it.State == ledger.Withdrawn }

// differs reports whether what is typed is not what is recorded.
func (it *item) differs() bool {
	a, ok := it.Answer()
	if !ok {
		return true
	}
	return it.submission() != ledger.Submission{
		Request: it.ID, Outcome: a.Outcome, Content: strings.TrimSpace(a.Content),
		Source: strings.TrimSpace(a.Source), Correct: it.State == ledger.Released,
	}
}

// touch notes whether the user has typed anything that is not recorded.
func (it *item) touch() {
	it.touched = it.differs() && (it.settled() || it.unavailable || strings.TrimSpace(it.answer+it.reason+it.source) != "")
}

// draft reports whether there is text that ctrl+s would record.
func (it *item) draft() bool {
	return it.touched && strings.TrimSpace(it.text()) != "" && it.differs()
}

// speechless reports whether the user began to say that there is no answer, but
// not why.
func (it *item) speechless() bool {
	return it.unavailable && it.touched && strings.TrimSpace(it.reason) == ""
}

// submission is what ctrl+s would record.
func (it *item) submission() ledger.Submission {
	s := ledger.Submission{Request: it.ID, Outcome: ledger.Answered, Content: strings.TrimSpace(it.text()), Source: strings.TrimSpace(it.source), Correct: it.State == ledger.Released}
	if it.unavailable {
		s.Outcome, s.Source = ledger.Unavailable, ""
	}
	return s
}

// sealed is the submission as it is sent: its text in normal form, as keys alone
// do not make it.
func (it *item) sealed() ledger.Submission {
	s := it.submission()
	s.Content, s.Source = strings.TrimSpace(safetext.Own(s.Content)), safetext.Line(s.Source)
	return s
}

// stored is the draft as it is to be kept.
func (it *item) stored() debate.Draft {
	if !it.touched {
		return debate.Draft{}
	}
	return debate.Draft{Text: it.text(), Source: it.source, Unavailable: it.unavailable}
}

// clean makes text of the user's own safe to keep; it may have many lines.
func clean(text string) string { return strings.TrimRight(safetext.Own(text), "\n ") }

// glimpse returns the beginning of a text as a screen shows it, in one line.
func glimpse(text string) string {
	text, _ = first(text, 1000)
	return safetext.Line(text)
}

// count returns a number with its thousands apart: 65,536.
func count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// age returns how long ago something was.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

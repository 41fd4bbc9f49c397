package form

import (
	"errors"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// send handles ctrl+s: it records the drafts and starts the round, or focuses what
// blocks it. While a round is running, and after the last one, it only records. If
// drafts of other requests would be recorded, the first press shows one of them and
// the second records.
func (f *Form) send() Outcome {
	if len(f.sending) > 0 {
		return None{}
	}
	f.notes, f.saved = nil, false
	drafts := f.pendingDrafts()
	if other := f.otherDraft(drafts); other != "" && !f.confirmSend {
		f.addError(f.unsentText(drafts))
		f.openItem(other)
		f.confirmSend = true
		return None{}
	}
	f.confirmSend = false
	var subs []ledger.Submission
	for _, it := range drafts {
		subs = append(subs, it.normalizedSubmission())
	}
	open := f.blocking(drafts)
	switch it := f.firstWithoutReason(); {
	case it != nil:
		f.refuse(fmt.Sprintf("Say why %s is unavailable. The agents read it.", it.ID), it, subs)
	case f.releasable() && len(open) > 0:
		f.refuse(refusalText(open), open[0], subs)
	case f.releasable():
		f.markSending(subs)
		return Release{Submissions: subs}
	}
	return f.record(subs)
}

// unsentText says what a second ctrl+s will record, and what will still be missing.
func (f *Form) unsentText(drafts []*item) string {
	words := "Nothing sent yet. "
	if f.releasable() {
		words = "Not released. "
		if open := f.blocking(drafts); len(open) > 0 {
			words += requestIDs(open) + text.Inflect(len(open), " needs an answer", " need answers") + ". "
		}
	}
	return words + requestIDs(drafts) + text.Inflect(len(drafts), " is a draft: ctrl+s again sends it.",
		" are drafts: ctrl+s again sends them.")
}

// refuse says why the round does not start and focuses what has to be done.
func (f *Form) refuse(why string, it *item, subs []ledger.Submission) {
	f.addError(why)
	if len(subs) > 0 {
		f.notes = append(f.notes, note{text: "Your other answers are saved."})
	}
	f.openItem(it.ID)
}

// record returns the outcome that records the submissions.
func (f *Form) record(subs []ledger.Submission) Outcome {
	if len(subs) == 0 {
		return None{}
	}
	f.markSending(subs)
	return Answer{Submissions: subs}
}

// markSending notes which submissions are being recorded.
func (f *Form) markSending(subs []ledger.Submission) {
	for _, s := range subs {
		f.sending[s.Request] = s
	}
}

// addError adds an error below the release row.
func (f *Form) addError(text string) { f.notes = append(f.notes, note{text: text, bad: true}) }

// refusalText says what the next round still needs.
func refusalText(open []*item) string {
	if len(open) == 1 {
		return fmt.Sprintf("Not released. %s needs an answer, or ctrl+x with a reason.", open[0].ID)
	}
	return fmt.Sprintf("Not released. %d required left: %s. Each needs an answer, or ctrl+x with a reason.", len(open), requestIDs(open))
}

// requestIDs lists the ids of items.
func requestIDs(items []*item) string {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = it.ID
	}
	return strings.Join(names, ", ")
}

// draftList lists the ids of items, and says which are to be unavailable.
func draftList(items []*item) string {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = it.ID
		if it.unavailable {
			names[i] += " unavailable"
		}
	}
	return strings.Join(names, ", ")
}

// pendingDrafts returns the items that ctrl+s would record, in the order of the
// requests.
func (f *Form) pendingDrafts() []*item {
	var out []*item
	for _, r := range f.session.Requests {
		if it := f.items[r.ID]; it.hasDraft() && !it.withdrawn() {
			out = append(out, it)
		}
	}
	return out
}

// otherDraft returns the id of the first draft that does not have the focus; "" if
// there is none.
func (f *Form) otherDraft(drafts []*item) string {
	for _, it := range drafts {
		if it.ID != f.focused.request {
			return it.ID
		}
	}
	return ""
}

// blocking returns what the next round would still need once the drafts are recorded.
func (f *Form) blocking(drafts []*item) []*item {
	var out []*item
	for _, r := range f.session.Unanswered() {
		it, sent := f.items[r.ID], false
		for _, d := range drafts {
			sent = sent || d.ID == r.ID
		}
		if !sent {
			out = append(out, it)
		}
	}
	return out
}

// firstWithoutReason returns the first open item that is marked unavailable without a
// reason, or nil.
func (f *Form) firstWithoutReason() *item {
	for _, r := range f.session.Requests {
		if it := f.items[r.ID]; it.needsReason() && it.Open() {
			return it
		}
	}
	return nil
}

// Recorded reports that the submission for a request is stored.
func (f *Form) Recorded(request string) {
	sent, ok := f.sending[request]
	if !ok {
		return
	}
	delete(f.sending, request)
	it := f.items[request]
	if it.normalizedSubmission() == sent { // nothing was typed meanwhile
		it.edited, it.expanded = false, false
		it.save.discard()
	}
	if r, ok := f.session.Request(request); ok {
		it.setRequest(r)
	}
	f.saved = len(f.sending) == 0 && !f.releasable() && len(f.pendingDrafts()) == 0
	f.SetSession(f.session)
}

// Refused reports that recording or starting the round failed, or for nil that the user
// decided against it. All typed text is kept.
func (f *Form) Refused(err error) {
	clear(f.sending)
	f.notes = nil
	var blocked *debate.BlockedError
	var refused *ledger.SubmissionError
	switch {
	case errors.As(err, &blocked) && len(blocked.Requests) > 0:
		var open []*item
		for _, r := range blocked.Requests {
			if it := f.items[r.ID]; it != nil {
				open = append(open, it)
			}
		}
		if len(open) > 0 {
			f.addError(refusalText(open))
			f.openItem(open[0].ID)
			return
		}
	case errors.As(err, &refused) && f.items[refused.Request] != nil:
		f.openItem(refused.Request)
	}
	if err != nil {
		f.addError(err.Error())
	}
}

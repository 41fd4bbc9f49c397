package form

import (
	"errors"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
)

// send handles ctrl+s and, on the start row, enter. In a request it records what was
// typed there and goes to the next open request; on the start row it records all drafts
// and starts the round, or goes to what blocks it.
func (f *Form) send() Outcome {
	f.notes = nil
	it := f.items[f.focused.request]
	switch {
	case it == nil:
		return f.sendAll()
	case it.needsReason():
		f.refuse(it)
		return None{}
	}
	f.setFocus(nextOpen(f))
	if _, sent := f.sending[it.ID]; sent || !it.hasDraft() {
		return None{}
	}
	return f.record([]*item{it})
}

// sendAll records all drafts, and starts the round if nothing blocks it.
func (f *Form) sendAll() Outcome {
	drafts := f.pendingDrafts()
	if it := f.firstWithoutReason(); it != nil {
		f.refuse(it)
		return None{}
	}
	if !f.releasable() {
		return f.record(drafts)
	}
	if open := f.blocking(drafts); len(open) > 0 {
		f.addError(refusalText(open))
		f.openItem(open[0].ID)
		return None{}
	}
	if len(f.sending) > 0 {
		f.waiting = true
		return None{}
	}
	return Release{Submissions: f.markSending(drafts)}
}

// Continue returns what the start row was to do when answers were still being recorded,
// once they are; None if it was not pressed since.
func Continue(f *Form) Outcome {
	if !f.waiting || len(f.sending) > 0 {
		return None{}
	}
	f.waiting = false
	return f.sendAll()
}

// nextOpen returns where ctrl+s goes from a request: to the next one that is open,
// required ones first, and at last to the start row. It never goes back.
func nextOpen(f *Form) tabStop {
	after := false
	for _, it := range f.visibleItems() {
		if after && !it.settled() && !it.withdrawn() {
			return tabStop{it.ID, fieldAnswer}
		}
		after = after || it.ID == f.focused.request
	}
	return tabStop{field: fieldRelease}
}

// refuse asks for the reason why a request is unavailable.
func (f *Form) refuse(it *item) {
	f.addError(fmt.Sprintf("Say why %s is unavailable. The agents read it.", it.ID))
	f.openItem(it.ID)
}

// sendHint says what the next ctrl+s does.
func sendHint(f *Form) string {
	if it := f.items[f.focused.request]; it != nil {
		next := "the start row"
		if to := nextOpen(f); to.request != "" {
			next = to.request
		} else if !f.releasable() {
			next = "the last row"
		}
		if it.hasDraft() {
			return "ctrl+s save " + it.ID + ", go to " + next
		}
		return "ctrl+s go to " + next
	}
	drafts := f.pendingDrafts()
	switch open := f.blocking(drafts); {
	case !f.releasable() && len(drafts) == 0:
		return ""
	case !f.releasable():
		return "ctrl+s save " + requestIDs(drafts)
	case len(open) > 0:
		return "ctrl+s go to " + open[0].ID
	}
	return fmt.Sprintf("ctrl+s start round %d", f.opts.Round)
}

// record returns the outcome that records drafts.
func (f *Form) record(drafts []*item) Outcome {
	subs := f.markSending(drafts)
	if len(subs) == 0 {
		return None{}
	}
	return Answer{Submissions: subs}
}

// markSending returns the submissions of drafts, and notes that they are being recorded.
// Those that are already are left out.
func (f *Form) markSending(drafts []*item) []ledger.Submission {
	var subs []ledger.Submission
	for _, it := range drafts {
		if _, sent := f.sending[it.ID]; !sent {
			s := it.normalizedSubmission()
			f.sending[it.ID] = s
			subs = append(subs, s)
		}
	}
	return subs
}

// addError adds an error below the release row.
func (f *Form) addError(text string) { f.notes = append(f.notes, note{text: text, bad: true}) }

// refusalText says what the next round still needs.
func refusalText(open []*item) string {
	ids := make([]string, len(open))
	for i, it := range open {
		ids[i] = it.ID
	}
	return "Not started: " + control.NeedsAnswer(ids, "ctrl+x")
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
	f.notes = []note{{text: savedText(f, request), good: true}}
	f.SetSession(f.session)
}

// savedText says that a request is saved, and how many are left.
func savedText(f *Form, request string) string {
	var left [2]int // required and optional
	for _, it := range f.items {
		switch {
		case it.settled() || it.withdrawn() || it.State != ledger.Pending:
		case it.Priority == ledger.Required:
			left[0]++
		default:
			left[1]++
		}
	}
	var parts []string
	for i, p := range []ledger.Priority{ledger.Required, ledger.Optional} {
		if left[i] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", left[i], p))
		}
	}
	if len(parts) == 0 {
		return request + " saved"
	}
	return fmt.Sprintf("%s saved %s %s to go", request, f.th.Symbols.Sep, strings.Join(parts, ", "))
}

// Refused reports that recording or starting the round failed, or for nil that the user
// decided against it. All typed text is kept.
func (f *Form) Refused(err error) {
	for _, r := range f.session.Requests {
		if _, sent := f.sending[r.ID]; sent { // its text is still to be recorded
			f.openItem(r.ID)
			break
		}
	}
	clear(f.sending)
	f.notes, f.waiting = nil, false
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

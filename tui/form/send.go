package form

import (
	"errors"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
)


// send is ctrl+s: it records the drafts, and then releases if nothing blocks, or
// goes to what does; while a round runs and after the last it only records. The
// first press goes to a draft of another request that would be recorded; the
// second records.
func (f *Form) send() Outcome {
	if len(f.sending) > 0 {
		return None{}
	}
	f.notes, f.saved = nil, false
	drafts := f.drafts()
	if elsewhere := f.elsewhere(drafts); elsewhere != "" && !f.armed {
		f.complain(f.unsent(drafts))
		f.enter(elsewhere)
		f.armed = true
		return None{}
	}
	f.armed = false
	var subs []ledger.Submission
	for _, it := range drafts {
		subs = append(subs, it.sealed())
	}
	open := f.blocking(drafts)
	switch it := f.reasonless(); {
	case it != nil:
		f.refuse(fmt.Sprintf("Say why %s is unavailable. The agents read it.", it.ID), it, subs)
	case f.gate() && len(open) > 0:
		f.refuse(refusal(open), open[0], subs)
	case f.gate():
		f.expect(subs)
		return Release{Submissions: subs}
	}
	return f.record(subs)
}

// unsent says what the second press will record, and what it will still lack.
func (f *Form) unsent(drafts []*item) string {
	words := "Nothing was recorded yet. "
	if f.gate() {
		words = "Not released. "
		if open := f.blocking(drafts); len(open) > 0 {
			words += ids(open) + verb(open, " needs an answer", " need answers") + ". "
		}
	}
	return words + ids(drafts) + verb(drafts, " is a draft: ctrl+s again records it.", " are drafts: ctrl+s again records them.")
}

func verb(items []*item, one, many string) string {
	if len(items) == 1 {
		return one
	}
	return many
}

// refuse says why nothing is released and goes to what has to be done.
func (f *Form) refuse(why string, it *item, subs []ledger.Submission) {
	f.complain(why)
	if len(subs) > 0 {
		f.notes = append(f.notes, note{text: "Your other answers are recorded."})
	}
	f.enter(it.ID)
}

// record asks to record what there is.
func (f *Form) record(subs []ledger.Submission) Outcome {
	if len(subs) == 0 {
		return None{}
	}
	f.expect(subs)
	return Answer{Submissions: subs}
}

func (f *Form) expect(subs []ledger.Submission) {
	for _, s := range subs {
		f.sending[s.Request] = s
	}
}

func (f *Form) complain(text string) { f.notes = append(f.notes, note{text: text, bad: true}) }

// refusal says what a release waits for.
func refusal(open []*item) string {
	if len(open) == 1 {
		return fmt.Sprintf("Not released. %s needs an answer, or ctrl+x with a reason.", open[0].ID)
	}
	return fmt.Sprintf("Not released. %d required left: %s. Each needs an answer, or ctrl+x with a reason.", len(open), ids(open))
}

func ids(items []*item) string {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = it.ID
	}
	return strings.Join(names, ", ")
}

// marked names requests, and of each that is to be unavailable says so.
func marked(items []*item) string {
	names := make([]string, len(items))
	for i, it := range items {
		names[i] = it.ID
		if it.unavailable {
			names[i] += " unavailable"
		}
	}
	return strings.Join(names, ", ")
}

// drafts returns what ctrl+s would record, in the order of the requests.
func (f *Form) drafts() []*item {
	var out []*item
	for _, r := range f.session.Requests {
		if it := f.items[r.ID]; it.draft() && !it.gone() {
			out = append(out, it)
		}
	}
	return out
}

// elsewhere returns the first draft that has not the focus.
func (f *Form) elsewhere(drafts []*item) string {
	for _, it := range drafts {
		if it.ID != f.at.request {
			return it.ID
		}
	}
	return ""
}

// blocking returns what the next round waits for once the drafts are recorded.
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

// reasonless returns the first open request that was marked unavailable without
// a reason.
func (f *Form) reasonless() *item {
	for _, r := range f.session.Requests {
		if it := f.items[r.ID]; it.speechless() && it.Open() {
			return it
		}
	}
	return nil
}

// Recorded says that the submission for a request is stored.
func (f *Form) Recorded(request string) {
	sent, ok := f.sending[request]
	if !ok {
		return
	}
	delete(f.sending, request)
	it := f.items[request]
	if it.sealed() == sent { // nobody has typed on meanwhile
		it.touched, it.open = false, false
		it.save.clear()
	}
	if r, ok := f.session.Request(request); ok {
		it.update(r)
	}
	f.saved = len(f.sending) == 0 && !f.gate() && len(f.drafts()) == 0
	f.Update(f.session)
}

// Refused says that recording or releasing failed. What was typed is still there.
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
			f.complain(refusal(open))
			f.enter(open[0].ID)
			return
		}
	case errors.As(err, &refused) && f.items[refused.Request] != nil:
		f.enter(refused.Request)
	}
	f.complain(err.Error())
}

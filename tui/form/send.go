package form

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/attach"
	"roundtable/tui/screen"
)

// send handles ctrl+s and, on the start row, enter. In a request it records what was
// typed there and goes to the next open request; on the start row it records all drafts
// and starts the round, or goes to what blocks it.
func (f *Screen) send() screen.Outcome {
	f.note = note{}
	it := f.items[f.focused.request]
	switch {
	case it == nil:
		return f.sendAll()
	case it.needsReason():
		f.askReason(it)
		return nil
	}
	f.setFocus(f.nextOpen(it.ID))
	if _, sent := f.sending[it.ID]; sent || !it.hasDraft() {
		return nil
	}
	return f.record([]*item{it}, false)
}

func (f *Screen) sendAll() screen.Outcome {
	drafts := f.pendingDrafts()
	if it := f.firstWithoutReason(); it != nil {
		f.askReason(it)
		return nil
	}
	if !f.releasable() && len(drafts) == 0 && f.late() {
		f.Shut()
		return screen.Outcome{AskRound{}}
	}
	if !f.releasable() {
		return f.record(drafts, false)
	}
	if open := f.blocking(drafts); len(open) > 0 {
		f.addError(refusalText(open))
		f.openItem(open[0].ID)
		return nil
	}
	if len(f.sending) > 0 {
		f.waiting = true
		return nil
	}
	return f.record(drafts, true)
}

// record records drafts, with the files that they mention, and then starts the round if
// release is set.
func (f *Screen) record(drafts []*item, release bool) screen.Outcome {
	subs := f.markSending(drafts)
	if len(subs) == 0 && !release {
		return nil
	}
	if err := f.control.WhyNot(control.Answer); err != nil {
		f.refused(err)
		return nil
	}
	texts := text.Each(subs, func(s ledger.Submission) string { return s.Content })
	return f.config.Files.Begin(attach.Send{
		Texts: texts, Mentions: &f.mentions, Session: f.session.ID, Key: "ctrl+s",
		Then: func(texts []string, all []debate.Evidence) screen.Outcome {
			if all != nil {
				f.control.SetEvidence(all)
			}
			for i := range subs {
				subs[i].Content = texts[i]
			}
			return screen.Run(f.save(subs, release))
		},
		Back: func(err error) screen.Outcome {
			f.refused(err)
			return nil
		},
	})
}

// save returns a command that stores submissions one by one, after the saves before it: one that
// is rejected does not prevent those before it. Release says that the user asked for the next
// round as well.
func (f *Screen) save(subs []ledger.Submission, release bool) tea.Cmd {
	ctx := context.WithoutCancel(f.ctx)
	works := text.Each(subs, func(s ledger.Submission) control.Work {
		return f.control.Do(control.Answer, control.Values{Answers: []ledger.Submission{s}})
	})
	return f.config.Saves.Add(func() tea.Msg {
		var commits []control.Commit
		for _, work := range works {
			commit, err := work.Do(ctx)
			if err != nil {
				return f.then(func() screen.Outcome { return f.recorded(subs, commits, false, err) })
			}
			commits = append(commits, commit)
		}
		return f.then(func() screen.Outcome { return f.recorded(subs, commits, release, nil) })
	})
}

func (f *Screen) recorded(subs []ledger.Submission, commits []control.Commit, release bool, err error) screen.Outcome {
	for _, commit := range commits {
		commit()
	}
	if len(commits) > 0 {
		f.SetSession(f.control.Session())
	}
	for _, s := range subs[:len(commits)] {
		f.sent(s.Request)
	}
	if err != nil {
		f.refused(err)
		return notSaved(screen.Answers, err)
	}
	out := screen.Outcome{screen.Saved{What: screen.Answers}}
	if len(commits) > 0 && len(f.control.Session().Unanswered()) == 0 { // what was waited for has come
		out = append(out, screen.RestoreError{})
	}
	if release {
		if f.control.Running() {
			return out
		}
		if _, err := f.control.Act(f.ctx, control.Continue, control.Values{}); err != nil {
			f.refused(err)
			return out
		}
		f.control.Recount()
		f.Shut()
		return append(out, screen.RunBegan{})
	}
	var pressed screen.Outcome
	if f.waiting && len(f.sending) == 0 { // the start row, while answers were being recorded
		f.waiting = false
		pressed = f.sendAll()
	}
	return append(out, f.changed(pressed)...)
}

func notSaved(what screen.Saving, err error) screen.Outcome {
	if control.Rejected(err) {
		return screen.Refused(err)
	}
	return screen.Outcome{screen.SaveFailed{What: what, Err: err}}
}

func (f *Screen) end() screen.Outcome {
	if f.control.ReadOnly != "" {
		f.refused(f.control.WhyNot(control.EndNow))
		return nil
	}
	return screen.Outcome{AskEnd{}}
}

// nextOpen returns where ctrl+s goes from a request, or where it begins from "": to the next
// one that is open, required ones first, and at last to the start row. It never goes back.
func (f *Screen) nextOpen(from string) tabStop {
	after := from == ""
	for _, it := range f.visibleItems() {
		if after && !it.settled() && !it.withdrawn() {
			return tabStop{it.ID, fieldAnswer}
		}
		after = after || it.ID == from
	}
	return tabStop{field: fieldRelease}
}

func (f *Screen) askReason(it *item) {
	f.addError(fmt.Sprintf("Say why %s is unavailable. The seats read it.", it.ID))
	f.openItem(it.ID)
}

func (f *Screen) sendHint() string {
	if it := f.items[f.focused.request]; it != nil {
		if it.needsReason() {
			return "say why " + it.ID + " is unavailable"
		}
		next := "the start row"
		if to := f.nextOpen(it.ID); to.request != "" {
			next = to.request
		} else if !f.releasable() {
			next = "the last row"
		}
		if it.hasDraft() {
			return f.sendKey() + " save " + it.ID + ", go to " + next
		}
		return f.sendKey() + " go to " + next
	}
	drafts := f.pendingDrafts()
	switch open := f.blocking(drafts); {
	case !f.releasable() && len(drafts) == 0:
		return ""
	case !f.releasable():
		return f.sendKey() + " save " + draftList(drafts)
	case len(open) > 0:
		return f.sendKey() + " go to " + open[0].ID
	}
	return fmt.Sprintf("%s start round %d", f.sendKey(), f.round)
}

// markSending returns the submissions of drafts, and notes that they are being recorded.
// Those that are already are left out.
func (f *Screen) markSending(drafts []*item) []ledger.Submission {
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

func (f *Screen) addError(text string) { f.note = note{text, true} }

func refusalText(open []*item) string {
	ids := text.Each(open, func(it *item) string { return it.ID })
	return "Not started: " + text.List(ids) + text.Inflect(len(ids), " needs", " need") + " an answer, or ctrl+x with a reason."
}

func draftList(items []*item) string {
	return strings.Join(text.Each(items, func(it *item) string {
		if it.unavailable {
			return it.ID + " unavailable"
		}
		return it.ID
	}), ", ")
}

func (f *Screen) pendingDrafts() []*item {
	var out []*item
	for _, r := range f.session.Requests {
		if it := f.items[r.ID]; it.hasDraft() && !it.withdrawn() {
			out = append(out, it)
		}
	}
	return out
}

// blocking returns what the next round would still need once the drafts are recorded.
func (f *Screen) blocking(drafts []*item) []*item {
	var out []*item
	for _, r := range f.session.Unanswered() {
		it, sent := f.items[r.ID], false
		for _, d := range drafts {
			sent = sent || d.ID == r.ID && ledger.HasWords(d.text())
		}
		if !sent {
			out = append(out, it)
		}
	}
	return out
}

func (f *Screen) firstWithoutReason() *item {
	for _, r := range f.session.Requests {
		if it := f.items[r.ID]; it.needsReason() && r.Blocks() {
			return it
		}
	}
	return nil
}

func (f *Screen) sent(request string) {
	sent, ok := f.sending[request]
	if !ok {
		return
	}
	delete(f.sending, request)
	it := f.items[request]
	if it.normalizedSubmission() == sent { // nothing was typed meanwhile
		it.edited, it.expanded = false, false
		it.dirty = it.stored
	}
	if r, ok := f.session.Request(request); ok {
		it.setRequest(r)
	}
	f.saved = len(f.sending) == 0 && !f.releasable() && len(f.pendingDrafts()) == 0
	f.note = note{text: f.savedText(request)}
	f.refresh(f.session)
}

func (f *Screen) savedText(request string) string {
	left := 0
	for _, it := range f.items {
		if it.Open() {
			left++
		}
	}
	if left == 0 {
		return request + " saved"
	}
	return fmt.Sprintf("%s saved %s %d to go", request, f.th.Symbols.Sep, left)
}

// refused says why recording or starting the round failed, or for nil that the user
// decided against it. All typed text is kept.
func (f *Screen) refused(err error) {
	for _, r := range f.session.Requests {
		if _, sent := f.sending[r.ID]; sent { // its text is still to be recorded
			f.openItem(r.ID)
			break
		}
	}
	clear(f.sending)
	f.note, f.waiting = note{}, false
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
		f.addError(text.Sentence(err.Error()))
	}
}

// Draft is what was typed for one request; an empty one is to be removed.
type Draft struct {
	Request string
	debate.Draft
}

const (
	// draftEvery is the time between two saves of what is typed.
	draftEvery = 450 * time.Millisecond
	// draftAgain is the time after which a draft that could not be stored is saved again.
	draftAgain = 2 * time.Second
)

// Unsaved returns the drafts that are not stored, in the order of the requests.
func (f *Screen) Unsaved() []Draft {
	var out []Draft
	for _, r := range f.session.Requests {
		if it := f.items[r.ID]; it.dirty && f.control.ReadOnly == "" {
			d := it.draft()
			d.At = f.config.Now()
			out, it.stored = append(out, Draft{r.ID, d}), true
		}
	}
	return out
}

// saveSoon returns a command that leads to a save of what is typed; nil if there is
// nothing to save or one is on its way. Saved that often, no change stays unsaved for more than a second.
func (f *Screen) saveSoon(in time.Duration) tea.Cmd {
	dirty := false
	for _, it := range f.items {
		dirty = dirty || it.dirty
	}
	if f.saveDue || !dirty || f.control.ReadOnly != "" {
		return nil
	}
	f.saveDue = true
	return screen.After(f.ctx, in, f.then(f.saveTyped))
}

func (f *Screen) saveTyped() screen.Outcome {
	ctx, writer, session, drafts := context.WithoutCancel(f.ctx), f.config.Writer, f.session.ID, f.Unsaved()
	return screen.Run(f.config.Saves.Add(func() tea.Msg {
		for i, d := range drafts {
			if err := writer.SaveDraft(ctx, session, d.Request, d.Draft); err != nil {
				return f.then(func() screen.Outcome { return f.savedDrafts(drafts[:i], err) })
			}
		}
		return f.then(func() screen.Outcome { return f.savedDrafts(drafts, nil) })
	}))
}

func (f *Screen) savedDrafts(drafts []Draft, err error) screen.Outcome {
	f.saveDue = false
	for _, d := range drafts {
		it, saved := f.items[d.Request], d.Draft
		saved.At = time.Time{}
		it.dirty, it.stored = it.draft() != saved, saved != debate.Draft{}
	}
	if err != nil {
		return append(notSaved(screen.Drafts, err), screen.Run(f.saveSoon(draftAgain))...)
	}
	return append(screen.Outcome{screen.Saved{What: screen.Drafts}}, screen.Run(f.saveSoon(draftEvery))...)
}

// then makes the message of a command of the form.
func (f *Screen) then(then screen.Then) tea.Msg { return screen.ThenIn{Session: f.control, Then: then} }

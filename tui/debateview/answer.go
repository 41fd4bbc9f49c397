package debateview

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/tui/screen"
)

// draftEvery is how often typed text is looked at for saving.
const draftEvery = 450 * time.Millisecond

// answer returns a command that records submissions one by one, so that one that is
// refused takes no other along.
func (f *Form) answer(subs []ledger.Submission, release bool) tea.Cmd {
	ctx, writer, id := context.WithoutCancel(f.d.ctx), f.d.Writer, f.session.ID
	return f.d.Saves.Add(func() tea.Msg {
		msg := answeredMsg{sessionID: sessionID(id), release: release}
		for _, s := range subs {
			requests, err := writer.Answer(ctx, id, s)
			if err != nil {
				msg.err = err
				break
			}
			msg.requests = append(msg.requests, requests...)
		}
		return msg
	})
}

// answered shows what is recorded; a release starts the next round.
func (d *Debate) answered(msg answeredMsg) screen.Outcome {
	for _, r := range msg.requests {
		d.learn(r)
		for _, p := range d.panes {
			p.SetSession(d.session)
		}
		d.Form.update()
		d.Form.form.Recorded(r.ID)
	}
	if msg.err != nil {
		d.Form.form.Refused(msg.err)
		return d.refused(msg.err, savingAnswer)
	}
	out := d.saved(savingAnswer)
	open := d.session.Unanswered()
	if len(msg.requests) > 0 && len(open) == 0 { // what was waited for has come
		out = append(out, screen.RestoreError{})
	}
	if !msg.release || d.Running() {
		return out
	}
	if len(open) > 0 {
		d.Form.form.Refused(&debate.BlockedError{Session: d.session.ID, Round: d.session.Next(), Requests: open})
		return out
	}
	return append(out, d.start()...)
}

// saveSoon returns a command that sees to it that typed text is saved in time; nil
// if there is nothing to save, or one is under way.
func (f *Form) saveSoon() tea.Cmd {
	if f.saving || !f.form.Unsaved() {
		return nil
	}
	f.saving = true
	return screen.After(f.d.ctx, draftEvery, saveMsg{f.id()})
}

// saveTyped saves the drafts whose time has come.
func (f *Form) saveTyped() screen.Outcome {
	f.saving = false
	var out screen.Outcome
	if drafts := f.unsaved(f.d.Now()); len(drafts) > 0 {
		out = screen.Run(f.saveDrafts(drafts))
	}
	return append(out, screen.Run(f.saveSoon())...)
}

// unsaved returns the drafts to be stored by a time.
func (f *Form) unsaved(by time.Time) []Draft {
	var out []Draft
	for _, d := range f.form.Dirty(by) {
		d.Draft.At = f.d.Now()
		out = append(out, Draft{d.Request, d.Draft})
	}
	return out
}

// Unsaved returns all drafts that are not stored yet, for the last save.
func (f *Form) Unsaved() []Draft { return f.unsaved(f.d.Now().Add(time.Minute)) }

func (f *Form) saveDrafts(drafts []Draft) tea.Cmd {
	ctx, writer, id := context.WithoutCancel(f.d.ctx), f.d.Writer, f.session.ID
	return f.d.Saves.Add(func() tea.Msg {
		for i, d := range drafts {
			if err := writer.SaveDraft(ctx, id, d.Request, d.Draft); err != nil {
				return draftsMsg{sessionID(id), drafts[:i], err}
			}
		}
		return draftsMsg{sessionID(id), drafts, nil}
	})
}

// draftsSaved marks the drafts that are stored.
func (d *Debate) draftsSaved(msg draftsMsg) screen.Outcome {
	for _, draft := range msg.saved {
		d.Form.form.Saved(draft.Request)
	}
	if msg.err != nil {
		return d.refused(msg.err, savingDraft)
	}
	return d.saved(savingDraft)
}

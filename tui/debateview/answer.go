package debateview

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/tui/attach"
	"roundtable/tui/form"
	"roundtable/tui/screen"
)

// draftEvery is the time between two saves of what is typed.
const draftEvery = 450 * time.Millisecond

// send attaches the files that answers mention, and records the answers.
func (f *Form) send(subs []ledger.Submission, release bool) screen.Effect {
	texts := make([]string, len(subs))
	for i, s := range subs {
		texts[i] = s.Content
	}
	return attach.Send{
		Texts: texts, Mentions: form.Mentions(f.form), Session: f.Session().ID, Key: "ctrl+s",
		Then: func(texts []string, all []debate.Evidence) screen.Outcome {
			if all != nil {
				f.d.SetEvidence(all)
			}
			sent := slices.Clone(subs)
			for i := range sent {
				sent[i].Content = texts[i]
			}
			return screen.Run(f.answer(sent, release))
		},
		Back: func(err error) screen.Outcome {
			f.form.Refused(err)
			return nil
		},
	}
}

// answer returns a command that records answers one by one, after the saves before it: a
// rejected one does not prevent those before it.
func (f *Form) answer(subs []ledger.Submission, release bool) tea.Cmd {
	ctx, msg := context.WithoutCancel(f.d.ctx), answeredMsg{sessionID: f.id(), release: release}
	var works []control.Work
	for _, s := range subs {
		works = append(works, f.d.Do(control.Answer, control.Values{Answers: []ledger.Submission{s}}))
	}
	return f.d.config.Saves.Add(func() tea.Msg {
		for i, work := range works {
			commit, err := work(ctx)
			if err != nil {
				msg.err = err
				break
			}
			msg.commits, msg.recorded = append(msg.commits, commit), append(msg.recorded, subs[i].Request)
		}
		return msg
	})
}

// join returns a command that joins a request to another, after the saves before it.
func (f *Form) join(j form.Join) tea.Cmd {
	v := control.Values{Request: j.Request, Into: j.Into}
	ctx, id, work := context.WithoutCancel(f.d.ctx), f.id(), f.d.Do(control.Join, v)
	return f.d.config.Saves.Add(func() tea.Msg {
		commit, err := work(ctx)
		if err != nil {
			return answeredMsg{sessionID: id, err: err}
		}
		return answeredMsg{sessionID: id, commits: []control.Commit{commit}, recorded: []string{j.Request, j.Into}}
	})
}

// answered shows what was recorded, and starts the next round if the user asked for that.
func (d *Debate) answered(msg answeredMsg) screen.Outcome {
	for _, commit := range msg.commits {
		commit()
	}
	if len(msg.commits) > 0 {
		d.showSession()
		d.Form.update()
	}
	for _, id := range msg.recorded {
		d.Form.form.Recorded(id)
	}
	if msg.err != nil {
		d.Form.form.Refused(msg.err)
		return d.refused(msg.err, savingAnswer)
	}
	out := d.saved(savingAnswer)
	if len(msg.commits) > 0 && len(d.Session().Unanswered()) == 0 { // what was waited for has come
		out = append(out, screen.RestoreError{})
	}
	if !msg.release {
		return append(out, d.Form.carryOut(form.Continue(d.Form.form))...)
	}
	if d.Running() {
		return out
	}
	if err := d.WhyNot(control.Continue); err != nil {
		d.Form.form.Refused(err)
		return out
	}
	return append(out, d.carryOut(control.Continue, control.Values{})...)
}

// saveSoon returns a command that leads to a save of what is typed; nil if there
// is nothing to save or one is on its way.
func (f *Form) saveSoon() tea.Cmd {
	if f.saving || !f.form.Unsaved() {
		return nil
	}
	f.saving = true
	return screen.After(f.d.ctx, draftEvery, saveMsg{f.id()})
}

// saveTyped saves the drafts that are due.
func (f *Form) saveTyped() screen.Outcome {
	f.saving = false
	var out screen.Outcome
	if drafts := f.unsaved(f.d.config.Now()); len(drafts) > 0 {
		out = screen.Run(f.saveDrafts(drafts))
	}
	return append(out, screen.Run(f.saveSoon())...)
}

// unsaved returns the drafts that are due at a time.
func (f *Form) unsaved(by time.Time) []Draft {
	var out []Draft
	for _, d := range f.form.Dirty(by) {
		d.Draft.At = f.d.config.Now()
		out = append(out, Draft{d.Request, d.Draft})
	}
	return out
}

// Unsaved returns all drafts that are not saved yet.
func (f *Form) Unsaved() []Draft { return f.unsaved(f.d.config.Now().Add(time.Minute)) }

func (f *Form) saveDrafts(drafts []Draft) tea.Cmd {
	ctx, writer, id := context.WithoutCancel(f.d.ctx), f.d.config.Writer, f.Session().ID
	return f.d.config.Saves.Add(func() tea.Msg {
		for i, d := range drafts {
			if err := writer.SaveDraft(ctx, id, d.Request, d.Draft); err != nil {
				return draftsMsg{sessionID(id), drafts[:i], err}
			}
		}
		return draftsMsg{sessionID(id), drafts, nil}
	})
}

// draftsSaved marks the drafts that were saved.
func (d *Debate) draftsSaved(msg draftsMsg) screen.Outcome {
	for _, draft := range msg.saved {
		d.Form.form.Saved(draft.Request)
	}
	if msg.err != nil {
		return d.refused(msg.err, savingDraft)
	}
	return d.saved(savingDraft)
}

// refuseToSave says why nothing is saved, where that was asked for.
func (f *Form) refuseToSave(out form.Outcome, why string) screen.Outcome {
	switch out := out.(type) {
	case form.Answer, form.Release, form.Join, form.EndNow:
		f.form.Refused(errors.New("Nothing can be saved: " + why + "."))
	case form.Close:
		return f.Close()
	case form.Notice:
		return screen.Outcome{FormNotice{out.Text}}
	case form.Editor, form.None:
	}
	return nil
}

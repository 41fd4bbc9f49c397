package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/crash"
	"roundtable/internal/text"
)

// note records and announces a notice. If it cannot be stored the run ends.
func (r *runner) note(ctx context.Context, n debate.Notice) {
	n.At = r.Now()
	if err := r.Recorder.Note(context.WithoutCancel(ctx), r.current().ID, n); err != nil {
		r.run.cancel(fmt.Errorf("record a notice: %w", err))
		return
	}
	r.update(func(s debate.Session) debate.Session {
		s.Notices = append(slices.Clip(s.Notices), n)
		return s
	})
	r.emit(debate.Noticed{Notice: n})
}

// noteOnce is note unless the session has a notice with the same text.
func (r *runner) noteOnce(ctx context.Context, n debate.Notice) {
	r.noting.Lock()
	defer r.noting.Unlock()
	if !r.current().HasNotice(n.Text) {
		r.note(ctx, n)
	}
}

// prepareProviders has the providers of all speakers start what takes time, and records, once per
// session, every agent whose provider is not configured.
func (r *runner) prepareProviders(ctx context.Context) {
	s := r.current().Upcoming()
	if s.Workspace.Check(s.Speakers()) != nil { // no round begins
		return
	}
	for _, who := range s.Speakers() {
		cause := r.prepareProvider(who)
		if ctx.Err() != nil {
			return
		}
		if cause == "" {
			continue
		}
		n := debate.Notice{
			Code: "cannot_ask", Agent: who.ID, Round: max(len(s.History), s.Next()), At: r.Now(),
			Text: fmt.Sprintf("%s cannot be asked: %s", who.Name, cause),
		}
		if s.HasNotice(n.Text) {
			r.emit(debate.Noticed{Notice: n})
		} else {
			r.note(ctx, n)
		}
	}
}

// prepareProvider prepares the provider of a speaker. It returns why there is none, "" if
// there is one.
func (r *runner) prepareProvider(who agents.Profile) (cause string) {
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			r.OnPanic(panicked)
			cause = panicked.Error()
		}
	}()
	client, err := r.Provider(who)
	if err == nil {
		r.kept.prepare(r.current(), who, client)
		return ""
	}
	return strings.TrimSuffix(err.Error(), ".") + "."
}

// noteRound records, once per session, what the user is to know of a round that begins: what
// weakens a verdict of this panel, and which evidence no prompt shows whole.
func (r *runner) noteRound(ctx context.Context, s debate.Session) {
	note := func(code, text string) {
		r.noteOnce(ctx, debate.Notice{Code: code, Text: text, Round: len(s.History)})
	}
	if text := s.RosterNote(r.Local); text != "" {
		note("roster", text)
	}
	if texts, err := prompt.EvidenceNotices(s, s.Current().Number); err == nil { // the turns of the round fail of it, and say so
		for _, text := range texts {
			note("evidence", text)
		}
	}
}

// noticer is implemented by providers that report configuration fixes or unsupported
// parameters.
type noticer interface{ Notices() []string }

// windowTeller is implemented by providers whose servers say which context window is in
// force.
type windowTeller interface {
	Window(ctx context.Context, model string) (tokens int)
}

// withWindow returns the profile with the window that its server says is in force, unless
// one is configured.
func (r *runner) withWindow(ctx context.Context, who agents.Profile) agents.Profile {
	if who.ContextWindow > 0 {
		return who
	}
	client, err := r.Provider(who)
	if teller, ok := client.(windowTeller); ok && err == nil {
		who.ContextWindow = teller.Window(ctx, who.Model)
	}
	return who
}

// learnWindows gives the chair and the light model, and the members who may write the
// verdict, the windows that are in force.
func (r *runner) learnWindows(ctx context.Context) {
	told := r.current().WithSpeakers(func(p agents.Profile) agents.Profile { return r.withWindow(ctx, p) })
	r.update(func(s debate.Session) debate.Session {
		s.Seats, s.Chair, s.Light = told.Seats, told.Chair, told.Light
		return s
	})
}

// noteProblems records what the user is to know of a turn that has ended.
func (tr *turnRecorder) noteProblems(ctx context.Context) {
	who, round := tr.speaker, tr.response.Turn.Round
	note := func(code, text string) {
		tr.noteOnce(ctx, debate.Notice{Code: code, Agent: who.ID, Round: round, Text: text})
	}
	known := func(code string) bool {
		return slices.ContainsFunc(tr.current().Notices, func(n debate.Notice) bool { return n.Code == code && n.Agent == who.ID })
	}
	if tr.cut != nil && !known(debate.NoticePromptCut) {
		note(debate.NoticePromptCut, who.Name+": "+debate.CutText(*tr.cut)+". "+tr.cut.Remedy)
	}
	if tr.toolsUnread && tr.response.State == debate.TurnDone {
		note(debate.NoticeToolsUnread, debate.ToolsUnreadText(who.Name)+".")
	}
	if tr.unread != "" {
		note("question_unread", fmt.Sprintf("%s asked you something in round %d that could not be read: \"%s\"", who.Name, round,
			text.Clip(text.Line(tr.unread), maxUnreadQuestion)))
	}
	if breach := tr.response.Statement.RoleBreach; breach != "" {
		note("role", fmt.Sprintf("%s breaks its role in round %d: %s. The statement is kept as it is.", who.Name, round, breach))
	}
	if client, err := tr.Provider(who); err == nil {
		if source, ok := client.(noticer); ok {
			for _, text := range source.Notices() {
				tr.noteOnce(ctx, debate.Notice{Code: "provider", Text: text, Round: round})
			}
		}
	}
}

const maxUnreadQuestion = 500 // characters that a notice quotes

// noteSharedTools records the tools by which seats that speak at the same time, and should not
// see each other, may all change something.
func (r *runner) noteSharedTools(ctx context.Context, step debate.Step) {
	var names []string
	for _, t := range r.Tools {
		if t.Shared {
			names = append(names, t.Spec.Name)
		}
	}
	if len(names) > 0 && len(step.Seats) > 1 {
		r.noteOnce(ctx, debate.Notice{Code: "shared_tool", Round: len(r.current().History), Text: text.List(names) + " may change " +
			"something, and seats that speak at the same time share it: what one does with it another may find."})
	}
}

package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/crash"
	"roundtable/internal/text"
)

// mustRecordNotices records and announces notices. If they cannot be stored the run
// ends.
func (r *runner) mustRecordNotices(ctx context.Context, ns ...debate.Notice) {
	if err := r.recordNotices(ctx, ns...); err != nil {
		r.run.cancel(err)
	}
}

// recordNotices records and announces notices and returns the store's error.
func (r *runner) recordNotices(ctx context.Context, ns ...debate.Notice) error {
	for i := range ns {
		ns[i].At = r.Now()
	}
	if err := r.Recorder.Note(context.WithoutCancel(ctx), r.current().ID, ns...); err != nil {
		return fmt.Errorf("record a notice: %w", err)
	}
	for _, n := range ns {
		r.emit(debate.Noticed{Notice: n})
	}
	return nil
}

// prepareProviders has the providers of all speakers start what takes time, and records, once per
// session, every agent whose provider is not configured.
func (r *runner) prepareProviders(ctx context.Context) {
	s := r.current().Upcoming()
	if s.Workspace.Check(s.Speakers()) != nil { // no round begins
		return
	}
	round := len(s.History)
	if n := s.Next(); n > 0 {
		round = n
	}
	for _, who := range s.Speakers() {
		cause := r.prepareProvider(who)
		if ctx.Err() != nil {
			return
		}
		if cause == "" {
			continue
		}
		n := debate.Notice{Code: "cannot_ask", Agent: who.ID, Round: round, Text: fmt.Sprintf("%s cannot be asked: %s", who.Name, cause)}
		if s.HasNotice(n.Text) {
			n.At = r.Now()
			r.emit(debate.Noticed{Notice: n})
			continue
		}
		r.mustRecordNotices(ctx, n)
	}
}

// prepareProvider prepares the provider of a speaker. It returns why there is none, "" if
// there is one.
func (r *runner) prepareProvider(who agents.Profile) (cause string) {
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			r.reportPanic(panicked)
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

// warnAboutRoster records, once per session, what weakens a verdict of this panel.
func (r *runner) warnAboutRoster(ctx context.Context) {
	s := r.current()
	for _, text := range s.RosterNotes(func(provider string) bool { return r.Local != nil && r.Local(provider) }) {
		if !s.HasNotice(text) {
			r.mustRecordNotices(ctx, debate.Notice{Code: "roster", Text: text, Round: len(s.History)})
		}
	}
}

// warnAboutEvidence records which evidence of a round no prompt shows whole.
func (r *runner) warnAboutEvidence(ctx context.Context, s debate.Session) {
	texts, err := prompt.EvidenceNotices(s, s.Current().Number)
	if err != nil { // the turns of the round fail of it, and say so
		return
	}
	for _, text := range texts {
		if !s.HasNotice(text) {
			r.mustRecordNotices(ctx, debate.Notice{Code: "evidence", Text: text, Round: len(s.History)})
		}
	}
}

// warnAboutWorkspace records, once per session, which files of the workspace seats cannot
// read.
func (r *runner) warnAboutWorkspace(ctx context.Context) {
	r.kept.mu.Lock()
	w, searched := r.kept.workspaces, r.kept.searched
	r.kept.searched = w != nil
	r.kept.mu.Unlock()
	if w == nil || searched {
		return
	}
	said, err := w.LeftOut(ctx)
	if err == nil && said != "" && !r.current().HasNotice(said) {
		r.mustRecordNotices(ctx, debate.Notice{Code: "workspace", Text: said, Round: len(r.current().History)})
	}
}

// noticer is implemented by providers that report configuration fixes or unsupported
// parameters.
type noticer interface{ Notices() []string }

// newProviderNotices returns the notices of a speaker's provider that the session does
// not have yet.
func (r *runner) newProviderNotices(who agents.Profile, round int) []debate.Notice {
	client, err := r.Provider(who)
	source, ok := client.(noticer)
	if err != nil || !ok {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var added []debate.Notice
	for _, text := range source.Notices() {
		if !r.session.HasNotice(text) {
			n := debate.Notice{Code: "provider", Text: text, Round: round, At: r.Now()}
			r.session.Notices = append(r.session.Notices[:len(r.session.Notices):len(r.session.Notices)], n)
			added = append(added, n)
		}
	}
	return added
}

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
	s := r.current()
	seats := slices.Clone(s.Seats)
	for i := range seats {
		seats[i] = r.withWindow(ctx, seats[i])
	}
	told := func(who *agents.Profile) *agents.Profile {
		if who == nil {
			return nil
		}
		with := r.withWindow(ctx, *who)
		return &with
	}
	chair, light := told(s.Chair), told(s.Light)
	r.update(func(s debate.Session) debate.Session {
		s.Seats, s.Chair, s.Light = seats, chair, light
		return s
	})
}

// learnLightWindow gives the light model the window that is in force.
func (r *runner) learnLightWindow(ctx context.Context) {
	light := r.current().Light
	if light == nil {
		return
	}
	with := r.withWindow(ctx, *light)
	r.update(func(s debate.Session) debate.Session {
		s.Light = &with
		return s
	})
}

// noticeCut records, once for each speaker, that a server read a prompt only in part.
func (tr *turnRecorder) noticeCut(ctx context.Context) {
	if tr.cut != nil {
		tr.noticeOnce(ctx, debate.NoticePromptCut, tr.speaker.Name+": "+debate.CutText(*tr.cut)+". "+tr.cut.Remedy)
	}
}

// noticeToolsUnread records, once for each speaker, that its agent has not taken the tools
// of the debate.
func (tr *turnRecorder) noticeToolsUnread(ctx context.Context) {
	if tr.toolsUnread && tr.response.State == debate.TurnDone {
		tr.noticeOnce(ctx, debate.NoticeToolsUnread, debate.ToolsUnreadText(tr.speaker.Name)+".")
	}
}

// noticeUnreadQuestion records what a speaker wrote to ask the user, if that could not be read.
func (tr *turnRecorder) noticeUnreadQuestion(ctx context.Context) {
	if tr.unread == "" {
		return
	}
	tr.mustRecordNotices(ctx, debate.Notice{
		Code: "question_unread", Agent: tr.speaker.ID, Round: tr.response.Turn.Round,
		Text: fmt.Sprintf("%s asked you something that could not be read: \"%s\"", tr.speaker.Name,
			text.Clip(text.Line(tr.unread), maxUnreadQuestion)),
	})
}

const maxUnreadQuestion = 500 // characters that a notice quotes

// noticeOnce records a notice unless the speaker has one with that code.
func (tr *turnRecorder) noticeOnce(ctx context.Context, code, text string) {
	known := slices.ContainsFunc(tr.current().Notices, func(n debate.Notice) bool {
		return n.Code == code && n.Agent == tr.speaker.ID
	})
	if known {
		return
	}
	n := debate.Notice{Code: code, Agent: tr.speaker.ID, Round: tr.response.Turn.Round, Text: text}
	tr.update(func(s debate.Session) debate.Session {
		s.Notices = append(slices.Clip(s.Notices), n)
		return s
	})
	tr.mustRecordNotices(ctx, n)
}

// noteSharedTools records the tools by which seats that speak at the same time, and should not
// see each other, may all change something.
func (r *runner) noteSharedTools(ctx context.Context, step debate.Step) error {
	var names []string
	for _, t := range r.Tools {
		if remote, ok := t.(tools.Remote); ok && remote.Shared() {
			names = append(names, t.Spec().Name)
		}
	}
	s := r.current()
	if len(names) == 0 || len(step.Seats) < 2 {
		return nil
	}
	n := debate.Notice{Code: "shared_tool", Round: len(s.History), Text: fmt.Sprintf("%s may change something, and seats that "+
		"speak at the same time share it: what one does with it another may find.", text.List(names))}
	if s.HasNotice(n.Text) {
		return nil
	}
	return r.recordNotices(ctx, n)
}

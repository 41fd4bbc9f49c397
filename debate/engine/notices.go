package engine

import (
	"context"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// mustRecordNotices keeps and announces what the user has to know. What cannot be kept ends the
// run, with what is under way.
func (p *runner) mustRecordNotices(ctx context.Context, ns ...debate.Notice) {
	if err := p.recordNotices(ctx, ns...); err != nil {
		p.run.cancel(err)
	}
}

// recordNotices is notice where nothing is under way that would end with the run: the error
// is the store's.
func (p *runner) recordNotices(ctx context.Context, ns ...debate.Notice) error {
	for i := range ns {
		ns[i].At = p.Now()
	}
	if err := p.Recorder.Note(context.WithoutCancel(ctx), p.current().ID, ns...); err != nil {
		return fmt.Errorf("keep a notice: %w", err)
	}
	for _, n := range ns {
		p.emit(debate.Noticed{Notice: n})
	}
	return nil
}

// warnUnreachable says, before anything runs, of whom it is known already that they cannot be
// asked. It is kept once, however often the session is taken up again.
func (p *runner) warnUnreachable(ctx context.Context) {
	s := p.current()
	round := len(s.History)
	if n := s.Next(); n > 0 {
		round = n
	}
	for _, who := range s.Speakers() {
		cause := p.unreachableCause(who)
		if cause == "" {
			continue
		}
		n := debate.Notice{Code: "cannot_ask", Agent: who.ID, Round: round, Text: fmt.Sprintf("%s cannot be asked: %s", who.Name, cause)}
		if s.HasNotice(n.Text) {
			n.At = p.Now()
			p.emit(debate.Noticed{Notice: n})
			continue
		}
		p.mustRecordNotices(ctx, n)
	}
}

// unreachableCause returns why a speaker has no provider; "" if it has one.
func (p *runner) unreachableCause(who agents.Profile) (cause string) {
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			p.reportPanic(panicked)
			cause = panicked.Error()
		}
	}()
	_, err := p.Provider(who)
	if err == nil {
		return ""
	}
	return strings.TrimSuffix(err.Error(), ".") + "."
}

// warnAboutRoster says it before anybody is asked, and once in a session.
func (p *runner) warnAboutRoster(ctx context.Context) {
	s := p.current()
	for _, text := range s.RosterWarnings() {
		if !s.HasNotice(text) {
			p.mustRecordNotices(ctx, debate.Notice{Code: "roster", Text: text, Round: len(s.History)})
		}
	}
}

// noticer is a provider that has to tell something of itself, such as what of
// its configuration was repaired or what a server does not take.
type noticer interface{ Notices() []string }

// newProviderNotices returns what a speaker's provider tells that was not told before.
func (p *runner) newProviderNotices(who agents.Profile, round int) []debate.Notice {
	client, err := p.Provider(who)
	r, ok := client.(noticer)
	if err != nil || !ok {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	var fresh []debate.Notice
	for _, text := range r.Notices() {
		if !p.session.HasNotice(text) {
			n := debate.Notice{Code: "provider", Text: text, Round: round, At: p.Now()}
			p.session.Notices = append(p.session.Notices[:len(p.session.Notices):len(p.session.Notices)], n)
			fresh = append(fresh, n)
		}
	}
	return fresh
}

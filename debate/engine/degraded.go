package engine

import (
	"context"
	"fmt"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// warn says, before anything runs, of whom it is known already that they cannot be
// asked. It is kept once, however often the session is taken up again.
func (p *runner) warn(ctx context.Context) {
	s := p.current()
	round := len(s.History)
	if n := s.Next(); n > 0 {
		round = n
	}
	for _, who := range s.Speakers() {
		cause := p.unreachable(who)
		if cause == "" {
			continue
		}
		n := debate.Notice{Code: "cannot_ask", Agent: who.ID, Round: round, Text: fmt.Sprintf("%s cannot be asked: %s", who.Name, cause)}
		if s.HasNotice(n.Text) {
			n.At = p.Now()
			p.emit(debate.Noticed{Notice: n})
			continue
		}
		p.notice(ctx, n)
	}
}

// unreachable returns why a speaker has no provider; "" if it has one.
func (p *runner) unreachable(who agents.Profile) (cause string) {
	defer func() {
		if panicked := crash.From(recover()); panicked != nil {
			p.defect(panicked)
			cause = panicked.Error()
		}
	}()
	_, err := p.Provider(who)
	if err == nil {
		return ""
	}
	return strings.TrimSuffix(err.Error(), ".") + "."
}

// warnOfRoster says it before anybody is asked, and once in a session.
func (p *runner) warnOfRoster(ctx context.Context) {
	s := p.current()
	for _, text := range s.RosterWarnings() {
		if !s.HasNotice(text) {
			p.notice(ctx, debate.Notice{Code: "roster", Text: text, Round: len(s.History)})
		}
	}
}

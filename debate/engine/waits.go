package engine

import (
	"sync"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// retryNower is a provider that can be told not to wait any longer.
type retryNower interface{ RetryNow() }

// hurry ends the wait of a speaker's provider, if it knows any.
func (p *runner) hurry(id agents.ID) {
	s := p.current()
	who, n := s.Seat(id)
	if n == 0 && s.Chair != nil && s.Chair.ID == id {
		who, n = *s.Chair, 1
	}
	if n == 0 {
		return
	}
	client, err := p.Provider(who)
	if h, ok := client.(retryNower); ok && err == nil {
		h.RetryNow()
	}
}

// listen obeys while no step is played, until stop: a chair is no seat that could
// be cancelled or run again, but its provider may make it wait.
func (p *runner) listen() (stop func() error) {
	var (
		quit = make(chan struct{})
		wait sync.WaitGroup
		err  error
	)
	wait.Go(func() {
		defer crash.Catch(&err)
		for {
			select {
			case <-p.run.bell:
			case <-quit:
				return
			}
			for _, c := range p.run.take() {
				if c.verb == hurryIt {
					p.hurry(c.agent)
				}
			}
		}
	})
	return func() error {
		close(quit)
		wait.Wait()
		return err
	}
}

// noticer is a provider that has to tell something of itself, such as what of
// its configuration was repaired or what a server does not take.
type noticer interface{ Notices() []string }

// remark returns what a speaker's provider tells that was not told before.
func (p *runner) remark(who agents.Profile, round int) []debate.Notice {
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

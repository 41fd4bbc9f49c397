//go:build cgo && linux

package world_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/app"
)

// stored are the sessions of the program, by a name that leaves theirs to a method.
type stored = app.Sessions

// writer is the sessions of a process as its front end uses them: what is acknowledged
// becomes a fact, and nothing is written once the process was killed.
type writer struct {
	*stored
	p *process
}

func (v writer) Answer(ctx context.Context, session string, subs ...ledger.Submission) (changed []ledger.Request, err error) {
	f := fact{session: session}
	for _, sub := range subs {
		f.key += "answer " + sub.Request + " "
		f.voids = append(f.voids, "draft "+sub.Request)
	}
	f.holds = func(s debate.Session) bool {
		for _, sub := range subs {
			q, found := s.Request(sub.Request)
			held := false
			for _, a := range q.Answers {
				held = held || a.Outcome == sub.Outcome && a.Content == strings.TrimSpace(sub.Content)
			}
			if !found || !held {
				return false
			}
		}
		return true
	}
	err = v.p.now("answer", f, func() error { changed, err = v.stored.Answer(ctx, session, subs...); return err })
	return changed, err
}

func (v writer) AddRounds(ctx context.Context, session string, n int) (s debate.Session, err error) {
	f := fact{session: session, key: "rounds", voids: []string{"verdict", "stopped"}}
	f.holds = func(now debate.Session) bool { return now.Rounds == s.Rounds }
	err = v.p.now("add-rounds", f, func() error { s, err = v.stored.AddRounds(ctx, session, n); return err })
	return s, err
}

func (v writer) Stop(ctx context.Context, session string, why debate.StopReason) (s debate.Session, err error) {
	f := fact{session: session, key: "stopped", voids: []string{"rounds"}, holds: func(s debate.Session) bool { return s.Stopped == why }}
	err = v.p.now("stop", f, func() error { s, err = v.stored.Stop(ctx, session, why); return err })
	return s, err
}

func (v writer) SetBudget(ctx context.Context, session string, b debate.Budget) (s debate.Session, err error) {
	f := fact{session: session, key: "budget", voids: []string{"stopped"}, holds: func(s debate.Session) bool { return s.Budget == b }}
	if before, err := v.p.store.Session(ctx, session); err == nil && before.OwesReport() { // it is written again
		f.voids = append(f.voids, "verdict")
	}
	err = v.p.now("budget", f, func() error { s, err = v.stored.SetBudget(ctx, session, b); return err })
	return s, err
}

func (v writer) SetFocus(ctx context.Context, session string, focus debate.Focus) error {
	f := fact{session: session, key: "focus", focus: &focus.Text}
	return v.p.now("focus", f, func() error { return v.stored.SetFocus(ctx, session, focus) })
}

func (v writer) ChangeSeat(ctx context.Context, session string, seat agents.ID, model agents.Profile) (s debate.Session, err error) {
	f := fact{session: session, key: "seat " + string(seat), holds: func(s debate.Session) bool {
		return slices.ContainsFunc(s.SeatChanges, func(c debate.SeatChange) bool { return c.Agent == seat && c.Now.Model == model.Model })
	}}
	err = v.p.now("seat", f, func() error { s, err = v.stored.ChangeSeat(ctx, session, seat, model); return err })
	return s, err
}

func (v writer) Interject(ctx context.Context, session string, i debate.Interjection) (out debate.Interjection, err error) {
	f := fact{session: session, holds: func(s debate.Session) bool {
		for _, one := range s.Interjections {
			if one.N == out.N {
				return one.Text == out.Text && one.Agent == out.Agent
			}
		}
		return false
	}}
	f.key = fmt.Sprintf("message %d", v.p.w.next("message"))
	err = v.p.now("tell", f, func() error { out, err = v.stored.Interject(ctx, session, i); return err })
	return out, err
}

func (v writer) SaveDraft(ctx context.Context, session, request string, d debate.Draft) error {
	f := fact{session: session, key: "draft " + request, holds: func(s debate.Session) bool {
		return s.Drafts[request].Text == d.Text
	}}
	return v.p.now("draft", f, func() error { return v.stored.SaveDraft(ctx, session, request, d) })
}

func (v writer) AddEvidence(ctx context.Context, session string, added ...debate.Evidence) (s debate.Session, err error) {
	f := fact{session: session, key: fmt.Sprintf("evidence %d", v.p.w.next("evidence")), holds: func(s debate.Session) bool {
		for _, a := range added {
			found := false
			for _, e := range s.Evidence {
				found = found || e.SHA256 == a.SHA256
			}
			if !found {
				return false
			}
		}
		return true
	}}
	err = v.p.now("evidence", f, func() error { s, err = v.stored.AddEvidence(ctx, session, added...); return err })
	return s, err
}

func (v writer) Rename(ctx context.Context, session, title string) error {
	f := fact{session: session, key: "title", holds: func(s debate.Session) bool { return s.Title == title }}
	return v.p.now("rename", f, func() error { return v.stored.Rename(ctx, session, title) })
}

func (v writer) Settle(ctx context.Context, session string, said debate.Settlement) error {
	f := fact{session: session, key: fmt.Sprintf("outcome %d", v.p.w.next("outcome")), holds: func(s debate.Session) bool {
		return slices.ContainsFunc(s.Settlements, func(x debate.Settlement) bool {
			return x.Result == said.Result && x.Note == said.Note && x.At.Equal(said.At)
		})
	}}
	return v.p.now("outcome", f, func() error { return v.stored.Settle(ctx, session, said) })
}

func (v writer) SaveOutcome(ctx context.Context, session, typed string) (said debate.Settlement, err error) {
	n := 0
	f := fact{session: session, key: "outcome", holds: func(s debate.Session) bool { return len(s.Settlements) >= n }}
	err = v.p.now("outcome", f, func() error {
		before, unread := v.stored.Session(ctx, session)
		if unread != nil {
			return unread
		}
		n = len(before.Settlements) + 1
		said, err = v.stored.SaveOutcome(ctx, session, typed)
		return err
	})
	return said, err
}

func (v writer) Delete(ctx context.Context, session string) error {
	back := v.p.w.forget(session)
	err := v.p.now("delete", fact{}, func() error { return v.stored.Delete(ctx, session) })
	if err != nil && !v.p.w.disk.Dead() {
		back()
	}
	return err
}

func (v writer) Undelete(ctx context.Context, session string) error {
	err := v.p.now("undelete", fact{}, func() error { return v.stored.Undelete(ctx, session) })
	if err == nil {
		v.p.w.remember(session)
	}
	return err
}

func (v writer) Create(ctx context.Context, plan debate.Session) (s debate.Session, err error) {
	err = v.p.now("create", fact{}, func() error { s, err = v.stored.Create(ctx, plan); return err })
	if err == nil {
		v.p.w.created(s)
		v.p.w.locked(v.p, s.ID)
	}
	return s, err
}

func (v writer) Fork(ctx context.Context, id string, plan debate.ForkPlan) (s debate.Session, err error) {
	err = v.p.now("fork", fact{}, func() error { s, err = v.stored.Fork(ctx, id, plan); return err })
	if err == nil {
		v.p.w.created(s)
		v.p.w.locked(v.p, s.ID)
	}
	return s, err
}

func (v writer) Open(ctx context.Context, id string) (s debate.Session, err error) {
	if v.p.gate.dead() {
		return s, errKilled
	}
	s, err = v.stored.Open(ctx, id)
	if err == nil {
		v.p.w.locked(v.p, id)
	}
	return s, err
}

func (v writer) Close(id string) error {
	v.p.w.unlocked(v.p, id)
	return v.stored.Close(id)
}

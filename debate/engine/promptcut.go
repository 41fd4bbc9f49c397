package engine

import (
	"context"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

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
	if tr.cut == nil {
		return
	}
	known := slices.ContainsFunc(tr.current().Notices, func(n debate.Notice) bool {
		return n.Code == debate.NoticePromptCut && n.Agent == tr.speaker.ID
	})
	if known {
		return
	}
	n := debate.Notice{
		Code: debate.NoticePromptCut, Agent: tr.speaker.ID, Round: tr.response.Turn.Round,
		Text: tr.speaker.Name + ": " + debate.CutText(*tr.cut) + ". " + tr.cut.Remedy,
	}
	tr.update(func(s debate.Session) debate.Session {
		s.Notices = append(slices.Clip(s.Notices), n)
		return s
	})
	tr.mustRecordNotices(ctx, n)
}

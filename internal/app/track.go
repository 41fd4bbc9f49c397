package app

import (
	"context"
	"slices"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/track"
)

// TrackFilter selects debates of which somebody has said how they turned out; an empty field
// selects all.
type TrackFilter struct {
	Since string // when it was said
	Panel string // of the configuration: the debates of its seats
}

// Track returns how the verdicts of the stored debates turned out.
func (a *App) Track(ctx context.Context, f TrackFilter) (track.Track, error) {
	keep, err := a.trackFilter(f)
	if err != nil {
		return track.Track{}, err
	}
	if none, err := a.NoDatabase(); none || err != nil {
		return track.Fold(nil), err
	}
	st, err := a.ExistingStore(ctx)
	if err != nil {
		return track.Track{}, err
	}
	all, err := st.Settled(ctx)
	all = slices.DeleteFunc(all, func(s debate.Session) bool { return !keep(s) })
	return track.Fold(all), err
}

// trackFilter returns what reports whether a debate is selected.
func (a *App) trackFilter(f TrackFilter) (keep func(debate.Session) bool, err error) {
	var since time.Time
	if f.Since != "" {
		if since, err = parseSince(f.Since, a.Now()); err != nil {
			return nil, err
		}
	}
	var panel []agents.ID
	if f.Panel == DemoPanel {
		return nil, Usagef("--panel %s: the answers of demos are scripted, so they are in no figure", DemoPanel)
	}
	if f.Panel != "" {
		cfg, found, err := a.Config()
		if err != nil {
			return nil, err
		}
		var s debate.Session
		if err := NewBuilder(cfg, found).choosePanel(debate.Plan{Panel: f.Panel}, &s); err != nil {
			return nil, err
		}
		panel = sortedSeats(s)
	}
	return func(s debate.Session) bool {
		v, _ := s.Settled()
		return !v.At.Before(since) && (panel == nil || slices.Equal(sortedSeats(s), panel))
	}, nil
}

func sortedSeats(s debate.Session) []agents.ID { return slices.Sorted(slices.Values(s.SeatIDs())) }

// Track returns how the verdicts of all debates turned out.
func (l *Sessions) Track(ctx context.Context) (track.Track, error) {
	all, err := l.Settled(ctx)
	return track.Fold(all), err
}

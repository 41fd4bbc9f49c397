package app

import (
	"context"
	"errors"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/ledger"
	"roundtable/internal/replay"
	"roundtable/store"
	"roundtable/tui"
	"roundtable/tui/home"
)

// errReplay is returned for everything that a replay does not do.
var errReplay = errors.New("this is a replay: nothing is asked or saved")

// Replay plays a stored session again in the interface.
func (a *App) Replay(ctx context.Context, st *store.Store, p *replay.Player, id string) error {
	t, err := a.Terminal()
	if err != nil {
		return err
	}
	cfg, _, err := a.Config()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d := tui.Deps{
		Replay: p, Player: replayPlayer{p}, Sessions: replaySessions{p}, Writer: replayWriter{}, Receipts: st,
		Export: func(context.Context, debate.Session, bool, tui.Format) (string, error) { return "", errReplay },
		Start:  tui.Start{Session: id},
	}
	a.addLook(&d, cfg)
	return a.present(ctx, cancel, t, d)
}

// replayPlayer adapts the player of a recording to the interface.
type replayPlayer struct{ *replay.Player }

// Start plays the next part.
func (p replayPlayer) Start(ctx context.Context, s debate.Session) control.Run {
	return p.Player.Start(ctx, s)
}

// GoOn plays the next part.
func (p replayPlayer) GoOn(ctx context.Context, s debate.Session) control.Run {
	return p.Start(ctx, s)
}

// Retry plays the next part.
func (p replayPlayer) Retry(ctx context.Context, s debate.Session, _ agents.ID) control.Run {
	return p.Start(ctx, s)
}

// Conclude plays the next part.
func (p replayPlayer) Conclude(ctx context.Context, s debate.Session) control.Run {
	return p.Start(ctx, s)
}

// Ask plays the next part.
func (p replayPlayer) Ask(ctx context.Context, s debate.Session, _ agents.ID, _ string) control.Run {
	return p.Start(ctx, s)
}

// Models returns none.
func (replayPlayer) Models(debate.Session) []agents.Profile { return nil }

// Affords returns errReplay.
func (replayPlayer) Affords(debate.Session) error { return errReplay }

// replaySessions has the one session that is replayed. It locks nothing.
type replaySessions struct{ *replay.Player }

// Open returns the session as it was before its first round.
func (s replaySessions) Open(context.Context, string) (debate.Session, error) {
	return s.Before(1), nil
}

// Close does nothing.
func (replaySessions) Close(string) error { return nil }

// Sessions returns none: the list is not shown.
func (replaySessions) Sessions(context.Context) ([]debate.SessionSummary, error) { return nil, nil }

// Search returns errReplay, as all that follows.
func (replaySessions) Search(context.Context, home.Query) ([]home.Hit, error) { return nil, errReplay }

// SaveOutcome returns errReplay.
func (replaySessions) SaveOutcome(context.Context, string, string) (debate.Settlement, error) {
	return debate.Settlement{}, errReplay
}

// Rename returns errReplay.
func (replaySessions) Rename(context.Context, string, string) error { return errReplay }

// Delete returns errReplay.
func (replaySessions) Delete(context.Context, string) error { return errReplay }

// Undelete returns errReplay.
func (replaySessions) Undelete(context.Context, string) error { return errReplay }

// Create returns errReplay.
func (replaySessions) Create(context.Context, debate.Session) (debate.Session, error) {
	return debate.Session{}, errReplay
}

// Fork returns errReplay.
func (replaySessions) Fork(context.Context, string, debate.ForkPlan) (debate.Session, error) {
	return debate.Session{}, errReplay
}

// Session returns errReplay.
func (replaySessions) Session(context.Context, string) (debate.Session, error) {
	return debate.Session{}, errReplay
}

// KeepNew returns errReplay.
func (replaySessions) KeepNew(context.Context, debate.Draft) error { return errReplay }

// KeptNew returns nothing.
func (replaySessions) KeptNew(context.Context) (debate.Draft, error) { return debate.Draft{}, nil }

// replayWriter saves nothing: every method returns errReplay.
type replayWriter struct{}

// Answer returns errReplay.
func (replayWriter) Answer(context.Context, string, ...ledger.Submission) ([]ledger.Request, error) {
	return nil, errReplay
}

// SaveDraft returns errReplay.
func (replayWriter) SaveDraft(context.Context, string, string, debate.Draft) error { return errReplay }

// Settle returns errReplay.
func (replayWriter) Settle(context.Context, string, debate.Settlement) error { return errReplay }

// AddRounds returns errReplay.
func (replayWriter) AddRounds(context.Context, string, int) (debate.Session, error) {
	return debate.Session{}, errReplay
}

// Stop returns errReplay.
func (replayWriter) Stop(context.Context, string, debate.StopReason) (debate.Session, error) {
	return debate.Session{}, errReplay
}

// SetBudget returns errReplay.
func (replayWriter) SetBudget(context.Context, string, debate.Budget) (debate.Session, error) {
	return debate.Session{}, errReplay
}

// ChangeSeat returns errReplay.
func (replayWriter) ChangeSeat(context.Context, string, agents.ID, agents.Profile) (debate.Session, error) {
	return debate.Session{}, errReplay
}

// SetFocus returns errReplay.
func (replayWriter) SetFocus(context.Context, string, debate.Focus) error { return errReplay }

// Focus returns none.
func (replayWriter) Focus(context.Context, string) (debate.Focus, error) { return debate.Focus{}, nil }

// Interject returns errReplay.
func (replayWriter) Interject(context.Context, string, debate.Interjection) (debate.Interjection, error) {
	return debate.Interjection{}, errReplay
}

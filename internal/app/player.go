package app

import (
	"context"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/engine"
	"roundtable/internal/config"
)

// Player is an engine as a front end sees it. Prepare opens the providers of those who speak
// in a run, when it starts.
type Player struct {
	Engine  *engine.Engine
	Prepare func([]agents.Profile)
}

// NewPlayer returns the engine as a front end sees it, with its providers.
func NewPlayer(e *engine.Engine, c *config.Clients) Player {
	return Player{Engine: e, Prepare: c.Prepare}
}

// Start plays what is next, see engine.Engine.Start.
func (p Player) Start(ctx context.Context, s debate.Session) control.Run {
	p.Prepare(s.Speakers())
	return p.Engine.Start(ctx, s)
}

// GoOn ends a round that only one seat answered, see engine.Engine.GoOn.
func (p Player) GoOn(ctx context.Context, s debate.Session) control.Run {
	p.Prepare(s.Speakers())
	return p.Engine.GoOn(ctx, s)
}

// Retry runs a seat again, see engine.Engine.Retry.
func (p Player) Retry(ctx context.Context, s debate.Session, seat agents.ID) control.Run {
	p.Prepare(s.Speakers())
	return p.Engine.Retry(ctx, s, seat)
}

// Ask asks a follow-up question, see engine.Engine.Ask.
func (p Player) Ask(ctx context.Context, s debate.Session, to agents.ID, question string) control.Run {
	p.Prepare(s.Speakers())
	return p.Engine.Ask(ctx, s, to, question)
}

// Conclude writes the verdict, see engine.Engine.Conclude.
func (p Player) Conclude(ctx context.Context, s debate.Session) control.Run {
	p.Prepare(s.Speakers())
	return p.Engine.Conclude(ctx, s)
}

// Affords returns why the budget pays for no call of the next round, see
// engine.Engine.Affords.
func (p Player) Affords(s debate.Session) error { return p.Engine.Affords(s) }

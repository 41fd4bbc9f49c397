package cli

import (
	"context"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/debate/engine"
	"roundtable/internal/config"
)

// enginePlayer adapts the engine to the interface. The providers that a run needs are
// opened when it starts.
type enginePlayer struct {
	*engine.Engine
	clients *config.Clients
}

// Start plays the next round, see engine.Engine.Start.
func (p enginePlayer) Start(ctx context.Context, s debate.Session) control.Run {
	p.clients.Prepare(s.Speakers())
	return p.Engine.Start(ctx, s)
}

// GoOn ends a round that only one seat answered, see engine.Engine.GoOn.
func (p enginePlayer) GoOn(ctx context.Context, s debate.Session) control.Run {
	p.clients.Prepare(s.Speakers())
	return p.Engine.GoOn(ctx, s)
}

// Retry runs a failed seat again, see engine.Engine.Retry.
func (p enginePlayer) Retry(ctx context.Context, s debate.Session, seat agents.ID) control.Run {
	p.clients.Prepare(s.Speakers())
	return p.Engine.Retry(ctx, s, seat)
}

// Ask asks a follow-up question, see engine.Engine.Ask.
func (p enginePlayer) Ask(ctx context.Context, s debate.Session, to agents.ID, question string) control.Run {
	p.clients.Prepare(s.Speakers())
	return p.Engine.Ask(ctx, s, to, question)
}

// Conclude writes the verdict, see engine.Engine.Conclude.
func (p enginePlayer) Conclude(ctx context.Context, s debate.Session) control.Run {
	p.clients.Prepare(s.Speakers())
	return p.Engine.Conclude(ctx, s)
}

package cli

import (
	"context"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/tui/debateview"
)

// enginePlayer adapts the engine to the interface.
type enginePlayer struct{ *engine.Engine }

// Start plays the next round, see engine.Engine.Start.
func (p enginePlayer) Start(ctx context.Context, s debate.Session) debateview.Run {
	return p.Engine.Start(ctx, s)
}

// Retry runs a failed seat again, see engine.Engine.Retry.
func (p enginePlayer) Retry(ctx context.Context, s debate.Session, seat agents.ID) debateview.Run {
	return p.Engine.Retry(ctx, s, seat)
}

// Conclude writes the verdict, see engine.Engine.Conclude.
func (p enginePlayer) Conclude(ctx context.Context, s debate.Session) debateview.Run {
	return p.Engine.Conclude(ctx, s)
}

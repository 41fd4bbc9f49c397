package cli

import (
	"context"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/tui"
)

// uiPlayer runs debates for the interface, which does not know the engine.
type uiPlayer struct{ *engine.Engine }

// Start plays what is next, see engine.Engine.Start.
func (p uiPlayer) Start(ctx context.Context, s debate.Session) tui.Run {
	return p.Engine.Start(ctx, s)
}

// Retry runs one failed seat again, see engine.Engine.Retry.
func (p uiPlayer) Retry(ctx context.Context, s debate.Session, seat agents.ID) tui.Run {
	return p.Engine.Retry(ctx, s, seat)
}

// Conclude writes the verdict, see engine.Engine.Conclude.
func (p uiPlayer) Conclude(ctx context.Context, s debate.Session) tui.Run {
	return p.Engine.Conclude(ctx, s)
}

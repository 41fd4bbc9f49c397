package cli

import (
	"context"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/engine"
	"roundtable/tui/debateview"
)

// enginePlayer makes runs of an engine for the interface.
type enginePlayer struct{ *engine.Engine }

func (p enginePlayer) Start(ctx context.Context, s debate.Session) debateview.Run {
	return p.Engine.Start(ctx, s)
}

func (p enginePlayer) Retry(ctx context.Context, s debate.Session, seat agents.ID) debateview.Run {
	return p.Engine.Retry(ctx, s, seat)
}

func (p enginePlayer) Conclude(ctx context.Context, s debate.Session) debateview.Run {
	return p.Engine.Conclude(ctx, s)
}

package debate

import (
	"context"
	"errors"

	"roundtable/agents"
)

// chairs records the turns of those who try to write the verdict, one after the
// other. A chair calls no tools, so its turn ends with its first completion.
type chairs struct {
	*play
	now *watcher
}

func (c *chairs) observe(ctx context.Context, t agents.Turn, who agents.Profile, p agents.Progress) error {
	if c.now == nil || c.now.response.Turn != t {
		c.now = &watcher{play: c.play, purpose: ForChair, who: who, response: Response{Turn: t, State: TurnRunning, Fitting: c.current().chairFitting(who)}}
		if err := c.now.begin(ctx); err != nil {
			return err
		}
	}
	if err := c.now.observe(ctx, p); err != nil {
		var failed *agents.SpeakError
		if errors.As(err, &failed) && c.now.err == nil && failed.Failure.Kind == agents.KindBudget { // the next chair may be cheaper
			c.now.settle(ctx, agents.Reply{}, err)
			err = errors.Join(err, c.now.end(ctx))
		}
		return err
	}
	switch p := p.(type) {
	case agents.Completed:
		c.now.settle(ctx, agents.Reply{Text: p.Completion.Text, Finish: p.Completion.Finish}, nil)
		return c.now.end(ctx)
	case agents.Broken:
		c.now.settle(ctx, agents.Reply{}, p.Failure)
		return c.now.end(ctx)
	case agents.Sending, agents.Queued, agents.Retrying, agents.Text, agents.Reasoning, agents.ToolStarted, agents.ToolDone: // the turn goes on
	}
	return nil
}

// abandon closes the turn of a chair that was stopped in the middle.
func (c *chairs) abandon(ctx context.Context, cause error) error {
	if c.now == nil || c.now.response.State != TurnRunning || c.now.err != nil {
		return nil
	}
	c.now.settle(ctx, agents.Reply{}, cause)
	return c.now.end(ctx)
}

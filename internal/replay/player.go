package replay

import (
	"context"
	"slices"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/crash"
)

// MaxSpeed is the highest speed.
const MaxSpeed = 20

// speeds are the steps of Faster and Slower.
func speeds() []int { return []int{1, 2, 3, 5, 10, MaxSpeed} }

// Player plays a recording. Its methods can be called from any goroutine.
type Player struct {
	*Recording
	now     func() time.Time
	mu      sync.Mutex
	speed   int
	paused  bool
	changed chan struct{} // closed when the pace changes
}

// NewPlayer returns a player at a speed, from 1 to MaxSpeed. Now says when an event is
// shown.
func NewPlayer(r *Recording, speed int, now func() time.Time) *Player {
	return &Player{Recording: r, now: now, speed: min(max(speed, 1), MaxSpeed), changed: make(chan struct{})}
}

// Pace returns the speed, and whether nothing moves.
func (p *Player) Pace() (speed int, paused bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.speed, p.paused
}

// TogglePause pauses, or plays on.
func (p *Player) TogglePause() { p.change(func() { p.paused = !p.paused }) }

// Faster goes to the next higher speed.
func (p *Player) Faster() {
	p.change(func() {
		if i := slices.IndexFunc(speeds(), func(s int) bool { return s > p.speed }); i >= 0 {
			p.speed = speeds()[i]
		}
	})
}

// Slower goes to the next lower speed.
func (p *Player) Slower() {
	p.change(func() {
		for _, s := range slices.Backward(speeds()) {
			if s < p.speed {
				p.speed = s
				return
			}
		}
	})
}

func (p *Player) change(do func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	do()
	close(p.changed)
	p.changed = make(chan struct{})
}

// wait waits for a time at the speed 1. It is false if the context ended first.
func (p *Player) wait(ctx context.Context, d time.Duration) bool {
	for d > 0 {
		p.mu.Lock()
		speed, paused, changed := p.speed, p.paused, p.changed
		p.mu.Unlock()
		began := time.Now()
		timer := time.NewTimer((d + time.Duration(speed) - 1) / time.Duration(speed))
		over := timer.C
		if paused {
			over = nil
		}
		select {
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-over:
			return true
		case <-changed:
			timer.Stop()
			if !paused {
				d -= time.Since(began) * time.Duration(speed)
			}
		}
	}
	return ctx.Err() == nil
}

// Play calls show for the events of a part, at the pace of the player.
func (p *Player) Play(ctx context.Context, part int, show func(debate.Event)) {
	var at time.Duration
	for _, m := range p.Part(part) {
		if !p.wait(ctx, m.At-at) {
			return
		}
		at = m.At
		show(stamped(m.Event, p.now()))
	}
}

// stamped returns an event of a turn as one that happens now, which screens count from.
func stamped(ev debate.Event, now time.Time) debate.Event {
	switch ev := ev.(type) {
	case debate.TurnStarted:
		ev.At = now
		return ev
	case debate.ToolStarted:
		ev.At = now
		return ev
	case debate.ToolEnded:
		ev.At = now
		return ev
	default: // of others, no screen counts the time
	}
	return ev
}

// Start plays the part that follows a state of the session.
func (p *Player) Start(ctx context.Context, s debate.Session) *Run {
	ctx, cancel := context.WithCancel(ctx)
	r := &Run{events: make(chan debate.Event), cancel: cancel}
	crash.Go(func() {
		defer close(r.events)
		defer cancel()
		if part := p.PartAfter(s); part > 0 {
			p.Play(ctx, part, func(ev debate.Event) {
				select {
				case r.events <- ev:
				case <-ctx.Done():
				}
			})
		}
	}, func(*crash.Panic) {})
	return r
}

// Run is a part that is played. It takes no command but Stop.
type Run struct {
	events chan debate.Event
	cancel context.CancelFunc
}

// Events returns the stream of events, which is closed at the end of the part.
func (r *Run) Events() <-chan debate.Event { return r.events }

// Stop ends the run at once.
func (r *Run) Stop() { r.cancel() }

// Cancel does nothing.
func (r *Run) Cancel(agents.Turn) {}

// Retry does nothing.
func (r *Run) Retry(agents.ID) {}

// RetryNow does nothing.
func (r *Run) RetryNow(agents.ID) {}

// Decide does nothing.
func (r *Run) Decide(string, debate.Approval) {}

// Pause does nothing; see Player.TogglePause.
func (r *Run) Pause(bool) {}

// End does nothing.
func (r *Run) End() {}

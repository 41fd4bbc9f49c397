package debatetest

import (
	"context"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/testing/must"
)

// Recorder is what Record writes to: the store, as the engine sees it.
type Recorder interface {
	Create(ctx context.Context, d debate.Session) (debate.Session, error)
	BeginRound(ctx context.Context, session string, round int) (debate.Session, error)
	BeginTurn(ctx context.Context, t debate.TurnStart) error
	BeginCall(ctx context.Context, t agents.Turn, purpose debate.Purpose, n int, req agents.Request) error
	EndTurn(ctx context.Context, e debate.TurnEnd) ([]ledger.Request, error)
	ChangeSeat(ctx context.Context, session string, seat agents.ID, model agents.Profile) (debate.Session, error)
	EndRound(ctx context.Context, session string, round int, same *debate.SameFindings, ending debate.StopReason) (debate.Session, error)
	SaveVerdict(ctx context.Context, session string, v debate.Verdict) (debate.Session, error)
	Settle(ctx context.Context, session string, v debate.Settlement) error
}

// Record stores a debate without requests under its id, as if it were played: its rounds
// and turns, its verdict and its outcomes.
func Record(t testing.TB, to Recorder, s debate.Session) {
	t.Helper()
	played := s
	played.History, played.Verdict, played.Settlements, played.SeatChanges = nil, nil, nil, nil
	played.Seats = s.AsOf(1).Seats
	must.Get(to.Create(t.Context(), played))(t)
	for _, r := range s.History {
		for _, c := range s.SeatChanges {
			if c.Round == r.Number {
				must.Get(to.ChangeSeat(t.Context(), s.ID, c.Agent, c.Now))(t)
			}
		}
		must.Get(to.BeginRound(t.Context(), s.ID, r.Number))(t)
		for _, x := range r.Responses {
			x.Turn.Session = s.ID
			must.Do(t, to.BeginTurn(t.Context(), debate.TurnStart{Response: debate.Response{
				Turn: x.Turn, Role: x.Role, Phase: x.Phase, Began: x.Began,
			}, Purpose: debate.ForMember}))
			end := debate.TurnEnd{Response: x}
			if x.State == debate.TurnDone {
				must.Do(t, to.BeginCall(t.Context(), x.Turn, debate.ForMember, 1, agents.Request{}))
				end.Final = &agents.Completion{Text: x.Text(), Finish: agents.FinishStop}
			}
			must.Get(to.EndTurn(t.Context(), end))(t)
		}
		must.Get(to.EndRound(t.Context(), s.ID, r.Number, r.Same, debate.NotStopped))(t)
	}
	if s.Verdict != nil {
		must.Get(to.SaveVerdict(t.Context(), s.ID, *s.Verdict))(t)
	}
	for _, v := range s.Settlements {
		must.Do(t, to.Settle(t.Context(), s.ID, v))
	}
}

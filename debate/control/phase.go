package control

import "roundtable/debate"

// Phase is what a session does, as a person sees it: the first of these that holds.
type Phase uint8

// The phases, in the order in which they are looked at.
const (
	PhaseDelayed    Phase = iota // the chair, or who answers a follow-up question, waits for its provider
	PhaseConcluding              // the chair writes the verdict
	PhaseAssisting               // the round waits for what [Plan.Activity] says
	PhaseAnswering               // a follow-up question is being answered
	PhaseOver                    // there is a verdict
	PhaseRound                   // seats have their turns
	PhaseDrafted                 // no round has begun
	PhaseNeedsUser               // a required question keeps the next round from beginning
	PhaseRoundOpen               // one seat alone has answered the round, which stays open
	PhaseFailed                  // no seat has
	PhaseReady                   // the next round can begin
	PhasePaused                  // until the user continues
)

// Phase returns what the session does.
func (p *Plan) Phase() Phase {
	_, waits := p.Retrying()
	open, status := p.OpenRound(), p.session.Status()
	for _, one := range []struct {
		phase Phase
		holds bool
	}{
		{PhaseDelayed, waits},
		{PhaseConcluding, p.chair != ""},
		{PhaseAssisting, p.activity != ""},
		{PhaseAnswering, p.followUp.name != ""},
		{PhaseOver, p.session.Verdict != nil},
		{PhaseRound, p.Running()},
		{PhaseDrafted, len(p.session.History) == 0},
		{PhaseNeedsUser, status == debate.NeedsContext},
		{PhaseRoundOpen, open.CanGoOn()},
		{PhaseFailed, open != nil},
		{PhaseReady, status == debate.Ready && !p.paused},
	} {
		if one.holds {
			return one.phase
		}
	}
	return PhasePaused
}

// Asks reports whether a question has to be answered before the next round, also while the one
// before it runs.
func (p *Plan) Asks() bool {
	return !p.session.LacksRound() && len(p.session.Unanswered()) > 0
}

// IsLast reports whether no round follows the newest one.
func (p *Plan) IsLast() bool { return p.session.LacksRound() || p.chair != "" }

// GoesOn reports whether the session has something to do without the user: a run is under way,
// or waits for others, or is about to begin.
func (p *Plan) GoesOn() bool { return p.Running() || p.Queued() || p.Next().Kind == Play }

// OwesReport reports whether a larger budget is for the report alone, not to play on.
func (p *Plan) OwesReport() bool { return p.session.OwesReport() && !p.session.Stopped.Forced() }

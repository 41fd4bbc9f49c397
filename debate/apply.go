package debate

import "slices"

// Apply returns the session after an event. It is the only place that knows what an event
// changes; a front end that reads the events of a run needs nothing else. The session that
// comes with the beginning or the end of a round replaces this one, but for what the user
// has entered since it was read.
func (s Session) Apply(ev Event) Session {
	switch ev := ev.(type) {
	case RoundStarted:
		return s.adopt(ev.Session)
	case RoundEnded:
		return s.adopt(ev.Session)
	case ContextRequested:
		return s.WithRequest(ev.Request)
	case ContextChanged:
		return s.WithRequest(ev.Request)
	case TurnEnded:
		if x := ev.Response.Turn; x.Step < 0 || x.Round < 1 || x.Round > len(s.History) { // a chair's is no response of the round
			return s
		}
		return s.WithResponse(ev.Response)
	case Assessed:
		if ev.Round < 1 || ev.Round > len(s.History) {
			return s
		}
		s.History = slices.Clone(s.History)
		s.History[ev.Round-1].Consensus = &ev.Consensus
	case Concluded:
		s.Verdict = &ev.Verdict
	case FollowUpEnded:
		s.FollowUps = append(slices.Clip(s.FollowUps), ev.FollowUp)
	case Noticed:
		s.Notices = append(slices.Clip(s.Notices), ev.Notice)
	case TurnStarted, TurnQueued, TurnAlive, TurnRetrying, Text, ToolsCalled, ToolStarted, ToolEnded, ApprovalAsked,
		ApprovalDecided, Assisting, Concluding, FollowUpStarted, Refused: // of a turn that has not ended, or of no turn
	}
	return s
}

// adopt returns a session that was read back, with what is known to be newer: requests,
// messages, evidence, and the plan if the user has changed it since.
func (s Session) adopt(read Session) Session {
	if s.ID != read.ID {
		return read
	}
	if read.Updated.Before(s.Updated) {
		read = read.WithPlan(s)
	}
	for _, r := range s.Requests {
		read = read.WithRequest(r)
	}
	for _, i := range s.Interjections {
		read = read.WithInterjection(i)
	}
	if len(s.Evidence) > len(read.Evidence) {
		read.Evidence = s.Evidence
	}
	return read
}

// WithPlan returns the session with the plan of a copy of it: its rounds, its budget, and
// how it ends.
func (s Session) WithPlan(from Session) Session {
	s.Rounds, s.Budget, s.EndConditions, s.Stopped = from.Rounds, from.Budget, from.EndConditions, from.Stopped
	s.Verdict, s.Updated = from.Verdict, from.Updated
	for _, r := range from.Requests {
		s = s.WithRequest(r)
	}
	return s
}

// WithInterjection returns the session with a message of the user, unless it has that one.
func (s Session) WithInterjection(i Interjection) Session {
	if !slices.ContainsFunc(s.Interjections, func(j Interjection) bool { return j.N == i.N }) {
		s.Interjections = append(slices.Clip(s.Interjections), i)
	}
	return s
}

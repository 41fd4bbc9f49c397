package debate

// HasRoundsLeft reports whether a planned round has not ended.
func (s Session) HasRoundsLeft() bool {
	if s.Verdict != nil || s.Stopped != NotStopped {
		return false
	}
	c := s.Current()
	return c != nil && c.Ended.IsZero() || len(s.History) < s.Rounds
}

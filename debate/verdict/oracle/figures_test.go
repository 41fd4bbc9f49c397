package oracle_test

// figures is everything that is computed of a panel.
type figures struct {
	outcome    string
	voters     int
	firstRound int // of the votes; 0 without votes
	lastRound  int
	first      []vote
	last       []vote
	baseline   tally
	final      tally
	side       string // of more than half of the voters
	comparison *comparison
	moves      []move
	dissent    []vote
	unstated   []int
	ranking    *ranking
	matrix     *matrix
}

// compute returns the figures of a panel.
func compute(p panel) figures {
	m := builtinMode(p.mode, p.old())
	r := newReader(p, len(p.rounds), len(p.rounds))
	f := figures{voters: len(voters(p)), unstated: unstated(p)}
	switch m.asks {
	case "ranking":
		f.ranking = rank(p)
	default:
		if m.asks == "scores" {
			f.matrix = score(p)
		}
		f.first, f.last, f.firstRound, f.lastRound, _ = firstAndLast(p, r)
		f.baseline, f.final = count(p, f.first), count(p, f.last)
		if f.firstRound > 0 {
			phases := m.votePhases()
			f.baseline.unread = unreadIn(p, f.firstRound, phases[0])
		}
		if f.lastRound > 0 {
			f.final.unread = unreadIn(p, f.lastRound, m.votes)
		}
		f.side = sideOfVoters(f.final)
		f.comparison = compare(p, r)
		f.moves = ledgerOf(p, r)
		f.dissent = dissenters(p, f.last)
	}
	switch {
	case p.stop != "":
		f.outcome = "stopped"
	case p.noChair:
		f.outcome = "no_synthesis"
	case len(absences(p))+len(f.unstated) > 0:
		f.outcome = "degraded"
	default:
		f.outcome = "full"
	}
	return f
}

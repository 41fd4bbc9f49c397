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
	comparison *comparison
	moves      []move
	dissent    []vote
	unstated   []int
	unread     []int // whose last votes cannot be read
	ranking    *ranking
	matrix     *matrix
	grouping   *grouping
	reader     reader
}

// compute returns the figures of a panel.
func compute(p panel) figures {
	m := builtinMode(p.mode, p.old())
	g := groupingAt(p, len(p.rounds)).withChair(p)
	r := newReader(p, len(p.rounds), g)
	f := figures{voters: len(voters(p)), unstated: unstated(p, r), grouping: g, reader: r}
	switch m.asks {
	case "ranking":
		f.ranking = rank(p)
	default:
		if m.asks == "scores" {
			f.matrix = score(p)
		}
		f.first, f.last, f.firstRound, f.lastRound = firstAndLast(p, r)
		f.baseline, f.final = r.count(f.first, f.voters), r.count(f.last, f.voters)
		if f.firstRound > 0 {
			f.baseline.unread = len(unreadIn(p, r, f.firstRound, m.votePhases()[0]))
		}
		if f.lastRound > 0 {
			f.unread = unreadIn(p, r, f.lastRound, m.votes)
			f.final.unread = len(f.unread)
		}
		f.comparison = compare(p, r)
		f.moves = ledgerOf(p, r)
		f.dissent = dissenters(f.last, f.final.majority)
	}
	switch {
	case p.stop != "":
		f.outcome = "stopped"
	case p.chair.absent:
		f.outcome = "no_synthesis"
	case missingPart(p, f) != "":
		f.outcome = "degraded"
	default:
		f.outcome = "full"
	}
	return f
}

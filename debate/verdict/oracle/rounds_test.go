package oracle_test

import (
	"fmt"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/testing/debatetest"
)

// compareRounds compares the consensus and the endings of each round.
func compareRounds(p panel, f *debatetest.Scenario) differences {
	var d differences
	ended := len(p.rounds)
	if p.cut {
		ended--
	}
	for n := 1; n <= ended; n++ {
		computed := verdict.Agreement(until(f, n))
		d.compareComputed(p, f, n, computed)
		d.compareModel(p, f, n, []int{40, 70, 97}[(int(p.seed)+n)%3], computed)
	}
	return d
}

// compareComputed compares what is computed of a round without a model.
func (d *differences) compareComputed(p panel, f *debatetest.Scenario, n int, c debate.Consensus) {
	if p.kind == "estimate" {
		return
	}
	level, percent := "none", 0
	if t := countOf(p, n, groupingAt(p, n-1)); countsSides(p) && agreed(t) > 0 {
		percent = 100 * agreed(t) / t.voters
		level = fmt.Sprintf("%.6f", float64(agreed(t))/float64(t.voters))
	}
	d.equal(fmt.Sprintf("computed consensus of round %d", n), level, float(c.Level))
	if n == p.planned {
		return
	}
	s := until(f, n)
	s.EndConditions = debate.EndConditions{OnConsensus: true, Threshold: 0.6}
	ends := verdict.Ending(s, c) == debate.EndedByConsensus
	d.equal(fmt.Sprintf("computed consensus ends the debate after round %d", n), percent > 0 && consensusEnds(p, n, groupingAt(p, n-1), percent, 60), ends)
}

// compareModel compares what is made of a light model's level and grouping.
func (d *differences) compareModel(p panel, f *debatetest.Scenario, n, percent int, computed debate.Consensus) {
	s := until(f, n)
	level := float64(percent) / 100
	c := debate.Consensus{
		Method: debate.ConsensusByModel, Level: &level, Answered: computed.Answered, Seats: computed.Seats, Labels: groupingOf(p, n),
	}
	verdict.CheckLevel(s, &c)
	t := countOf(p, n, groupingAt(p, n))
	if planned(p, n, builtinMode(p.mode, p.old()).votes) {
		d.equal(fmt.Sprintf("level 0.%d contradicts round %d", percent, n), contradicts(p, t, percent), c.Contradicts != "")
	}
	if n == p.planned {
		return
	}
	s.History[n-1].Consensus = &c
	if p.kind != "estimate" {
		s.EndConditions = debate.EndConditions{OnConsensus: true, Threshold: 0.6}
		ends := verdict.Ending(s, c) == debate.EndedByConsensus
		d.equal(fmt.Sprintf("level 0.%d ends the debate after round %d", percent, n), consensusEnds(p, n, groupingAt(p, n), percent, 60), ends)
	}
	s.EndConditions = debate.EndConditions{Convergence: true}
	ends := verdict.Ending(s, c) == debate.EndedByConvergence
	d.equal(fmt.Sprintf("convergence ends the debate after round %d", n), converges(p, n), ends)
}

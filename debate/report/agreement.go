package report

import (
	"roundtable/debate"
)

// Agreement says how far the members agreed after a round.
type Agreement struct {
	Round    int
	Line     string // in a sentence
	Measured bool   // there is a measurement, though it may have failed
	Level    *float64
	Points   []Point
	Groups   []Group
	Results  []Table // rankings, votes and scores up to this round
}

// Point is a finding about a round, with its heading.
type Point struct{ Title, Text string }

// Group is members who hold the same.
type Group struct {
	Members string // their names
	Theme   string
	Summary string
}

// agreementOf returns the agreement of every round of a session.
func agreementOf(s debate.Session) []Agreement {
	n := namesOf(s)
	var all []Agreement
	for _, r := range s.History {
		a := Agreement{Round: r.Number, Line: "not measured"}
		switch c := r.Consensus; {
		case c != nil:
			a.Line, a.Measured, a.Level, a.Points, a.Results = ConsensusLine(*c), true, c.Level, pointsOf(c), resultTables(c.Results, n)
			for _, g := range c.Clusters {
				a.Groups = append(a.Groups, Group{n.list(g.Agents), g.Theme, g.Summary})
			}
		case r.Ended.IsZero():
			a.Line = "not measured: the round has not ended"
		}
		all = append(all, a)
	}
	return all
}

// pointsOf lists the findings of an analysis.
func pointsOf(c *debate.Consensus) []Point {
	var all []Point
	add := func(title string, texts ...string) {
		for _, t := range texts {
			if t != "" {
				all = append(all, Point{title, t})
			}
		}
	}
	add("Warning", c.Warning)
	add("Common ground", c.CommonGround...)
	add("Disagreement", c.Disagreements...)
	add("Partial agreement", c.Partial...)
	add("Condition", c.Conditions...)
	add("Uncertainty", c.Uncertainties...)
	return all
}

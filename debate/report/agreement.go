package report

import (
	"roundtable/debate"
	"roundtable/internal/text"
)

// Agreement says how far the members agreed after a round.
type Agreement struct {
	Round           int
	Line            string // in a sentence
	Measured        bool   // there is a measurement, though it may have failed
	Level           *float64
	Gap             string   // why there is no level, in a few words
	Model           string   // that read the statements; "" if none did
	Computed        bool     // from the votes
	Contradicts     string   // the count that the level contradicts; "" if it does not
	Labels          []string // sentences about which labels mean the same
	Answered, Seats int      // members that gave a statement, and all
	Findings        []Finding
	Warning         string // of group-think
	Groups          []Group
	Results         []Table         // rankings, votes and scores up to this round
	Counted         *debate.Results // what Results are made of
}

// Finding is one kind of finding about a round.
type Finding struct {
	Title string // of all of them, such as "Disagreements"
	Name  string // of one
	Texts []string
}

// Point is a finding about a round, with its heading.
type Point struct{ Title, Text string }

// Group is members who hold the same.
type Group struct {
	Members string // their names
	Theme   string
	Summary string
}

// Agreements returns the agreement of every round of a session, with all text made
// safe.
func Agreements(s debate.Session) []Agreement { return scrub(agreementOf(s), text.Sanitize) }

// agreementOf returns the agreement of every round of a session.
func agreementOf(s debate.Session) []Agreement {
	n := namesOf(s)
	var all []Agreement
	for _, r := range s.History {
		a := Agreement{Round: r.Number, Line: "not measured", Gap: "not measured"}
		switch c := r.Consensus; {
		case c != nil:
			a.measure(*c, n)
		case r.Ended.IsZero():
			a.Line = "not measured: the round has not ended"
		}
		all = append(all, a)
	}
	return all
}

// measure adds what was measured.
func (a *Agreement) measure(c debate.Consensus, n names) {
	a.Line, a.Measured, a.Level, a.Answered, a.Seats = ConsensusLine(c), true, c.Level, c.Answered, c.Seats
	a.Computed, a.Warning = c.Method == debate.ConsensusComputed, c.Warning
	a.Contradicts, a.Labels = c.Contradicts, groupingLines(c.Labels)
	if c.Method == debate.ConsensusByModel {
		a.Model = c.Model
	}
	a.Results, a.Counted = resultTables(c.Results, n), c.Results
	switch {
	case c.Cause == "":
	case a.Computed:
		a.Gap = "no consensus: " + c.Cause
	default:
		a.Gap = "unavailable: " + c.Cause
	}
	a.Findings = []Finding{
		{"Common ground", "Common ground", c.CommonGround},
		{"Disagreements", "Disagreement", c.Disagreements},
		{"Partial agreements", "Partial agreement", c.Partial},
		{"Conditions", "Condition", c.Conditions},
		{"Uncertainties", "Uncertainty", c.Uncertainties},
	}
	for _, g := range c.Clusters {
		a.Groups = append(a.Groups, Group{n.list(g.Agents), g.Theme, g.Summary})
	}
}

// AllAnswered reports whether every member gave a statement.
func (a Agreement) AllAnswered() bool { return a.Answered >= a.Seats }

// Points lists the warning and the findings one by one.
func (a Agreement) Points() []Point {
	var all []Point
	for _, f := range append([]Finding{{"", "Warning", []string{a.Warning}}}, a.Findings...) {
		for _, t := range f.Texts {
			if t != "" {
				all = append(all, Point{f.Name, t})
			}
		}
	}
	return all
}

// Meter returns the level if it can be drawn as agreement; nil if it contradicts the
// count.
func (a Agreement) Meter() *float64 {
	if a.Contradicts != "" {
		return nil
	}
	return a.Level
}

// Caveat says what a level is worth; "" without one.
func (a Agreement) Caveat() string {
	switch {
	case a.Level == nil:
		return ""
	case a.Computed:
		return "A level is the share of the voters on one side; agreement is not proof."
	}
	return "Levels are a model's estimate; agreement is not proof."
}

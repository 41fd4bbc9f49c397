package demo

import (
	"cmp"
	"slices"
	"strings"
)

var (
	nonVoters = lazyRegexp(`each member has one, but for (.+): their roles prescribe`)
	pollLine  = lazyRegexp(`Votes before: .*; (yes|no|neither side) gained\.`)
)

// report returns the chair's report. It counts the sides of the last round that
// the prompt shows.
func report(p prompt) string {
	var members, facts, open string
	for _, m := range p.members() {
		members += fill(key("report", "member"), "name", m.name, "side", cmp.Or(m.stance, "no side"), "position", m.position) + "\n"
	}
	for _, f := range p.facts() {
		if f.answered {
			facts += fill(key("report", "fact"), "query", f.query, "answer", f.answer, "id", f.id) + "\n"
		} else {
			open += fill(key("report", "open"), "query", f.query, "answer", f.answer, "id", f.id) + "\n"
		}
	}
	if facts == "" {
		facts = key("report", "no facts") + "\n"
	}
	result, reason := p.result()
	return fill(text("report"), "conclusion", key("conclusions", result), "why", key("reasons", reason),
		"facts", facts, "members", members, "open", open, "note", text("note"))
}

// result returns what the votes before and after come to, or else the stances of
// those who vote. The reason is a key of the script.
func (p prompt) result() (result, reason string) {
	if m := pollLine().FindStringSubmatch(p.user); m != nil {
		result = m[1]
		if result == "neither side" {
			result = "split"
		}
		return result, "votes " + result
	}
	voters := "seats"
	var without []string
	if m := nonVoters().FindStringSubmatch(p.user); m != nil {
		voters, without = "voters", strings.Split(m[1], ", ")
	}
	votes := map[string]int{}
	for _, m := range p.members() {
		if m.stance != "" && !slices.Contains(without, m.name) {
			votes[m.stance]++
		}
	}
	switch {
	case len(votes) == 0:
		return "none", "none"
	case votes["yes"] > votes["no"]:
		result = "yes"
	case votes["no"] > votes["yes"]:
		result = "no"
	default:
		result = "split"
	}
	return result, voters + " " + result
}

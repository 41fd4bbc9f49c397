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
		members += fill(p.key("report", "member"), "name", m.name, "side", cmp.Or(m.side, "no side"), "position", m.position) + "\n"
	}
	for _, f := range p.facts() {
		if f.answered {
			facts += fill(p.key("report", "fact"), "query", f.query, "answer", f.answer, "id", f.id) + "\n"
		} else {
			open += fill(p.key("report", "open"), "query", f.query, "answer", f.answer, "id", f.id) + "\n"
		}
	}
	for _, q := range p.quoted() {
		facts += fill(p.key("report", "quote"), "line", q.line, "id", q.cite) + "\n"
	}
	if facts == "" {
		facts = p.key("report", "no facts") + "\n"
	}
	conclusion, why := p.result()
	groups := ""
	if strings.Contains(p.system, `"groups":`) {
		groups = `, "groups": ` + groupsOf(items(lastMatch(labelLines(), p.user)))
	}
	return fill(p.text("report"), "conclusion", conclusion, "why", why, "facts", facts, "members", members, "open", open,
		"advice", p.key("report", "advice")+"\n"+p.key("report", "advice more"), "asks", p.key("report", "asks"),
		"note", text("note"), "groups", groups)
}

// result returns what the votes before and after come to, or else the sides of those who
// vote, and the reason.
func (p prompt) result() (conclusion, why string) {
	if m := pollLine().FindStringSubmatch(p.user); m != nil {
		result := m[1]
		if result == "neither side" {
			result = "split"
		}
		return p.key("conclusions", result), key("reasons", "votes "+result)
	}
	voters := "seats"
	var without []string
	if m := nonVoters().FindStringSubmatch(p.user); m != nil {
		voters, without = "voters", strings.Split(m[1], ", ")
	}
	votes := map[string]int{}
	var sides, estimates []string
	for _, m := range p.members() {
		switch {
		case m.side == "" || slices.Contains(without, m.name):
		case m.estimate:
			estimates = append(estimates, m.side)
		default:
			if votes[m.side]++; votes[m.side] == 1 && !takesNone(m.side) {
				sides = append(sides, m.side)
			}
		}
	}
	slices.SortStableFunc(sides, func(a, b string) int { return votes[b] - votes[a] })
	switch {
	case len(estimates) > 0:
		return fill(key("conclusions", "estimates"), "estimates", strings.Join(estimates, "; ")), key("reasons", "estimates")
	case len(votes) == 0:
		return key("conclusions", "none"), key("reasons", "none")
	case len(sides) == 0 || len(sides) > 1 && votes[sides[0]] == votes[sides[1]]:
		return key("conclusions", "split"), key("reasons", voters+" split")
	case sides[0] == "yes" || sides[0] == "no":
		return p.key("conclusions", sides[0]), key("reasons", voters+" "+sides[0])
	default:
		return fill(key("conclusions", "side"), "side", sides[0]), key("reasons", voters+" side")
	}
}

// takesNone reports whether a side is none.
func takesNone(side string) bool {
	return side == "neutral" || side == "undecided" || side == "none of these"
}

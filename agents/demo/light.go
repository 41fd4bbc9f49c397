package demo

import (
	"cmp"
	"fmt"
	"strings"
)

var (
	bodyLines = late(`(?s)\n[0-9a-f]{12} reasoning\n(.*)\n[0-9a-f]{12} end\n`)
	sizeLine  = late(`Shorten it to (\d+) to (\d+) characters\.`)
	listNames = late(`"(\w+)": \["\.\.\.", "\.\.\."\]`)
)

// summary is the light model's: as many of the first words of a statement as were
// asked for.
func summary(s scene) string {
	const lead = "Scripted summary:"
	body := bodyLines().FindStringSubmatch(s.user)
	_, most := numbers(sizeLine(), s.user)
	if body == nil {
		return lead + " there is nothing to shorten."
	}
	text := lead
	for _, w := range strings.Fields(strings.ReplaceAll(body[1], scriptedNote, "")) {
		if len([]rune(text))+len([]rune(w))+len(" …") > most {
			break
		}
		text += " " + w
	}
	return text + " …"
}

// lists are the light model's: they fit any question.
func lists(s scene) string {
	known := map[string]string{
		"perspectives": `["those it is for", "cost over its whole life", "what can go wrong"]`,
		"options":      `["do it now", "do it in steps", "leave it as it is"]`,
		"criteria":     `["what it brings", "what it costs", "how hard it is to undo"]`,
	}
	var out []string
	for _, m := range listNames().FindAllStringSubmatch(s.user, -1) {
		out = append(out, fmt.Sprintf("%q: %s", m[1], cmp.Or(known[m[1]], "[]")))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// analysis is the light model's: groups by side, and the largest one's share.
func analysis(s scene) string {
	groups, order := map[string][]int{}, []string{}
	most, all := 0, s.members()
	for _, m := range all {
		if groups[m.side] == nil {
			order = append(order, m.side)
		}
		groups[m.side] = append(groups[m.side], m.seat)
		if m.side != "" {
			most = max(most, len(groups[m.side]))
		}
	}
	var clusters []string
	for _, side := range order {
		seats := strings.Join(strings.Fields(fmt.Sprint(groups[side])), ", ")
		clusters = append(clusters, fmt.Sprintf(`{"theme": %q, "seats": %s, "summary": "Scripted: no model wrote this."}`, cmp.Or(side, "no side"), seats))
	}
	return fmt.Sprintf(`{"level": %.2f, "clusters": [%s], "common_ground": [], "disagreements": [], "partial_agreements": [], "conditions": [], "uncertainties": [], "groupthink_warning": null}`,
		float64(most)/float64(max(len(all), 1)), strings.Join(clusters, ", "))
}

package demo

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

var (
	reasoningBlock = lazyRegexp(`(?s)\n[0-9a-f]{12} reasoning\n(.*)\n[0-9a-f]{12} end\n`)
	sizeLine       = lazyRegexp(`Shorten it to (\d+) to (\d+) characters\.`)
	listNames      = lazyRegexp(`"(\w+)": \[`)
)

// summary returns the first words of a statement, as many as were asked for.
func summary(p prompt) string {
	out := text("summary")
	body := reasoningBlock().FindStringSubmatch(p.user)
	if body == nil {
		return out + " " + key("summary", "empty")
	}
	_, most := numbers(sizeLine(), p.user)
	for _, w := range strings.Fields(strings.ReplaceAll(body[1], text("note"), "")) {
		if len([]rune(out))+len([]rune(w))+len(" …") > most {
			break
		}
		out += " " + w
	}
	return out + " …"
}

// lists returns the lists that a mode asks for. They fit any question.
func lists(p prompt) string {
	var out []string
	for _, m := range listNames().FindAllStringSubmatch(p.user, -1) {
		out = append(out, fmt.Sprintf("%q: %s", m[1], cmp.Or(key("lists", m[1]), "[]")))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// analysis groups the members by side. The level of agreement is the share of the
// largest side.
func analysis(p prompt) string {
	groups, order := map[string][]int{}, []string{}
	most, all := 0, p.members()
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
		clusters = append(clusters, fmt.Sprintf(`{"theme": %q, "seats": %s, "summary": "Scripted: no model wrote this."}`,
			cmp.Or(side, "no side"), seats))
	}
	labels := ""
	if strings.Contains(p.system, `"groups":`) {
		labels = `, "groups": ` + groupsOf(items(lastMatch(labelLines(), p.user)))
	}
	return fmt.Sprintf(`{"level": %.2f, "clusters": [%s], "common_ground": [], "disagreements": [], `+
		`"partial_agreements": [], "conditions": [], "uncertainties": [], "groupthink_warning": null%s}`,
		float64(most)/float64(max(len(all), 1)), strings.Join(clusters, ", "), labels)
}

// groupsOf leaves every label by itself.
func groupsOf(labels []string) string {
	var groups []string
	for _, label := range labels {
		groups = append(groups, "["+strconv.Quote(label)+"]")
	}
	return "[" + strings.Join(groups, ", ") + "]"
}

package demo

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// SampleName is the name of the sample as evidence.
const SampleName = "sample.diff"

//go:embed sample.diff
var sample string

// Sample returns the diff that a review of the panel is about: three of its lines are wrong.
func Sample() string { return sample }

// ReviewQuestion is the question of a review of the sample.
func ReviewQuestion() string { return key("review", "question") }

var numberedSample = sync.OnceValue(func() string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(sample, "\n"), "\n") {
		fmt.Fprintf(&b, "%d| %s\n", i+1, line)
	}
	return b.String()
})

func (p prompt) reviews() bool {
	return strings.Contains(p.form, `"findings":`) || strings.Contains(p.form, `"judgements":`)
}

func (p prompt) reviewsSample() bool {
	return p.reviews() && strings.Contains(p.user, numberedSample())
}

// scriptedFindings are the sections of what seats report of the sample; the last is no defect.
var scriptedFindings = [...]string{"finding index", "finding query", "finding close", "finding rows"}

// finds reports whether a seat reports a finding: each of them is found in a panel of any size,
// and none by all seats.
func (p prompt) finds(name string) bool {
	switch name {
	case "finding index":
		return p.seat%2 == 1
	case "finding query":
		return p.seat%2 == 0
	case "finding close":
		return p.seat == p.askingSeat()
	default:
		return p.seat == 1
	}
}

// reviewList returns what a seat reports or judges: of anything but the sample nothing.
func (p prompt) reviewList() string {
	found, said := entries{}, entries{}
	for _, name := range scriptedFindings {
		if p.reviewsSample() && p.finds(name) {
			found = append(found, p.entry(name, "title", "where", "severity", "why", "fix"))
		}
	}
	if p.round == 1 {
		return found.member("findings")
	}
	for _, m := range findingLine().FindAllStringSubmatch(p.user, -1) {
		j := map[string]string{"finding": m[1], "true": "cannot tell", "why": "scripted"}
		for _, name := range scriptedFindings {
			if p.reviewsSample() && m[2] == key(name, "title") {
				j["true"], j["worth_fixing"], j["why"] = key(name, "true"), key(name, "true"), key(name, "judged")
			}
		}
		said = append(said, j)
	}
	return said.member("judgements")
}

func (p prompt) reviewReport() string {
	lists := map[string]string{}
	for _, m := range countedLine().FindAllStringSubmatch(p.user, -1) {
		lists[m[2]] += "- " + m[1] + ": " + m[3] + "\n"
	}
	either := func(list, without string) string {
		return cmp.Or(strings.TrimSuffix(list, "\n"), key("review report", without))
	}
	return fill(text("review report"), "agreed", either(lists["agreed"]+lists["agreed, by one model"], "none"),
		"other", either(lists["disputed"]+lists["refuted"]+lists["by one seat"], "no other"), "note", text("note"))
}

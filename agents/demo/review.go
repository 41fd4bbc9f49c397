package demo

import (
	_ "embed"
	"encoding/json"
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

// scriptedFindings are the sections of what seats report of the sample. The last of them is
// no defect.
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

type scriptedFinding struct {
	Title    string `json:"title"`
	Where    string `json:"where"`
	Severity string `json:"severity"`
	Why      string `json:"why"`
	Fix      string `json:"fix,omitempty"`
}

type scriptedJudgement struct {
	Finding     string `json:"finding"`
	True        string `json:"true"`
	WorthFixing string `json:"worth_fixing,omitempty"`
	Why         string `json:"why"`
}

// reviewList returns the list that a seat gives in a review. Of anything but the sample the
// script knows no defect, and judges none.
func (p prompt) reviewList() string {
	found, said := []scriptedFinding{}, []scriptedJudgement{}
	for _, name := range scriptedFindings {
		if p.reviewsSample() && p.finds(name) {
			found = append(found, scriptedFinding{
				key(name, "title"), key(name, "where"), key(name, "severity"), key(name, "why"), key(name, "fix"),
			})
		}
	}
	for _, m := range findingLine().FindAllStringSubmatch(p.user, -1) {
		j := scriptedJudgement{Finding: m[1], True: "cannot tell", Why: "scripted"}
		for _, name := range scriptedFindings {
			if p.reviewsSample() && m[2] == key(name, "title") {
				j.True, j.WorthFixing, j.Why = key(name, "true"), key(name, "true"), key(name, "judged")
			}
		}
		said = append(said, j)
	}
	if p.round == 1 {
		list, _ := json.Marshal(found)
		return fmt.Sprintf(`, "findings": %s`, list)
	}
	list, _ := json.Marshal(said)
	return fmt.Sprintf(`, "judgements": %s`, list)
}

func (p prompt) reviewReport() string {
	lists := map[string]string{}
	for _, m := range countedLine().FindAllStringSubmatch(p.user, -1) {
		lists[m[2]] += "- " + m[1] + ": " + m[3] + "\n"
	}
	either := func(list, without string) string {
		if list == "" {
			return key("review report", without)
		}
		return strings.TrimSuffix(list, "\n")
	}
	return fill(text("review report"), "agreed", either(lists["agreed"]+lists["agreed, by one model"], "none"),
		"other", either(lists["disputed"]+lists["refuted"]+lists["by one seat"], "no other"), "note", text("note"))
}

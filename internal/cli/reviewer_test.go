package cli_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// planted are defects that a model of the name finds-N sees in added lines, if N has the digit:
// what the line holds, the title, the severity, and whether others judge it to be true.
var planted = map[string]struct {
	line, title, severity string
	real                  bool
}{
	"1": {"os.RemoveAll(", "A folder is removed that is not ours", "high", true},
	"2": {"<= len(", "The loop reads past the last entry", "high", true},
	"3": {"_ = f.Close()", "An error of closing the file is lost", "medium", true},
	"4": {"func ", "The function has no name", "low", false},
}

var (
	addedLine = regexp.MustCompile(`(?m)^(\d+)\| \+(.*)$`)
	toJudge   = regexp.MustCompile(`(?m)^\S+ finding (H\d+), severity \w+\nTitle: (.*)$`)
)

// review answers as a seat of a review: in the first round with the planted defects that it
// sees, later with a judgement of each finding of others.
func review(req completion) string {
	var prompt strings.Builder
	for _, m := range req.Messages {
		prompt.WriteString(m.Content + "\n")
	}
	type object map[string]any
	block := object{"position": "It should be mended first.", "confidence": 0.7, "citations": []string{}, "context_used": []string{}}
	findings, judgements := []object{}, []object{}
	for _, m := range toJudge.FindAllStringSubmatch(prompt.String(), -1) {
		real := "no"
		for _, p := range planted {
			if p.title == m[2] && p.real {
				real = "yes"
			}
		}
		judgements = append(judgements, object{"finding": m[1], "true": real, "worth_fixing": real, "why": "The line shows it."})
	}
	if strings.Contains(prompt.String(), "list every defect") {
		_, sees, _ := strings.Cut(req.Model, "-")
		for digit, p := range planted {
			for _, l := range addedLine.FindAllStringSubmatch(prompt.String(), -1) {
				if strings.Contains(sees, digit) && strings.Contains(l[2], p.line) {
					findings = append(findings, object{
						"title": p.title, "where": "F1:" + l[1], "severity": p.severity, "why": "See there.", "fix": "Mend it.",
					})
					break
				}
			}
		}
	}
	block["findings"], block["judgements"] = findings, judgements
	raw, err := json.MarshalIndent(block, "", "  ")
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("I have read every line.\n\n```json\n%s\n```", raw)
}

package prompt

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// How many lines of a place are quoted, where there are few findings and where there are many.
const (
	quotedLines    = 12
	fewQuotedLines = 4
	manyFindings   = 24
	maxQuotedBytes = 1000
)

// toJudge returns the findings of round 1 that a seat judges, in an order of its own, and those
// that it has reported itself.
func (snap Snapshot) toJudge(seat agents.ID) (others, own []debate.ReviewFinding) {
	for _, f := range snap.findings {
		if slices.Contains(f.FoundBy, seat) {
			own = append(own, f)
		} else {
			others = append(others, f)
		}
	}
	slices.SortFunc(others, func(a, b debate.ReviewFinding) int {
		return cmp.Compare(snap.shuffleKey(seat, a.ID), snap.shuffleKey(seat, b.ID))
	})
	return others, own
}

// findingsPart shows the findings that a speaker judges. Who reported them is not shown.
func (snap Snapshot) findingsPart(step debate.Step, speaker agents.ID) (none debate.Part) {
	others, own := snap.toJudge(speaker)
	if snap.Mode.Phase(step.Phase).Asks != debate.AsksFindings || len(others)+len(own) == 0 {
		return none
	}
	var b strings.Builder
	if len(others) > 0 {
		b.WriteString("What the other members found, in no particular order. Judge each finding by what the evidence says:")
	}
	lines := quotedLines
	if len(others) > manyFindings {
		lines = fewQuotedLines
	}
	for _, x := range others {
		b.WriteString("\n" + snap.fence.block(fmt.Sprintf("finding %s, severity %s", x.ID, x.Severity), snap.findingText(x, lines)))
	}
	if len(own) > 0 {
		titles := text.Each(own, func(x debate.ReviewFinding) string { return x.ID + ": " + snap.Anonymizer.Scrub(x.Title) })
		b.WriteString("\nYou have reported these yourself, so that you do not judge them:\n" +
			snap.fence.block("your findings", strings.Join(titles, "\n")))
	}
	return debate.Part{Title: "findings to judge", Text: strings.TrimPrefix(b.String(), "\n")}
}

func (snap Snapshot) findingText(x debate.ReviewFinding, lines int) string {
	var b strings.Builder
	b.WriteString("Title: " + x.Title)
	for _, field := range []struct{ name, text string }{{"Why", x.Why}, {"Fix", x.Fix}} {
		if field.text != "" {
			b.WriteString("\n" + field.name + ": " + field.text)
		}
	}
	for _, p := range x.Places {
		switch {
		case p.Absent:
			b.WriteString("\nWhere: " + p.Stated + " (there are no such lines)")
		case p.Text == "":
			b.WriteString("\nWhere: " + p.String())
		default:
			at := p.String()
			if p.Cited.ID != "" && p.Cited.String() != at {
				at += ", which is [" + p.Cited.String() + "]"
			}
			quoted := strings.Split(p.Text, "\n")
			b.WriteString("\nWhere: " + at + ":\n" + text.Clip(strings.Join(quoted[:min(lines, len(quoted))], "\n"), maxQuotedBytes))
		}
	}
	return snap.Anonymizer.Scrub(b.String())
}

const (
	findingsExample = `[{"title": "The parapet is lower than a handrail", "where": "bridge/parapet.txt:44-46", "severity": "medium", ` +
		`"why": "A child can climb over it.", "fix": "Raise it to 120 cm."}]`
	judgementsExample = `[{"finding": "H190", "true": "cannot tell", "worth_fixing": "yes", "why": "The height stands in no drawing.", ` +
		`"same_as": null}]`
)

func (snap Snapshot) reviewFields(seat int, speaker agents.ID) []blockField {
	fields := []blockField{
		{
			"position", `"The bridge carries its load, but two of its parapets are too low."`,
			"what you make of it as a whole, in one or two sentences.",
		},
		{"confidence", exampleConfidence(seat), "how sure you are that your list is right and complete, a number from 0 to 1."},
	}
	if others, _ := snap.toJudge(speaker); len(others) > 0 {
		fields = append(fields, blockField{
			"judgements", judgementsExample, "an entry for each finding above that is not your own, by its id. true: " +
				`"yes" if there is such a defect, "no" if there is none, "cannot tell". worth_fixing: "yes" or "no". ` +
				"why: one sentence, with the lines that show it. same_as: the id of another finding, of yours too, if both are the " +
				"same defect; else null.",
		})
	}
	if snap.Round > 1 {
		return fields
	}
	all := fmt.Sprintf("every defect that you find, at most %d, the gravest first; [] if there is none. ", maxFindings)
	return append(fields, blockField{
		"findings", findingsExample, all + "title: what is wrong, in a few words. where: " + snap.whereText() +
			` severity: "high", "medium" or "low". why: what goes wrong, and when. fix: left out if you know none.`,
	})
}

const maxFindings = 12

func (snap Snapshot) whereText() string {
	switch {
	case len(snap.Evidence) > 0:
		return `the lines, such as "F1:120-140", or a path with lines of the new file, such as "src/main.go:12".`
	case snap.Workspace.Dir != "":
		return `a path with lines, such as "src/main.go:12-40".`
	}
	return "the place, as precisely as you can name it."
}

// Compare returns the prompt that asks which findings of round 1 of a review are the same
// defect. It shows nothing else of the debate.
func Compare(s debate.Session) (Prompt, error) {
	who, found := verdict.Comparer(s)
	if len(found) == 0 {
		return Prompt{}, fmt.Errorf("session %s has no findings for %s to compare", s.ID, cmp.Or(who.Name, "a model"))
	}
	f, names := newFence(s.Nonce), NewAnonymizer(s)
	system := "You read which reports of a review are about the same defect. You judge none of them.\n" + f.rule() + "\n\n" +
		"Answer with one JSON object of the form of this example, which is about another review, and nothing besides:\n" +
		`{"groups": [["H190", "H197"]]}` + "\n" +
		"groups: the ids of reports that are about the same defect, so that one fix mends both, in one group for each such defect. " +
		"Reports about different defects of the same lines are not the same. An id stands in no more than one group; a report that " +
		"is like no other is left out. An empty list is fine."
	var b strings.Builder
	for i, x := range found {
		if i > 0 {
			b.WriteString("\n")
		}
		at := text.Each(x.Places, debate.CodePlace.String)
		fmt.Fprintf(&b, "%s, %s: %s", x.ID, strings.Join(at, " and "), text.Line(x.Title))
		if x.Why != "" {
			b.WriteString(" - " + text.Clip(text.Line(x.Why), maxComparedWhy))
		}
	}
	return Prompt{System: system, User: []debate.Part{{
		Title: "findings to compare", Text: "The reports:\n" + f.block("reports", names.Scrub(b.String())) + "\n\nAnswer now.",
	}}}, nil
}

const maxComparedWhy = 300

// CompareSchema returns the JSON schema of the answer to the prompt of Compare.
func CompareSchema() json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["groups"],` +
		`"properties":{"groups":{"type":"array","items":{"type":"array","items":{"type":"string"}}}}}`)
}

const reviewChairRules = "You are the chair of a review that has ended. You write a summary for the user who has to decide what to " +
	"mend.\n" +
	"The list of findings has been counted, and it stands as it is beside your summary: add no finding, leave out no agreed one, " +
	"and change neither a state nor a severity. Name findings by their ids. Rest on what the members said and on the user's " +
	"answers, cited by their ids in square brackets; add no facts of your own and cite nothing that is not there.\n" +
	"\n" +
	"Write Markdown with these headings, translated into the language of the question, and leave out one that has nothing to " +
	"say:\n" +
	"## What to mend first\n" +
	"## Where they differ\n" +
	"## What nobody covered\n"

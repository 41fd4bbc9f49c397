package prompt

import (
	"encoding/json"
	"fmt"
	"strings"

	"roundtable/debate"
	"roundtable/debate/budget"
)

// Analysis returns the prompt with which the light model measures agreement after the
// last round. Members are named by their seats.
func Analysis(s debate.Session) (Prompt, error) {
	f, err := analysisFitter(s)
	if err != nil {
		return Prompt{}, err
	}
	p, _ := f.fitWithSummaries(s)
	return p, nil
}

// analysisFitter returns the Fitter of the analysis.
func analysisFitter(s debate.Session) (Fitter, error) {
	if s.Light == nil {
		return Fitter{}, fmt.Errorf("session %s has no light model", s.ID)
	}
	snap, err := NewSnapshot(s, len(s.History))
	if err != nil {
		return Fitter{}, err
	}
	last := s.History[len(s.History)-1]
	snap.Earlier, snap.Facts, snap.Missing = nil, nil, s.SilentSeats(last, last.StatementIDs())
	snap = snap.With(last.Statements())
	place, limit := snap.fence(), budget.PromptLimit(s, s.WithOutputLimit(*s.Light), snap.Round+1)
	return Fitter{
		snap: snap, fence: place, recent: snap.Round, limit: limit, goal: limit,
		build: func(n Snapshot) Prompt { return analysisPrompt(s, n, place) },
	}, nil
}

func analysisPrompt(s debate.Session, snap Snapshot, f fence) Prompt {
	labels := labelsToGroup(s)
	p := Prompt{System: analysisRules(s.Mode.GroupThink, len(labels) > 0, f), User: snap.history(f, "")}
	if len(labels) > 0 {
		p.User = append(p.User, groupsPart(f, labels))
	}
	p.User = append(p.User, debate.Part{
		Title: "the question",
		Text: fmt.Sprintf("The question of the debate:\n%s\n\nMeasure the agreement after round %d of %d now.",
			strings.TrimSpace(s.Topic), snap.Round, snap.Rounds),
	})
	return p
}

// analysisRules tells the light model what to answer. Groups of labels are asked for where
// there are labels to be grouped.
func analysisRules(groupThink, groups bool, f fence) string {
	members := `"level": 0.5, "clusters": [{"theme": "close the bridge", "seats": [1, 2], "summary": "The north pier may give way."}, ` +
		`{"theme": "keep it open", "seats": [3, 4], "summary": "Only the paint has cracks."}], ` +
		`"common_ground": ["The pier has to be inspected."], "disagreements": ["How deep the cracks are."], "partial_agreements": [], ` +
		`"conditions": ["If the steel is sound, the bridge can stay open."], "uncertainties": ["When the pier was inspected last."], ` +
		`"groupthink_warning": null`
	if groups {
		members += `, "groups": ` + groupsExample
	}
	rules := "You measure how far the members of a debate agree. You take no side and add no facts of your own.\n" +
		"What matters is what they hold, not how sure they sound: members who are sure of opposite answers do not agree. " +
		"Agreement on the answer with different reasons is partial agreement. Members who gave no response are left out.\n" +
		"Write in the language of the question.\n" + f.rule() + "\n" +
		"\n" +
		"Answer with one JSON object of the form of this example, which is about another question, and nothing besides:\n" +
		"{" + members + "}\n" +
		"level: a number from 0 to 1; 1 is one answer for the same reasons, 0.5 is two groups of equal size, 0 is no two members " +
		"alike. clusters: every seat with a statement in exactly one, by its number. A list of " +
		"sentences has at most five short ones; an empty list is fine."
	if groupThink {
		rules += "\ngroupthink_warning: a sentence where members agree without new reasons, or repeat each other's words; else null."
	}
	if groups {
		rules += "\ngroups: " + groupsMeaning
	}
	return rules
}

// AnalysisSchema returns the JSON schema of the answer to the prompt of Analysis.
func AnalysisSchema(s debate.Session) json.RawMessage {
	required, properties := "", ""
	if len(labelsToGroup(s)) > 0 {
		required, properties = `,"groups"`, `,"groups":{"type":"array","items":{"type":"array","items":{"type":"string"}}}`
	}
	return json.RawMessage(`{"type":"object","additionalProperties":false,` +
		`"required":["level","clusters","common_ground","disagreements","partial_agreements",` +
		`"conditions","uncertainties","groupthink_warning"` + required + `],` +
		`"properties":{"level":{"type":"number"},` +
		`"clusters":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["theme","seats","summary"],` +
		`"properties":{"theme":{"type":"string"},"seats":{"type":"array","items":{"type":"integer"}},"summary":{"type":"string"}}}},` +
		`"common_ground":{"type":"array","items":{"type":"string"}},"disagreements":{"type":"array","items":{"type":"string"}},` +
		`"partial_agreements":{"type":"array","items":{"type":"string"}},"conditions":{"type":"array","items":{"type":"string"}},` +
		`"uncertainties":{"type":"array","items":{"type":"string"}},"groupthink_warning":{"type":["string","null"]}` + properties + `}}`)
}

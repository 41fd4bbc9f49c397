package debate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Plan is what is asked for when a debate begins: by flags, a form or a client. What is
// empty is taken from the configuration, then from the mode. A field that can be said has an
// entry in PlanFields.
type Plan struct {
	Topic         string        `json:"topic"`
	Author        ledger.Author `json:"-"` // of the topic
	Mode          string        `json:"mode,omitempty"`
	Panel         string        `json:"panel,omitempty"`
	Agents        []string      `json:"agents,omitempty"`
	Rounds        int           `json:"rounds,omitempty"`
	Question      string        `json:"question,omitempty"`
	Unit          string        `json:"unit,omitempty"`
	Options       []string      `json:"options,omitempty"`
	Perspectives  []string      `json:"perspectives,omitempty"`
	Draft         string        `json:"draft,omitempty"`
	Ends          Ends          `json:"ends,omitempty"`
	NoQuestions   bool          `json:"-"` // nobody is there to answer, so that the seats cannot ask
	USD           float64       `json:"-"` // 0: as configured
	Tokens        int           `json:"-"` // 0: as configured
	Workspace     string        `json:"-"` // folder that agents may look at
	WorkspaceMode string        `json:"-"`
}

// PlanField is something that can be said of a new debate. Flags, the arguments of clients,
// their help, checks and completions are made of it.
type PlanField struct {
	Name  string   // of the flag, and of a client's argument
	At    any      // where it is: a *string, *[]string, *int, *float64 or *bool
	Takes string   // what its value is called, such as MODE
	Help  string   // for people and for clients
	Such  string   // what to give instead of nothing
	Words []string // that it can be; nil: any
}

// Fields lists what can be said of a plan.
func (p *Plan) Fields() []PlanField {
	return []PlanField{
		{"topic", &p.Topic, "TEXT", "what to debate, complete in itself", "a topic", nil},
		{"mode", &p.Mode, "MODE", "mode of the debate, such as collaborative or delphi", "a mode; `roundtable modes` lists them", nil},
		{"agents", &p.Agents, "SEAT,SEAT", "seats of the debate, such as ada,brook,cy", "seats; `roundtable agents` lists them", nil},
		{"panel", &p.Panel, "PANEL", "panel of the config, or demo: scripted, without a model", "one of the config, or demo", nil},
		{"rounds", &p.Rounds, "N", "number of rounds", "", nil},
		{"perspectives", &p.Perspectives, "A,B", "perspectives of the seats, in modes that have them", "one for each seat", nil},
		{"draft", &p.Draft, "F1", "evidence that is the text to criticise, in mode critique: F1 is the first file", "one, such as F1", nil},
		{"question", &p.Question, "KIND", "kind of question: what a vote is (default: open)", "", text.Strings(QuestionKinds())},
		{"unit", &p.Unit, "UNIT", "unit of an estimate, such as weeks, or none; makes it one", "one, such as weeks, or none", nil},
		{"options", &p.Options, "A,B", "options, such as \"Postgres, SQLite\"; makes it a choice", "at least two", nil},
		{
			"ends", (*string)(&p.Ends), "HOW", "what ends it early: planned, agreed (all, blind) or settled (no change in two rounds)",
			"", text.Strings(AllEnds()),
		},
		{"workspace", &p.Workspace, "PATH", "folder that seats may look at; they only read it", "a folder, such as .", nil},
		{
			"workspace-mode", &p.WorkspaceMode, "MODE", "how seats use it: local, clone (each in a git clone of its own) or container",
			"", text.Strings([]WorkspaceMode{WorkspaceLocal, WorkspaceClone, WorkspaceContainer}),
		},
		{"budget", &p.USD, "0.50", "stop before the debate costs more than this, such as 0.50", "", nil},
		{"tokens", &p.Tokens, "50k", "stop before the debate uses more tokens than this, such as 50k", "", nil},
		{"no-questions", &p.NoQuestions, "", "do not let seats ask, since nobody is there to answer; they say what they lack", "", nil},
	}
}

// Check returns an error if what the field says cannot be said.
func (f PlanField) Check() error {
	said := ""
	switch v := f.At.(type) {
	case *string:
		said = *v
	case *[]string:
		said = strings.Join(*v, "")
	case *int:
		if f.Name == "rounds" && (*v < 1 || *v > MaxRounds) {
			return fmt.Errorf("rounds must be 1-%d, not %d", MaxRounds, *v)
		}
		return nil
	default:
		return nil
	}
	switch such := cmp.Or(f.Such, "one of "+strings.Join(f.Words, ", ")); {
	case strings.TrimSpace(said) == "":
		return fmt.Errorf("--%s is empty; give %s", f.Name, such)
	case f.Words != nil && !slices.Contains(f.Words, said):
		return fmt.Errorf("--%s: %q is none of %s", f.Name, said, strings.Join(f.Words, ", "))
	}
	return nil
}

// Chooses reports whether the plan says who debates, or how.
func (p Plan) Chooses() bool {
	lists := len(p.Agents) + len(p.Perspectives) + len(p.Options)
	return p.Mode+p.Panel+p.Question+p.Unit+p.Draft != "" || lists+p.Rounds+p.Tokens > 0 || p.USD > 0 || p.NoQuestions || p.Ends != ""
}

// Choice is what a person chose for a debate besides its topic and what belongs to that.
type Choice struct {
	Seats        []agents.Profile
	Chair, Light *agents.Profile
	Mode         string
	Rounds       int
	Budget       Budget
	Ends         Ends
}

package setup

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/input"
)

// draft is what the user has typed and chosen for a debate that has not begun. Who
// debates is not kept: the configuration says it.
type draft struct {
	Topic       string                 `json:"topic"`
	Mode        string                 `json:"mode"`
	Lists       map[debate.List]string `json:"lists,omitempty"`
	Question    debate.QuestionKind    `json:"question,omitempty"`
	Rounds      int                    `json:"rounds"` // 0 for the default of the mode
	OnConsensus bool                   `json:"on_consensus"`
	Convergence bool                   `json:"convergence"`
	Budget      string                 `json:"budget"`           // in dollars
	Tokens      *string                `json:"tokens,omitempty"` // nil in a draft of an earlier version

	Files    []string `json:"files,omitempty"`    // their paths
	Mentions []string `json:"mentions,omitempty"` // words of the topic that were typed as @paths
}

// Draft returns the contents of the form for Restore; it is "" if nothing was typed.
func (f *Form) Draft() string {
	lists := map[debate.List]string{}
	for l, text := range f.lists {
		if text != "" {
			lists[l] = text
		}
	}
	if !f.Typed() && len(lists)+len(f.files.paths) == 0 {
		return ""
	}
	d := f.choices()
	if f.pendingDraft != nil { // the options are not known yet, so its choices still apply
		d = *f.pendingDraft
	}
	d.Topic, d.Lists, d.Files = f.topic.Value(), lists, f.files.paths
	for _, m := range f.files.mentions.In(d.Topic) {
		d.Mentions = append(d.Mentions, m.Word)
	}
	raw, err := json.Marshal(d)
	if err != nil {
		panic(err) // strings and numbers can always be encoded
	}
	return string(raw)
}

// choices returns a draft of everything but the typed text.
func (f *Form) choices() draft {
	tokens := f.tokens.text
	d := draft{
		Question: f.chosenQuestion, OnConsensus: f.endings.OnConsensus, Convergence: f.endings.Convergence,
		Budget: f.usd.text, Tokens: &tokens,
	}
	if f.modeIndex < len(f.modes) {
		d.Mode = f.modes[f.modeIndex].Name
	}
	if f.roundsFixed {
		d.Rounds = f.rounds
	}
	return d
}

// Restore fills the form with a draft. Choices that no longer exist are ignored.
func (f *Form) Restore(kept string) error {
	var d draft
	if err := json.Unmarshal([]byte(kept), &d); err != nil {
		return fmt.Errorf("read the draft of the new debate: %w", err)
	}
	f.Prefill(d.Topic, d.Mode, d.Rounds)
	f.prefilled = ""
	f.topic.MoveToEnd()
	clear(f.history)
	for l, content := range d.Lists {
		f.lists[l] = firstRunes(text.Line(content), maxTyped)
	}
	f.files.restore(input.State{Text: strings.Join(append(slices.Clone(d.Files), ""), "\n")})
	f.files.mentions.Add(d.Mentions...)
	f.pendingDraft = &d
	f.applyDraft()
	return nil
}

// applyDraft applies the choices of a restored draft once the options are known.
func (f *Form) applyDraft() {
	d := f.pendingDraft
	if d == nil || !f.loaded {
		return
	}
	f.pendingDraft = nil
	f.endings.OnConsensus, f.endings.Convergence = d.OnConsensus, d.Convergence
	f.usd = amount{firstRunes(text.Line(d.Budget), maxAmount), true}
	if d.Tokens != nil {
		f.tokens = amount{firstRunes(text.Line(*d.Tokens), maxAmount), true}
	}
	if kind, err := debate.ParseQuestionKind(string(d.Question)); err == nil {
		f.chosenQuestion = kind
	}
}

// LookAtFiles returns a command that finds the files of a restored draft.
func (f *Form) LookAtFiles() tea.Cmd {
	paths := slices.Clone(f.files.paths)
	for _, m := range f.files.mentions.In(f.topic.Value()) {
		paths = append(paths, m.Paths()...)
	}
	return f.files.service.Look(paths...)
}

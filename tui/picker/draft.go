package picker

import (
	"encoding/json"
	"fmt"
	"slices"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
)


// draft is what the user has typed and chosen for a debate that has not begun.
type draft struct {
	Topic       string                 `json:"topic"`
	Mode        string                 `json:"mode"`
	Lists       map[debate.List]string `json:"lists,omitempty"`
	Seats       []agents.ID            `json:"seats"`
	Rounds      int                    `json:"rounds"` // 0: the mode's own
	OnConsensus bool                   `json:"on_consensus"`
	Convergence bool                   `json:"convergence"`
	Budget      string                 `json:"budget"`
}

// Draft returns the form as it is filled in, for Restore; "" where nothing was typed.
func (f *NewDebate) Draft() string {
	lists := map[debate.List]string{}
	for l, text := range f.lists {
		if text != "" {
			lists[l] = text
		}
	}
	if !f.Typed() && len(lists) == 0 {
		return ""
	}
	d := f.chosen()
	if f.kept != nil { // there was nothing yet to choose otherwise
		d = *f.kept
	}
	d.Topic, d.Lists = f.topic.Value(), lists
	raw, err := json.Marshal(d)
	if err != nil {
		panic(err) // it is strings and numbers
	}
	return string(raw)
}

// chosen is what a draft has besides words.
func (f *NewDebate) chosen() draft {
	d := draft{OnConsensus: f.ends.OnConsensus, Convergence: f.ends.Convergence, Budget: f.budget}
	if f.mode < len(f.modes) {
		d.Mode = f.modes[f.mode].Name
	}
	if f.fixed {
		d.Rounds = f.rounds
	}
	for _, s := range f.panel() {
		d.Seats = append(d.Seats, s.Profile.ID)
	}
	return d
}

// Restore fills the form with a draft, as far as what it names is still there.
func (f *NewDebate) Restore(kept string) error {
	var d draft
	if err := json.Unmarshal([]byte(kept), &d); err != nil {
		return fmt.Errorf("read the draft of the new debate: %w", err)
	}
	f.Prefill(d.Topic, d.Mode, d.Rounds)
	f.given = ""
	f.topic.MoveToEnd()
	clear(f.past)
	for l, text := range d.Lists {
		f.lists[l] = head(safetext.Line(text), maxTyped)
	}
	f.kept = &d
	f.take()
	return nil
}

// take chooses what a draft has chosen, once there is an offer to choose from.
func (f *NewDebate) take() {
	d := f.kept
	if d == nil || !f.filled {
		return
	}
	f.kept = nil
	f.ends.OnConsensus, f.ends.Convergence = d.OnConsensus, d.Convergence
	f.budget, f.stepped = d.Budget, true
	sits := func(s SeatOffer) bool { return s.Problem == "" && slices.Contains(d.Seats, s.Profile.ID) }
	if !slices.ContainsFunc(f.seats, sits) { // none of them is there any more
		return
	}
	for i := range f.seats {
		f.seats[i].Chosen = sits(f.seats[i])
	}
}

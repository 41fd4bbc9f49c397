package oracle

import "slices"

// Require tells whether what was asked of the verdict is met: a label of a question with sides, answered of a critique,
// clean or no-agreed of a review. What would be refused before anything is spent is not met.
func Require(p Panel, label string, allowUnread, allowUnanswered bool) bool {
	d := newDebate(p)
	if d.demo() {
		return false
	}
	for _, r := range d.Requests {
		outcome, _, _ := r.fate()
		if r.Required && !allowUnanswered && (outcome == "given_up" || outcome == "open") {
			return false
		}
	}
	switch {
	case d.unread() > 0 && !allowUnread:
		return false
	case d.Mode.Kind == "critique":
		_, ids, does := d.concerns()
		open := slices.ContainsFunc(ids, func(id string) bool { return does[id] != "accept" && does[id] != "reject" })
		gravest, _ := d.gravest(d.cautions())
		return label == "answered" && !open && gravest == ""
	case d.Mode.Kind == "review":
		return (label == "clean" || label == "no-agreed") && d.clean(label)
	case !d.counted() || d.Question.Kind == "estimate":
		return false
	}
	key, side := d.Question.read(label)
	if side == "" {
		return false
	}
	round, held := d.Planned, 0
	if d.Ended == "agreement" || d.Ended == "settled" {
		round = d.newest
	}
	for _, s := range d.free {
		if c := d.cell(s, round); c.state == "read" && c.key == key && d.cut(c.turn) <= b2i(allowUnread) {
			held++
		}
	}
	return 2*held > len(d.free)
}

// clean tells whether all of a review was read and no finding of medium or high severity stands, or none that is agreed.
func (d *debate) clean(label string) bool {
	if len(d.free) < 2 {
		return false
	}
	for _, s := range d.free {
		f, j := d.statement(1, d.main.Name, s), d.statement(2, d.main.Name, s)
		if f == nil || f.Findings == nil || d.Planned > 1 && (j == nil || j.Judgements == nil) {
			return false
		}
	}
	return !slices.ContainsFunc(d.findings(), func(f *finding) bool {
		return f.severity() != "low" && (f.state() == "agreed" || label == "clean" && f.state() != "refuted")
	})
}

// Ends tells whether the rule by which a debate may end before its plan ends it after its newest round.
func Ends(p Panel) bool {
	d := newDebate(p)
	if !d.counted() || d.newest == 0 || d.newest >= d.Planned || !d.over(d.newest) {
		return false
	}
	for _, r := range d.Requests {
		if outcome, _, _ := r.fate(); r.Required && outcome == "open" {
			return false
		}
	}
	switch d.Ends {
	case "agreed":
		return d.agreed()
	case "settled":
		return d.newest > 1 && !slices.ContainsFunc(d.free, func(s int) bool {
			before, now := d.cell(s, d.newest-1), d.cell(s, d.newest)
			return !before.readable() || !now.readable() || before.key != now.key
		})
	}
	return false
}

// agreed tells whether all agree in a blind first round, by models of their own, and nothing was asked, cut or missed.
func (d *debate) agreed() bool {
	if d.newest != 1 || !d.Mode.Blind || d.Given > 0 || d.Question.Kind == "estimate" || len(d.free) < 2 || len(d.Requests) > 0 {
		return false
	}
	models := map[string]bool{}
	for _, s := range d.free {
		if c := d.cell(s, 1); c.state != "read" || c.key != d.cell(d.free[0], 1).key || models[d.model(s)] {
			return false
		}
		models[d.model(s)] = true
	}
	return !slices.ContainsFunc(d.cautions(), func(c Caution) bool {
		return c.ID == "cut_prompts" || c.ID == "unread_evidence" || c.ID == "missed_turn"
	})
}

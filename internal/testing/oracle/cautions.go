package oracle

import "slices"

// cautions returns all that stand, gravest first.
func (d *debate) cautions() []Caution {
	list := d.questions()
	list = append(list, d.ending()...)
	list = append(list, d.missing()...)
	list = append(list, d.cutPrompts())
	list = append(list, stands("report_cut", d.ReportCut), Caution{ID: "unread_evidence", Lines: d.unread()})
	list = append(list, d.missedTurns(list), stands("shared_tool", d.sharesTool()), d.changedModels(), d.oneModel())
	one, citations := Caution{ID: "one_voter"}, Caution{ID: "unknown_citation"}
	if d.counted() && len(d.free) == 1 {
		one.Seats = d.ids(d.free)
	}
	res := d.result()
	narrow := res.Kind == "side" && 2*(res.Count-1) <= res.Of && (len(res.Sides) > 1 || res.Undecided > 0)
	quiet := slices.ContainsFunc(d.Seats, func(s Seat) bool { return !s.Asks })
	for _, t := range d.Turns {
		for _, id := range t.Cites {
			if t.State == "done" && !d.known(id, t.Round) && !slices.Contains(citations.IDs, id) {
				citations.IDs = append(citations.IDs, id)
			}
		}
	}
	list = append(list, one, stands("narrow", narrow), stands("no_questions", quiet), citations)
	list = append(list, stands("blind", d.Ended == "agreement" && d.newest == 1))
	return slices.DeleteFunc(list, func(c Caution) bool {
		return len(c.Seats) == 0 && len(c.Rounds) == 0 && len(c.IDs) == 0 && c.Lines == 0 && !c.Stands
	})
}

// stands is a caution of the panel as a whole.
func stands(id string, ok bool) Caution { return Caution{ID: id, Stands: ok} }

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (d *debate) ids(seats []int) []string {
	var ids []string
	for _, s := range seats {
		ids = append(ids, d.Seats[s].ID)
	}
	return ids
}

// fate says what became of a request: answered by whom, unavailable, given_up, or open; and whether its newest answer was read.
func (r Request) fate() (outcome, author string, read bool) {
	outcome, read = "open", true
	for _, a := range r.Answers {
		if a.Released > 0 || a.Outcome != "answered" {
			outcome, author = a.Outcome, a.Author
		}
		read = a.Released > 0 || a.Outcome != "answered"
	}
	if outcome == "open" && !read {
		outcome = "unread"
	}
	return outcome, author, read
}

func (d *debate) questions() []Caution {
	list := []Caution{{ID: "unanswered"}, {ID: "open_question"}, {ID: "unread_answer"}, {ID: "other_author"}}
	var optional, also []string
	for _, r := range d.Requests {
		outcome, author, read := r.fate()
		switch {
		case outcome == "open" && d.Ended != "" && r.Required:
			list[1].IDs = append(list[1].IDs, r.ID)
		case outcome == "open" && d.Ended != "":
			optional = append(optional, r.ID)
		case r.Required && (outcome == "unavailable" || outcome == "given_up"):
			list[0].IDs = append(list[0].IDs, r.ID)
		case outcome == "answered" && author != "":
			list[3].IDs = append(list[3].IDs, r.ID)
		}
		if !read && r.Required {
			list[2].IDs = append(list[2].IDs, r.ID)
		} else if !read {
			also = append(also, r.ID)
		}
	}
	list[1].IDs = append(list[1].IDs, optional...)
	list[2].IDs = append(list[2].IDs, also...)
	if d.TopicAuthor != "" {
		list[3].IDs = append(list[3].IDs, "topic")
	}
	return list
}

// due calls f for each turn that the plan has in a round.
func (d *debate) due(round int, f func(phase string, seat int)) {
	for _, p := range d.Mode.Phases {
		for _, s := range p.Seats {
			if p.in(round) {
				f(p.Name, s)
			}
		}
	}
}

// over tells whether every due turn of a round has ended.
func (d *debate) over(round int) bool {
	over := true
	d.due(round, func(phase string, seat int) {
		t := d.turn(round, phase, seat)
		over = over && t != nil && t.State != "running"
	})
	return over
}

func (d *debate) ending() []Caution {
	over := d.newest == 0 || d.over(d.newest)
	switch d.Ended {
	case "":
		after := d.newest
		if !over {
			after--
		}
		return []Caution{{ID: "not_ended", Rounds: []int{after}}}
	case "user", "signal", "budget", "crash", "hang":
		switch {
		case d.newest == 0:
			return []Caution{{ID: "stopped", Rounds: []int{1}, How: "before"}}
		case !over:
			return []Caution{{ID: "stopped", Rounds: []int{d.newest}, How: "in"}}
		case d.newest < d.Planned:
			return []Caution{{ID: "stopped", Rounds: []int{d.newest}, How: "after"}}
		}
	}
	return nil
}

func (d *debate) missing() []Caution {
	none, unreadable, stale := Caution{ID: "no_vote"}, Caution{ID: "unreadable_vote"}, Caution{ID: "stale_vote"}
	silent, noReply := Caution{ID: "no_concerns"}, Caution{ID: "no_reply"}
	for _, s := range d.free {
		id := d.Seats[s].ID
		switch {
		case d.counted():
			switch c := d.vote(s); {
			case c.state == "none":
				none.Seats = append(none.Seats, id)
			case c.state == "unreadable":
				unreadable.Seats = append(unreadable.Seats, id)
			case d.stale(c):
				stale.Seats, stale.Rounds = append(stale.Seats, id), append(stale.Rounds, c.round)
			}
		case d.Mode.Kind == "ranking" && d.statement(d.last, d.main.Name, s) == nil:
			none.Seats = append(none.Seats, id)
		case d.Mode.Kind == "ranking":
			if _, ok := d.ballot(s, d.last); !ok {
				unreadable.Seats = append(unreadable.Seats, id)
			}
		case d.Mode.Kind == "review":
			f, j := d.statement(1, d.main.Name, s), d.statement(2, d.main.Name, s)
			if f != nil && f.Findings == nil || j != nil && j.Judgements == nil {
				unreadable.Seats = append(unreadable.Seats, id)
			}
		}
	}
	if d.Mode.Kind == "critique" {
		without, ids, does := d.concerns()
		silent.Seats = d.ids(without)
		noReply.IDs = slices.DeleteFunc(ids, func(id string) bool { return does[id] != "" })
	}
	return []Caution{none, unreadable, stale, silent, noReply}
}

// cut says of a prompt whether it is known (2) or suspected (1) to have been cut.
func (d *debate) cut(t *Turn) int {
	p := t.Prompt
	if p.Window > 0 && p.Window < p.Estimate {
		return 2
	}
	if !d.says(t) {
		return 0
	}
	low, same := 0, false
	for i := range d.Turns {
		o := &d.Turns[i]
		if q := o.Prompt; q.Server == p.Server && d.says(o) {
			low += b2i(q.low())
			diff := max(q.Estimate, p.Estimate) - min(q.Estimate, p.Estimate)
			same = same || q.Counted == p.Counted && 10*diff > max(q.Estimate, p.Estimate)
		}
	}
	switch {
	case p.low() && same:
		return 2
	case p.low() && low > 1 || same:
		return 1
	}
	return 0
}

// says tells whether a prompt's count says anything.
func (d *debate) says(t *Turn) bool {
	return t.Prompt.Counted > 0 && t.Prompt.Estimate > 0 && !d.Seats[t.Seat].Agent && !t.Prompt.LeftOut
}

func (p Prompt) low() bool { return 10*(p.Counted+p.Cached) < 6*p.Estimate }

func (d *debate) cutPrompts() Caution {
	c := Caution{ID: "cut_prompts"}
	for s := range d.Seats {
		for r := 1; r <= d.newest; r++ {
			worst := 0
			for i := range d.Turns {
				if t := &d.Turns[i]; t.Seat == s && t.Round == r && t.State == "done" {
					worst = max(worst, d.cut(t))
				}
			}
			if worst > 0 {
				c.Seats, c.Rounds = append(c.Seats, d.Seats[s].ID), append(c.Rounds, r)
				c.Perhaps = append(c.Perhaps, worst == 1)
			}
		}
	}
	return c
}

// cutCounts tells whether a statement that counts was written on a prompt that was cut, perhaps.
func (d *debate) cutCounts() bool {
	for _, s := range d.free {
		for i := len(d.Turns) - 1; i >= 0; i-- {
			t := &d.Turns[i]
			if t.Seat != s || t.State != "done" || d.main != nil && t.Phase != d.main.Name {
				continue
			}
			if d.cut(t) > 0 && (d.Mode.Kind != "ranking" || t.Round == d.last) {
				return true
			}
			break
		}
	}
	return false
}

// unread counts the lines of evidence that were shown to no seat that votes or judges.
func (d *debate) unread() int {
	seen := make([]bool, d.Evidence)
	for i := range d.Turns {
		t := &d.Turns[i]
		if len(d.free) > 0 && !slices.Contains(d.free, t.Seat) || d.cut(t) == 2 {
			continue
		}
		for line := range seen {
			hidden := slices.ContainsFunc(t.EvidenceCut, func(c [2]int) bool { return c[0] <= line+1 && line+1 <= c[1] })
			seen[line] = seen[line] || !hidden
		}
	}
	return len(slices.DeleteFunc(seen, func(s bool) bool { return s }))
}

// told tells whether a graver caution says already that a seat has no statement in a phase of a round.
func (d *debate) told(graver []Caution, seat, round int, phase string) bool {
	main := d.main != nil && phase == d.main.Name
	return slices.ContainsFunc(graver, func(c Caution) bool {
		switch {
		case !slices.Contains(c.Seats, d.Seats[seat].ID):
			return false
		case c.ID == "no_concerns":
			return phase == "concerns"
		case c.ID == "no_vote":
			return main && (d.counted() || round == d.last)
		}
		return (c.ID == "unreadable_vote" || c.ID == "stale_vote") && main && d.counted() && round > d.vote(seat).round
	})
}

func (d *debate) missedTurns(graver []Caution) Caution {
	c := Caution{ID: "missed_turn"}
	for s, seat := range d.Seats {
		for r := 1; r <= d.newest; r++ {
			missed := false
			d.due(r, func(phase string, who int) {
				missed = missed || who == s && d.statement(r, phase, s) == nil && !d.told(graver, s, r, phase)
			})
			if missed {
				c.Seats, c.Rounds = append(c.Seats, seat.ID), append(c.Rounds, r)
			}
		}
	}
	return c
}

func (d *debate) sharesTool() bool {
	return d.newest > 0 && d.Mode.Blind && slices.ContainsFunc(d.Tools, func(t Tool) bool { return !t.Reads && len(t.Seats) > 1 })
}

func (d *debate) changedModels() Caution {
	c := Caution{ID: "changed_model"}
	for s, seat := range d.Seats {
		if slices.ContainsFunc(d.Turns, func(t Turn) bool { return t.Seat == s && (t.Maker != seat.Maker || t.Model != seat.Model) }) {
			c.Seats = append(c.Seats, seat.ID)
		}
	}
	return c
}

// model names the model of a seat's newest statement; one that is not known is a model of its own.
func (d *debate) model(seat int) string {
	s := d.Seats[seat]
	maker, model := s.Maker, s.Model
	for _, t := range d.Turns {
		if t.Seat == seat && t.State == "done" {
			maker, model = t.Maker, t.Model
		}
	}
	if model == "" {
		return s.ID
	}
	return maker + "\n" + model
}

func (d *debate) oneModel() Caution {
	c := Caution{ID: "one_model"}
	kind := d.result().Kind
	var named []int
	for _, s := range d.free {
		var group []int
		var rest []cell
		for _, o := range d.free {
			if d.model(o) == d.model(s) {
				group = append(group, o)
			}
			if d.counted() && (d.model(o) != d.model(s) || len(group) == 1 && group[0] == o) {
				rest = append(rest, d.vote(o))
			}
		}
		if len(group) < 2 {
			continue
		}
		spoilt := false
		if majority(kind) {
			spoilt = !majority(d.count(rest).Kind)
		}
		if len(group) == len(d.free) || spoilt {
			named = append(named, s)
		}
	}
	c.Seats = d.ids(named)
	return c
}

func majority(kind string) bool { return kind == "side" || kind == undecided || kind == "estimate" }

func (d *debate) demo() bool {
	return slices.ContainsFunc(d.Turns, func(t Turn) bool { return t.State == "done" && d.Seats[t.Seat].Scripted })
}

// gravest returns the first of the cautions by which a result is incomplete, and how many follow.
func (d *debate) gravest(cautions []Caution) (first string, more int) {
	for _, c := range cautions {
		switch c.ID {
		case "cut_prompts":
			if !d.cutCounts() {
				continue
			}
		case "missed_turn":
			if !slices.Contains(c.Rounds, d.newest) {
				continue
			}
		case "not_ended", "stopped", "no_vote", "unreadable_vote", "stale_vote", "no_concerns", "no_reply":
		default:
			continue
		}
		if first == "" {
			first = c.ID
		} else {
			more++
		}
	}
	return first, more
}

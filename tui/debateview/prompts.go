package debateview

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/screen"
)

// promptFor returns a prompt whose text is kept in typed when it is closed.
func promptFor(label string, limit int, typed *string, done func(string) screen.Outcome) screen.Prompt {
	return screen.Prompt{
		Label: label + " >", Limit: limit, Hints: []string{"enter save", "esc close (text kept)"}, Kept: typed, Done: done,
	}
}

// lineFor returns a prompt for the text of an action on a seat. A line that cannot be sent is kept.
func (d *Debate) lineFor(id control.ID, label string, limit int, typed *string, seat func() agents.ID) screen.Prompt {
	p := promptFor(label, limit, typed, func(line string) screen.Outcome {
		if line == "" && id != control.SetFocus {
			return nil
		}
		v := control.Values{Seat: seat(), Text: line}
		err := d.Check(id, v)
		if err == nil {
			return d.carryOut(id, v)
		}
		*typed = line
		return screen.Tell(screen.Warning, d.why(err))
	})
	p.Files = true
	return p
}

func nobody() agents.ID { return "" }

// askFocus asks for the focus question of the next round; an empty one removes it.
func (d *Debate) askFocus() screen.Outcome {
	p := d.lineFor(control.SetFocus, "focus", debate.MaxFocus, &d.typed.focus, nobody)
	p.Text, p.Lines, p.Note = d.Focus(), true, d.Words().LaterNote()
	return screen.Outcome{p}
}

// askModel asks for another model of the seat in focus, from the next round on.
func (d *Debate) askModel() screen.Outcome {
	seat := d.seatInFocus()
	now, _ := d.Session().Upcoming().Seat(seat)
	from := d.Session().TakesModel(seat)
	label := fmt.Sprintf("model of %s from round %d (now %s)", text.Line(now.Name), from, text.Line(now.ModelName()))
	p := d.lineFor(control.ChangeModel, label, debate.MaxFocus, &d.typed.model, func() agents.ID { return seat })
	p.Files = false
	return screen.Outcome{p}
}

// askMessage asks for a message to the seat in focus; tab chooses another seat, or all.
func (d *Debate) askMessage() screen.Outcome {
	t := &d.typed
	if t.message == "" {
		t.messageTo = d.seatInFocus()
	}
	label := func() string { return "to " + d.seatName(t.messageTo, "all") + " (tab: someone else)" }
	p := d.lineFor(control.Interject, label(), debate.MaxInterjection, &t.message, func() agents.ID { return t.messageTo })
	p.Lines = true
	p.Turn, p.Hints[0], p.Note = d.turn(&t.messageTo, label), "enter send", d.Words().LaterNote()
	return screen.Outcome{p}
}

// askFollowUp asks for a follow-up question to the chair; tab chooses a member. Its answer
// comes under the verdict.
func (d *Debate) askFollowUp() screen.Outcome {
	t := &d.typed
	label := func() string { return "ask " + d.seatName(t.questionTo, "the chair") + " (tab: someone else)" }
	p := d.lineFor(control.AskFollowUp, label(), debate.MaxFollowUp, &t.question, func() agents.ID { return t.questionTo })
	send := p.Done
	p.Done = func(line string) screen.Outcome {
		out := send(line)
		if line != "" && d.Running() {
			out = append(out, ShowVerdict{})
		}
		return out
	}
	p.Lines, p.Files, p.Hints[0], p.Turn = true, false, "enter ask", d.turn(&t.questionTo, label)
	return screen.Outcome{p}
}

func (d *Debate) outcomeField() screen.OutcomeField {
	return screen.OutcomeField{
		Note: &d.typed.outcome,
		Save: func(line string) screen.Outcome { return d.carryOut(control.SayOutcome, control.Values{Text: line}) },
	}
}

// seatName returns the name of a seat; that of none is given.
func (d *Debate) seatName(id agents.ID, none string) string {
	if id == "" {
		return none
	}
	return d.nameOf(id)
}

// turn returns the function that chooses the next seat; "" is no seat.
func (d *Debate) turn(seat *agents.ID, label func() string) func(int) string {
	return func(n int) string {
		all := []agents.ID{""}
		for _, p := range d.Session().Seats {
			all = append(all, p.ID)
		}
		*seat = all[(slices.Index(all, *seat)+n+len(all))%len(all)]
		return label() + " >"
	}
}

// askBudget asks for other limits below a note that says why. It begins with twice the present
// ones or, if that is more, with what the refused call or the rest is likely to take.
func (d *Debate) askBudget(why string, refused error) screen.Outcome {
	s := d.Session()
	spent, now := budget.TotalSpending(s), []string{}
	price := text.Price(spent.Cost)
	if spent.Calls == 0 {
		price = "$0.00"
	}
	var more []string
	if usd := s.Budget.USD; usd > 0 {
		var short *debate.BudgetError
		if errors.As(refused, &short) {
			usd = max(usd, math.Ceil(100*(short.Spent.USD+short.Needed.USD))/200)
		}
		more = append(more, "$"+budget.FormatUSD(min(2*usd, debate.MaxUSD)))
		now = append(now, price+" of $"+budget.FormatUSD(s.Budget.USD))
	}
	if limit := s.Budget.Tokens; limit > 0 {
		enough := spent.Usage.Total() + int(math.Ceil(d.Left().Tokens.High/1000))*1000
		more = append(more, text.Number(min(max(2*limit, enough), debate.MaxTokens))+" tokens")
		now = append(now, text.UsedTokens(spent.Usage.Total(), spent.Usage.Estimated)+" of "+text.Number(limit))
	}
	set := "none set"
	if more != nil {
		set = strings.Join(now, " and ") + " spent"
	}
	p := promptFor("budget in dollars, tokens ("+set+")", 40, &d.typed.budget, d.setBudget)
	p.Text, p.Note = strings.Join(more, " "), why
	if d.OwesReport() {
		p.Hints[0] = "enter save, write the report"
	}
	return screen.Outcome{p}
}

// setBudget sets the limits that were typed. A session then gets the report that its budget did
// not allow.
func (d *Debate) setBudget(line string) screen.Outcome {
	s := d.Session()
	wanted, err := control.ParseBudget(s.Budget, line)
	if err != nil {
		d.typed.budget = line
		return d.askBudget(text.Sentence(err.Error()), nil)
	}
	if wanted == s.Budget {
		return nil
	}
	v := control.Values{Budget: &wanted}
	if err := d.Check(control.SetBudget, v); err != nil {
		d.typed.budget = line
		return d.askBudget(d.why(err)+" Enter a larger budget.", nil)
	}
	return d.carryOut(control.SetBudget, v)
}

package control

import (
	"fmt"
	"strconv"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/text"
)

// Arg is an argument of an action, with the word that help shows for it.
type Arg string

const (
	SeatArg      Arg = "SEAT"
	MaybeSeatArg Arg = "[SEAT]"       // all, or the chair, if it is left out
	WaitingArg   Arg = "[SEAT|chair]" // the chair, or who answers a follow-up question, if it is left out
	TextArg      Arg = "TEXT"
	ModelArg     Arg = "MODEL"   // with or without its provider, or a configured agent's id
	RoundsArg    Arg = "[N]"     // 1 if it is left out
	BudgetArg    Arg = "BUDGET"  // such as $2.50, 50k, 50000 tokens, or both
	AnswersArg   Arg = "ID"      // a request, whose answer is asked for
	OutcomeArg   Arg = "OUTCOME" // right, wrong (and what was right), mixed or open, with a note after a colon
)

// Usage returns the arguments of an action as help shows them.
func (a Action) Usage() string { return strings.Join(text.Strings(a.Args), " ") }

// Verb returns the title for the middle of a sentence: "end the debate now".
func (a Action) Verb() string { return strings.ToLower(a.Title[:1]) + a.Title[1:] }

// Parse reads the arguments of an action from a line. The error says what is missing.
func (p *Plan) Parse(id ID, line string) (Values, error) {
	v, rest := Values{}, strings.TrimSpace(line)
	for _, arg := range find(id).Args {
		var err error
		if rest, err = p.parse(arg, rest, &v); err != nil {
			return v, err
		}
	}
	if rest != "" {
		return v, because(fmt.Sprintf("%q is not expected.", text.Label(rest)))
	}
	return v, nil
}

func (p *Plan) parse(arg Arg, line string, v *Values) (rest string, err error) {
	first, after, _ := strings.Cut(line, " ")
	switch arg {
	case AnswersArg: // answers come as submissions
	case WaitingArg:
		if line == "" && p.writing() != "" || line == "chair" {
			v.Seat = p.RetriedNow("")
			return "", nil
		}
		return p.parseSeat(line, v)
	case SeatArg:
		return p.parseSeat(line, v)
	case MaybeSeatArg:
		name, addressed := strings.CutSuffix(first, ":")
		if _, ok := p.seatCalled(name); addressed || ok && strings.TrimSpace(after) != "" {
			_, err = p.parseSeat(name, v)
			return strings.TrimSpace(after), err
		}
		return line, nil
	case TextArg, OutcomeArg:
		v.Text = line
	case ModelArg:
		if v.Text = line; line == "" {
			return "", because("Give a model after the seat.")
		}
	case RoundsArg:
		v.Rounds = 1
		if line == "" {
			return "", nil
		}
		if v.Rounds, err = strconv.Atoi(line); err != nil {
			return "", because(fmt.Sprintf("Give a number of rounds, 1-%d.", debate.MaxRounds))
		}
	case BudgetArg:
		b, err := ParseBudget(p.session.Budget, line)
		if err != nil {
			return "", err
		}
		v.Budget = &b
	}
	return "", nil
}

func (p *Plan) parseSeat(line string, v *Values) (rest string, err error) {
	seat, ok := p.seatCalled(line)
	if !ok {
		first, after, _ := strings.Cut(line, " ")
		seat, ok = p.seatCalled(first)
		rest = strings.TrimSpace(after)
	}
	if !ok {
		return "", because("Give a seat by number or name: " + p.seatNames() + ".")
	}
	v.Seat = seat.ID
	return rest, nil
}

// ParseBudget returns a budget with the limits of a text such as "$2.50 50000 tokens" or "50k"; 0 removes a limit.
func ParseBudget(b debate.Budget, line string) (debate.Budget, error) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return b, because("Give the budget in dollars, in tokens, or in both: 2.50, 50k, 50000 tokens.")
	}
	for dollars := 0; len(words) > 0; {
		var err error
		named := len(words) > 1 && strings.HasPrefix(words[1], "tok")
		if named || strings.HasSuffix(words[0], "k") { // thousands are of tokens
			if b.Tokens, err = unlimitedOr(budget.ParseTokens, words[0]); err != nil {
				return b, err
			}
			if words = words[1:]; named {
				words = words[1:]
			}
			continue
		}
		if b.USD, err = unlimitedOr(budget.ParseUSD, words[0]); err != nil {
			return b, err
		}
		if dollars++; dollars > 1 {
			return b, because("Two amounts of dollars are given. Tokens are written as 50k or 50000 tokens.")
		}
		words = words[1:]
	}
	return b, nil
}

// unlimitedOr parses a limit; 0 and none take it away.
func unlimitedOr[T any](parse func(string) (T, error), word string) (limit T, err error) {
	if strings.Trim(word, "$0.") == "" && word != "" || word == "none" {
		return limit, nil
	}
	return parse(word)
}

func (p *Plan) seatCalled(word string) (agents.Profile, bool) {
	for i, seat := range p.session.Seats {
		if word == strconv.Itoa(i+1) || strings.EqualFold(word, string(seat.ID)) || text.Fold(word) == text.Fold(text.Line(seat.Name)) {
			return seat, true
		}
	}
	return agents.Profile{}, false
}

func (p *Plan) seatNames() string {
	var names []string
	for i, seat := range p.session.Seats {
		names = append(names, fmt.Sprintf("%d %s", i+1, text.Line(seat.Name)))
	}
	return strings.Join(names, ", ")
}

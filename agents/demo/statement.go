package demo

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	prescribedStance = lazyRegexp(`- (?:stance|choice): "(yes|no|neutral)", the side that your role`)
	openQuestion     = lazyRegexp(`(?i)^\W*(?:how|what|which|when|where|why|who|whom|whose)\b`)
	asksForTime      = lazyRegexp(`(?i)\b(?:how long|how soon|when|weeks|months|days)\b`)
	optionLines      = lazyRegexp(`The options:\n((?:- .*\n)+)`)
	criterionLines   = lazyRegexp(`The criteria:\n((?:- .*\n)+)`)
)

// statement is what a seat says: a text and its structured part.
type statement struct {
	text       string
	position   string
	stance     string // "" if it takes no side
	label      string // the same in a word or two
	estimate   string // value, least and greatest
	confidence string
	side       string // the member of the structured part that names its side
	cites      string // the id of a request for context; "" if none
	quotes     string // the citation of evidence; "" if none
	ballot     string // more members of the structured part
}

// scripted returns a statement of the script.
func (p prompt) scripted(name string, pairs ...string) statement {
	return statement{
		text: fill(p.text(name), pairs...), position: fill(p.key(name, "position"), pairs...),
		stance: p.key(name, "stance"), label: p.key(name, "label"),
		estimate: p.key(name, "estimate"), confidence: p.key(name, "confidence"),
	}
}

// statementText returns what a seat answers in a round.
func statementText(p prompt) string {
	s := p.statement()
	cites, quotes := "", ""
	if s.cites != "" {
		cites = strconv.Quote(s.cites)
	}
	if s.quotes != "" {
		quotes = strconv.Quote(s.quotes)
	}
	structured := fmt.Sprintf(`{"position": %s, "confidence": %s%s, "citations": [%s], "context_used": [%s]%s}`,
		strconv.Quote(s.position), s.confidence, s.side, quotes, cites, s.ballot)
	return s.text + "\n\n" + text("note") + "\n\n```json\n" + structured + "\n```"
}

// statement returns the view of the seat, in the form that its role and the phase of
// the round ask for.
func (p prompt) statement() statement {
	s := p.view()
	if p.round > 1 && p.round == p.rounds {
		s.text += "\n\n" + text("last round")
	}
	if m := prescribedStance().FindStringSubmatch(p.form); m != nil && m[1] != s.stance {
		other := p.scripted("prescribed stance")
		other.stance, other.estimate, other.confidence, other.cites = m[1], s.estimate, s.confidence, s.cites
		s = other
	}
	if strings.Contains(p.form, "your role takes none.") {
		s = p.scripted("no side", "topic", p.topic)
	}
	s = p.takeSide(s)
	if q, ok := p.quote(); ok {
		s.quotes = q.cite
		s.text += "\n\n" + fill(text("evidence"), "line", q.line, "id", q.cite)
	}
	if p.phase != "" {
		s.text = fill(cmp.Or(text("phase "+p.phase), text("phase")), "phase", p.phase, "said", s.text)
	}
	switch {
	case strings.Contains(p.form, `"ranking":`):
		names := p.ranking()
		s.text += "\n\n" + numbered(names)
		s.ballot = fmt.Sprintf(`, "ranking": [%s]`, quoteAll(names))
	case strings.Contains(p.form, `"scores":`):
		s.ballot = p.scores()
	}
	return s
}

// view returns what the seat thinks in this round. The asking seat changes its
// position because of the user's answer and quotes it, or keeps it if there is
// none.
func (p prompt) view() statement {
	seats := loadScript().seats
	name := seats[(p.seat-1)%len(seats)]
	if p.round == 1 {
		return p.scripted(name+" first", "topic", p.topic)
	}
	if p.seat == p.askingSeat() {
		for _, f := range p.facts() {
			if f.query != p.key("required question", "query") {
				continue
			}
			outcome := "not available"
			if f.answered {
				outcome = "answered"
			}
			s := p.scripted(outcome, "id", f.id, "answer", f.answer)
			s.cites = f.id
			return s
		}
	}
	return p.scripted(name+" later", "topic", p.topic)
}

// takeSide returns the statement with its side in the field that the prompt asks for.
func (p prompt) takeSide(s statement) statement {
	open := openQuestion().MatchString(p.topic)
	switch asks := p.asks(); {
	case asks == "stance":
		if open && strings.Contains(p.form, "left out where the question has no yes or no") {
			s = s.withoutStance()
		}
		s.side = fmt.Sprintf(`, "stance": %q`, s.stance)
	case asks == "estimate":
		s = s.withEstimate(p.unit())
	case asks == "choice" && len(p.options()) > 0:
		s = s.withOption(p.options())
	case asks == "choice" && open && prescribedStance().FindString(p.form) == "":
		s = s.withoutStance()
		s.side = fmt.Sprintf(`, "choice": %q`, s.label)
	case asks == "choice":
		choice := s.stance
		if choice == "neutral" {
			choice = "undecided"
		}
		s.side = fmt.Sprintf(`, "choice": %q`, choice)
	}
	return s
}

// options returns the options among which the prompt asks for a choice.
func (p prompt) options() []string {
	if !strings.Contains(p.form, "one of the options") {
		return nil
	}
	return items(firstMatch(optionLines(), p.user))
}

// withOption returns the statement with the option that fits its stance: the first for
// yes, the last for no, and else none.
func (s statement) withOption(options []string) statement {
	option := map[string]string{"yes": options[0], "no": options[len(options)-1]}[s.stance]
	s = s.withoutStance()
	if option != "" {
		s.position = fill(key("option", "position"), "option", option, "position", s.position)
	}
	s.side = `, "choice": ` + strconv.Quote(cmp.Or(option, "none of these"))
	return s
}

// withEstimate returns the statement with its estimate.
func (s statement) withEstimate(unit string) statement {
	figures := strings.Fields(s.estimate)
	if len(figures) != 3 {
		return s
	}
	s = s.withoutStance()
	s.position = fill(key("estimate", "position"), "value", strings.TrimSpace(figures[0]+" "+unit), "low", figures[1], "high", figures[2])
	s.side = fmt.Sprintf(`, "estimate": {"value": %s, "unit": %q, "low": %s, "high": %s}`, figures[0], unit, figures[1], figures[2])
	return s
}

// unit returns the unit in which the question asks for a number, "" if it is unclear.
func (p prompt) unit() string {
	if asksForTime().MatchString(p.topic) {
		return "weeks"
	}
	return ""
}

// withoutStance returns the statement for a question that has no sides.
func (s statement) withoutStance() statement {
	s.stance = ""
	s.text = strings.NewReplacer(" **from no to yes**", "", "say yes or no and mean it", "answer and mean it").Replace(s.text)
	for _, side := range []struct{ with, without string }{{"No, not ", "Not "}, {"No, ", "Not "}, {"Yes, ", ""}, {"Neutral: ", ""}} {
		if rest, ok := strings.CutPrefix(s.position, side.with); ok {
			s.position = capitalize(side.without + rest)
			break
		}
	}
	return s
}

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// ranking returns the others that have spoken in this round. The asking seat is
// first, the others follow in the order in which they sit after the speaker.
func (p prompt) ranking() []string {
	order := []int{p.askingSeat()}
	for n := 1; n < p.seats; n++ {
		if seat := (p.seat+n-1)%p.seats + 1; seat != p.askingSeat() {
			order = append(order, seat)
		}
	}
	var names []string
	for _, seat := range order {
		for _, s := range p.thisRound() {
			if !s.own && s.seat == seat {
				names = append(names, s.name)
			}
		}
	}
	return names
}

func numbered(lines []string) string {
	var out []string
	for i, line := range lines {
		out = append(out, fmt.Sprintf("%d. %s", i+1, line))
	}
	return strings.Join(out, "\n")
}

func quoteAll(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, strconv.Quote(w))
	}
	return strings.Join(out, ", ")
}

// scores gives every option a score by every criterion.
func (p prompt) scores() string {
	var out []string
	for o, option := range items(firstMatch(optionLines(), p.user)) {
		for c, criterion := range items(firstMatch(criterionLines(), p.user)) {
			out = append(out, fmt.Sprintf(`{"option": %s, "criterion": %s, "score": %d, "reason": "scripted"}`,
				strconv.Quote(option), strconv.Quote(criterion), 3+(2*p.seat+5*o+3*c)%7))
		}
	}
	return fmt.Sprintf(`, "scores": [%s]`, strings.Join(out, ", "))
}

// items returns the lines of a list.
func items(list string) []string {
	list = strings.TrimSpace(list)
	if list == "" {
		return nil
	}
	lines := strings.Split(list, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "- ")
	}
	return lines
}

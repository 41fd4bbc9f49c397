package demo

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	prescribedStance = lazyRegexp(`State the stance "(yes|no|neutral)"`)
	openQuestion     = lazyRegexp(`(?i)^\W*(?:how|what|which|when|where|why|who|whom|whose)\b`)
	optionLines      = lazyRegexp(`The options:\n((?:- .*\n)+)`)
	criterionLines   = lazyRegexp(`The criteria:\n((?:- .*\n)+)`)
)

// statement is what a seat says: a text and its structured part.
type statement struct {
	text       string
	position   string
	stance     string // "" if it takes no side
	confidence string
	cites      string // the id of a request for context; "" if none
	ballot     string // more members of the structured part
}

// scripted returns a statement of the script.
func scripted(name string, pairs ...string) statement {
	return statement{
		text: fill(text(name), pairs...), position: fill(key(name, "position"), pairs...),
		stance: key(name, "stance"), confidence: key(name, "confidence"),
	}
}

// statementText returns what a seat answers in a round.
func statementText(p prompt) string {
	s := p.statement()
	cites := ""
	if s.cites != "" {
		cites = strconv.Quote(s.cites)
	}
	structured := fmt.Sprintf(`{"position": %s, "confidence": %s, "stance": %q, "citations": [], "context_used": [%s]%s}`,
		strconv.Quote(s.position), s.confidence, s.stance, cites, s.ballot)
	return s.text + "\n\n" + text("note") + "\n\n```json\n" + structured + "\n```"
}

// statement returns the view of the seat, in the form that its role and the phase of
// the round ask for.
func (p prompt) statement() statement {
	s := p.view()
	if p.round > 1 && p.round == p.rounds {
		s.text += "\n\n" + text("last round")
	}
	if m := prescribedStance().FindStringSubmatch(p.system); m != nil && m[1] != s.stance {
		other := scripted("prescribed stance")
		other.stance, other.confidence, other.cites = m[1], s.confidence, s.cites
		s = other
	}
	if strings.Contains(p.system, "Leave stance out: your role takes no side.") {
		s = scripted("no side", "topic", p.topic)
	}
	if p.isOpenQuestion() {
		s = s.withoutStance()
	}
	if p.phase != "" {
		s.text = fill(text("phase"), "phase", p.phase)
	}
	switch {
	case strings.Contains(p.system, `"ranking":`):
		names := p.ranking()
		s.text += "\n\n" + numbered(names)
		s.ballot = fmt.Sprintf(`, "ranking": [%s]`, quoteAll(names))
	case strings.Contains(p.system, `"scores":`):
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
		return scripted(name+" first", "topic", p.topic)
	}
	if p.seat == p.askingSeat() {
		for _, f := range p.facts() {
			if f.query != key("required question", "query") {
				continue
			}
			outcome := "not available"
			if f.answered {
				outcome = "answered"
			}
			s := scripted(outcome, "id", f.id, "answer", f.answer)
			s.cites = f.id
			return s
		}
	}
	return scripted(name+" later", "topic", p.topic)
}

// isOpenQuestion reports whether the question has no yes or no, and the prompt
// tells the seat to leave its stance out then.
func (p prompt) isOpenQuestion() bool {
	return openQuestion().MatchString(p.topic) && strings.Contains(p.system, "Leave stance out where the question has no yes or no.")
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
	for o, option := range items(optionLines(), p.user) {
		for c, criterion := range items(criterionLines(), p.user) {
			out = append(out, fmt.Sprintf(`{"option": %s, "criterion": %s, "score": %d, "reason": "scripted"}`,
				strconv.Quote(option), strconv.Quote(criterion), 3+(2*p.seat+5*o+3*c)%7))
		}
	}
	return fmt.Sprintf(`, "scores": [%s]`, strings.Join(out, ", "))
}

// items returns the lines of the last list that matches.
func items(list *regexp.Regexp, text string) []string {
	last := strings.TrimSpace(lastMatch(list, text))
	if last == "" {
		return nil
	}
	lines := strings.Split(last, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "- ")
	}
	return lines
}

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
	optionLines    = late(`The options:\n((?:- .*\n)+)`)
	criterionLines = late(`The criteria:\n((?:- .*\n)+)`)
)

// fitted makes of what a character holds what the prompt asks it for: the stance of
// its role, a ranking, scores, or its part in a further phase. More are the members
// of the structured part that this takes.
func (s scene) fitted(v view) (out view, more string) {
	if m := prescribed().FindStringSubmatch(s.system); m != nil && m[1] != v.stance {
		v = view{
			text:     "My role is to argue the other way, and I do: what can be said for it has to be heard in full before anybody decides.\n\n- It is the case that is easiest to overlook.\n- Nobody has shown yet that it is wrong.",
			position: "My role's case stands until it is answered.", stance: m[1], confidence: v.confidence, used: v.used,
		}
	}
	if strings.Contains(s.system, "Leave stance out: your role takes no side.") {
		v = view{text: fmt.Sprintf("1. What would have to be true for an answer to “%s” to hold?\n2. Which of it do you know, and which do you assume?", s.topic), position: "What is known here, and what is assumed?", confidence: 0.5}
	}
	if s.open() {
		v = v.unsided()
	}
	if s.phase != "" {
		v.text = fmt.Sprintf("My part in the %s, after what was said so far: the reasons count, not who gave them.", s.phase)
	}
	switch {
	case strings.Contains(s.system, `"ranking":`):
		return s.ranked(v)
	case strings.Contains(s.system, `"scores":`):
		return v, s.scores()
	}
	return v, ""
}

// open reports whether the question has no yes or no, and the speaker is told to
// leave its side out then.
func (s scene) open() bool {
	return openWords().MatchString(s.topic) && strings.Contains(s.system, "Leave stance out where the question has no yes or no.")
}

// unsided is the view without a side, for a question that has none.
func (v view) unsided() view {
	v.stance = ""
	v.text = strings.NewReplacer(" **from no to yes**", "", "say yes or no and mean it", "answer and mean it").Replace(v.text)
	for _, side := range []struct{ with, without string }{{"No, not ", "Not "}, {"No, ", "Not "}, {"Yes, ", ""}, {"Neutral: ", ""}} {
		if rest, ok := strings.CutPrefix(v.position, side.with); ok {
			v.position = capital(side.without + rest)
			break
		}
	}
	return v
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// said are the statements of the round under way that the prompt shows.
type said struct {
	seat int
	name string
	own  bool
}

func (s scene) now() []said {
	var out []said
	for _, m := range stanceLine().FindAllStringSubmatch(s.user, -1) {
		if m[4] == strconv.Itoa(s.round) {
			seat, err := strconv.Atoi(m[1])
			if err != nil { // digits that are no seat
				continue
			}
			out = append(out, said{seat, m[2], m[3] != ""})
		}
	}
	return out
}

// spoke reports whether the seat has spoken in this round before.
func (s scene) spoke() bool {
	for _, x := range s.now() {
		if x.own {
			return true
		}
	}
	return false
}

// ranked puts first who has asked for the fact that decides, and then the others in
// the order in which they sit after the speaker.
func (s scene) ranked(v view) (view, string) {
	order := []int{s.lacks()}
	for n := 1; n < s.seats; n++ {
		if seat := (s.seat+n-1)%s.seats + 1; seat != s.lacks() {
			order = append(order, seat)
		}
	}
	var names []string
	lines := ""
	for _, seat := range order {
		for _, x := range s.now() {
			if !x.own && x.seat == seat {
				names = append(names, strconv.Quote(x.name))
				lines += fmt.Sprintf("%d. %s\n", len(names), x.name)
			}
		}
	}
	v.text += "\n\n" + strings.TrimSpace(lines)
	return v, fmt.Sprintf(`, "ranking": [%s]`, strings.Join(names, ", "))
}

// scores gives every option a score by every criterion.
func (s scene) scores() string {
	var out []string
	for o, option := range items(optionLines(), s.user) {
		for c, criterion := range items(criterionLines(), s.user) {
			out = append(out, fmt.Sprintf(`{"option": %s, "criterion": %s, "score": %d, "reason": "scripted"}`,
				strconv.Quote(option), strconv.Quote(criterion), 3+(2*s.seat+5*o+3*c)%7))
		}
	}
	return fmt.Sprintf(`, "scores": [%s]`, strings.Join(out, ", "))
}

func items(list *regexp.Regexp, text string) []string {
	all := list.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(all[len(all)-1][1]), "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "- ")
	}
	return lines
}

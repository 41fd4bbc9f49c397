package demo

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

//go:embed eval.txt
var evalFile string

// EvalSeats is how many seats have answers to the questions of EvalSet.
const EvalSeats = 3

// evalQuestion is a question of the evaluation, with what each seat answers: y or n.
type evalQuestion struct{ number, right, first, informed, uninformed string }

var evalQuestions = sync.OnceValue(func() map[string]evalQuestion {
	out := map[string]evalQuestion{}
	for _, m := range regexp.MustCompile(`(?m)^(\d\d) (yes|no) +([yn]{3}) ([yn]{3}) ([yn]{3})$`).FindAllStringSubmatch(evalFile, -1) {
		q := evalQuestion{m[1], m[2], m[3], m[4], m[5]}
		out[q.topic()] = q
	}
	return out
})

func (q evalQuestion) topic() string {
	return fmt.Sprintf("Can project %s go live this week?", q.number)
}

func (q evalQuestion) query() string {
	return fmt.Sprintf("How did the load test of project %s end?", q.number)
}

// EvalSet returns the data set of the evaluation that needs no model, as JSON lines. How often
// each seat is right in it is known.
func EvalSet() []byte {
	var b strings.Builder
	for n := range len(evalQuestions()) {
		q := evalQuestions()[evalQuestion{number: fmt.Sprintf("%02d", n+1)}.topic()]
		fact := map[string]string{"yes": "It passed.", "no": "It failed."}[q.right]
		fmt.Fprintf(&b, `{"input": %q, "target": %q, "facts": {"load test": %q}}`+"\n", q.topic(), q.right, fact)
	}
	return []byte(b.String())
}

func (p prompt) evalQuestion() (evalQuestion, bool) {
	q, ok := evalQuestions()[p.topic]
	return q, ok && p.seat <= EvalSeats
}

// statement returns what the seat answers in this round. The third states no confidence.
func (q evalQuestion) statement(p prompt) statement {
	letters, cites := q.first, ""
	if p.round > 1 {
		letters = q.uninformed
		for _, f := range p.facts() {
			if f.query == q.query() && f.answered {
				letters, cites = q.informed, f.id
			}
		}
	}
	s := statement{
		text: "What I know of the project speaks against it.", position: "No, not this week.", stance: "no",
		confidence: []string{"0.95", "0.7", "null"}[p.seat-1], cites: cites,
	}
	if letters[p.seat-1] == 'y' {
		s.text, s.position, s.stance = "What I know of the project speaks for it.", "Yes, this week.", "yes"
	}
	if letters[p.seat-1] != q.first[p.seat-1] {
		s.changedBy = cites
	}
	s.vote = strconv.Quote(s.stance)
	return s
}

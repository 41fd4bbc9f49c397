package demo

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roundtable/agents"
)

var (
	seatLine  = lazyRegexp(`(?m)^You are .*, seat (\d+) of (\d+) in a structured debate\.$`)
	roundLine = lazyRegexp(`This is round (\d+) of (\d+)[.,]`)
	phaseLine = lazyRegexp(`This is round \d+ of \d+, ([^.\n]+)\.`)
	topicLine = lazyRegexp(`(?s)The question:\n(.+?)\n(?:\n|$)`)
	factLine  = lazyRegexp(`(?m)^[0-9a-f]{12} \[(C\d+)\] asked by (.*) in round \d+\nQuestion: (.*)\n` +
		`(Answer|Answer, corrected|Not available, because): ((?s:.*?))\n(?:(?:Source:|Answered by a program) .*\n)*[0-9a-f]{12} end$`)
	statementLine = lazyRegexp(`(?m)^[0-9a-f]{12} statement: seat (\d+), ([^;\n]+?)( \(your own\))?(?:, [^;\n]*)?` +
		`, round (\d+)(?:, [^;\n]*)?(?:; confidence [^;\n]*)?(?:; (?:vote|argues for): (.+))?\n(?:Position: (.*)$)?`)
	findingLine = lazyRegexp(`(?m)^[0-9a-f]{12} finding (H\d+), severity \w+\nTitle: (.*)$`)
	countedLine = lazyRegexp(`(?m)^(H\d+), \w+, ([^:]+): (.*); found by `)

	askedVote = lazyRegexp(`(?m)^- vote: `)
	askedUnit = lazyRegexp(`(?m)^- vote: .*, without the unit: "(.*)";`)
)

// lazyRegexp compiles an expression when it is first used: most runs have no demo.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

type prompt struct {
	system, user  string
	form          string // of the statement, as the prompt asks for it
	seat, seats   int
	round, rounds int
	topic         string
	own           bool   // the topic is the demo's own question
	phase         string // "" if it asks for a statement
	toolResults   int    // so far
	canAsk        bool   // questions to the user
}

func readPrompt(req agents.Request) prompt {
	var p prompt
	for _, m := range req.Messages {
		switch m.Role {
		case agents.System:
			p.system += m.Text
		case agents.User:
			p.user += m.Text
		case agents.ToolRole:
			p.toolResults++
		case agents.Assistant:
		}
	}
	p.seat, p.seats = numbers(seatLine(), p.user)
	p.round, p.rounds = numbers(roundLine(), p.user)
	p.phase = lastMatch(phaseLine(), p.user)
	p.form = p.user[max(strings.LastIndex(p.user, formStart), 0):]
	p.topic = "the question"
	if topic := firstMatch(topicLine(), p.user+"\n"); topic != "" {
		p.topic = clip(strings.Join(strings.Fields(topic), " "))
		p.own = p.topic == Question()
	}
	for _, t := range req.Tools {
		p.canAsk = p.canAsk || t.Name == agents.RequestContextName
	}
	return p
}

// formStart begins what a prompt says of the form, after all that others wrote.
const formStart = "Write your statement in Markdown"

// firstMatch returns the group of the first match, or "". The question comes first.
func firstMatch(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// lastMatch returns the group of the last match, or "". What comes last is about the present.
func lastMatch(re *regexp.Regexp, text string) (group string) {
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		group = m[1]
	}
	return group
}

// numbers returns the two numbers of the last match, or 0.
func numbers(re *regexp.Regexp, text string) (a, b int) {
	if all := re.FindAllStringSubmatch(text, -1); len(all) > 0 {
		m := all[len(all)-1]
		a, _ = strconv.Atoi(m[1]) // of too many digits the greatest number is as good
		b, _ = strconv.Atoi(m[2])
	}
	return a, b
}

func clip(s string) string {
	r := []rune(s)
	if len(r) > 160 {
		return string(r[:160]) + "…"
	}
	return s
}

func (p prompt) askingSeat() int { return min(3, p.seats) }

type fact struct {
	id, asker, query, answer string
	answered                 bool // else answer says why it is not available
}

func (p prompt) facts() []fact {
	var out []fact
	for _, m := range factLine().FindAllStringSubmatch(p.user, -1) {
		out = append(out, fact{m[1], m[2], m[3], clip(strings.Join(strings.Fields(m[5]), " ")), !strings.HasPrefix(m[4], "Not")})
	}
	return out
}

func (p prompt) answeredFact() (fact, bool) {
	for _, f := range p.facts() {
		if f.answered {
			return f, true
		}
	}
	return fact{}, false
}

type shownStatement struct {
	seat, round          int
	name, position, side string
	own                  bool
}

func (p prompt) statements() []shownStatement {
	var out []shownStatement
	for _, m := range statementLine().FindAllStringSubmatch(p.user, -1) {
		seat, _ := strconv.Atoi(m[1]) // as in numbers
		round, _ := strconv.Atoi(m[4])
		s := shownStatement{seat: seat, round: round, name: m[2], position: m[6], own: m[3] != ""}
		if m[5] != "not stated" {
			s.side = m[5]
		}
		out = append(out, s)
	}
	return out
}

func (p prompt) thisRound() []shownStatement {
	return slices.DeleteFunc(p.statements(), func(s shownStatement) bool { return s.round != p.round })
}

// members returns each member's last statement in the last round, with the last side in it.
func (p prompt) members() []shownStatement {
	all := p.statements()
	last := 0
	for _, s := range all {
		last = max(last, s.round)
	}
	var out []shownStatement
	for _, s := range all {
		if s.round != last {
			continue
		}
		if i := slices.IndexFunc(out, func(o shownStatement) bool { return o.name == s.name }); i >= 0 {
			s.side = cmp.Or(s.side, out[i].side)
			out[i] = s
			continue
		}
		out = append(out, s)
	}
	return out
}

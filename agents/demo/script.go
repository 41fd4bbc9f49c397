package demo

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roundtable/agents"
)


// The two questions of the panel. They fit any topic.
const (
	requiredQuery  = "What would it cost you if this turned out wrong, and how soon would you notice?"
	requiredReason = "If a mistake is cheap and seen early, trying is right; if it is dear or seen late, waiting is. My answer turns on it."
	optionalQuery  = "Is there a date by which this has to be decided?"
	optionalReason = "With time to spare a small trial comes first; without it we compare what is known today."
	scriptedNote   = "*Scripted answer of the demo: no model wrote this.*"
)

var (
	seatLine   = late(`seat (\d+) of (\d+) in a structured debate`)
	roundLine  = late(`This is round (\d+) of (\d+)[.,]`)
	phaseLine  = late(`This is round \d+ of \d+, ([^.\n]+)\.`)
	prescribed = late(`State the stance "(yes|no|neutral)"`)
	topicLine  = late(`(?s)The question:\n(.+?)\n(?:\n|$)`)
	factLine   = late(`(?m)^[0-9a-f]{12} \[(C\d+)\] asked by .*\nQuestion: (.*)\n(Answer|Answer, corrected|Not available, because): (.*)`)
	stanceLine = late(`(?m)^[0-9a-f]{12} statement: seat (\d+), (.+?)( \(your own\))?(?:, .*)?, round (\d+)(?:, .*)?\n(?:Position: (.*)\n)?`)
	sideLine   = late(`(?m)Stance: (yes|no|neutral)$`)
	voteless   = late(`each member has one, but for (.+): their roles prescribe`)
	pollLine   = late(`Votes before: .*; (yes|no|neither side) gained\.`)
	openWords  = late(`(?i)^\W*(?:how|what|which|when|where|why|who|whom|whose)\b`)
)

// late compiles an expression when it is first used: most runs of the program have
// no demo, and all of them would wait for it at their start.
func late(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// scene is what the script reads off a request.
type scene struct {
	seat, seats   int
	round, rounds int
	topic         string
	phase         string // "" for a statement
	system        string
	results       int // tool results so far
	canAsk        bool
	user          string
}

func read(req agents.Request) scene {
	var s scene
	for _, m := range req.Messages {
		switch m.Role {
		case agents.System:
			s.system += m.Text
		case agents.User:
			s.user += m.Text
		case agents.ToolRole:
			s.results++
		case agents.Assistant: // what it said itself
		}
	}
	s.seat, s.seats = numbers(seatLine(), s.system)
	s.round, s.rounds = numbers(roundLine(), s.user)
	if all := phaseLine().FindAllStringSubmatch(s.user, -1); len(all) > 0 {
		s.phase = all[len(all)-1][1]
	}
	s.topic = "the question"
	if all := topicLine().FindAllStringSubmatch(s.user+"\n", -1); len(all) > 0 {
		s.topic = clip(strings.Join(strings.Fields(all[len(all)-1][1]), " "))
	}
	for _, t := range req.Tools {
		s.canAsk = s.canAsk || t.Name == requestContext
	}
	return s
}

func numbers(re *regexp.Regexp, text string) (a, b int) {
	all := re.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return 0, 0
	}
	m := all[len(all)-1]
	a, errA := strconv.Atoi(m[1])
	b, errB := strconv.Atoi(m[2])
	if errA != nil || errB != nil {
		return 0, 0
	}
	return a, b
}

// lacks is the seat that lacks a fact.
func (s scene) lacks() int { return min(3, s.seats) }

// asker reports whether the speaker lacks it.
func (s scene) asker() bool { return s.seat == s.lacks() }

// script chooses what to answer.
func script(req agents.Request) answer {
	s := read(req)
	switch {
	case strings.Contains(s.system, "You measure how far the members of a debate agree"):
		return answer{text: analysis(s), whole: true}
	case strings.Contains(s.system, "You shorten one statement of a debate"):
		return answer{text: summary(s), whole: true}
	case strings.Contains(s.system, "You prepare a structured debate"):
		return answer{text: lists(s), whole: true}
	case s.seat == 0 || s.round == 0:
		return answer{text: report(s)}
	}
	if s.asker() && s.canAsk && s.round == 1 && !s.spoke() {
		switch s.results {
		case 0:
			return answer{text: "Before I take a side I need one fact that only the user has. ", calls: ask(requiredQuery, requiredReason, "required")}
		case 1:
			return answer{text: "One more would help, but need not hold us up. ", calls: ask(optionalQuery, optionalReason, "optional")}
		}
	}
	return answer{text: statement(s)}
}

// statement is a seat's text for a round, with its structured part.
func statement(s scene) string {
	c := characters[(s.seat-1)%len(characters)]
	v := c.first
	switch {
	case s.round > 1 && s.asker():
		v = s.answered(c)
	case s.round > 1:
		v = c.later
	}
	v.text = strings.ReplaceAll(v.text, "{topic}", s.topic)
	if s.round > 1 && s.round == s.rounds {
		v.text += "\n\nThat is what I hold at the end."
	}
	v, more := s.fitted(v)
	return fmt.Sprintf("%s\n\n%s\n\n```json\n{\"position\": %s, \"confidence\": %.2f, \"stance\": %q, \"citations\": [], \"context_used\": [%s]%s}\n```",
		v.text, scriptedNote, strconv.Quote(v.position), v.confidence, v.stance, v.used, more)
}

// answered is how the asking seat goes on: it changes its position because of
// the user's answer and quotes it, or holds it where there is none.
func (s scene) answered(c character) view {
	for _, m := range factLine().FindAllStringSubmatch(s.user, -1) {
		id, query, kind, content := m[1], m[2], m[3], m[4]
		if query != requiredQuery {
			continue
		}
		if strings.HasPrefix(kind, "Not") {
			return view{
				text:     fmt.Sprintf("I asked what a mistake would cost, and it cannot be said now: “%s” [%s].\n\nThen I stay careful. Without that figure nobody can tell whether a trial is safe.", clip(content), id),
				position: "Wait: what a mistake would cost is unknown.", stance: "no", confidence: 0.55, used: strconv.Quote(id),
			}
		}
		return view{
			text: fmt.Sprintf("I asked what a mistake would cost. The answer: “%s” [%s].\n\nThat changes my position **from no to yes**: a cost that is known can be bounded.\n\n"+
				"1. Begin with the part that can be undone.\n2. Watch for the first sign named in [%s].\n3. Stop when it shows, and not later.", clip(content), id, id),
			position: "Do it in steps: the cost of a mistake is known [" + id + "].", stance: "yes", confidence: 0.72, used: strconv.Quote(id),
		}
	}
	return c.later
}

func clip(s string) string {
	r := []rune(s)
	if len(r) > 160 {
		return string(r[:160]) + "…"
	}
	return s
}

// member is a seat as a chair or a light model reads it: its last word.
type member struct {
	seat                 int
	name, position, side string
}

// members are those of the last round that the prompt holds.
func (s scene) members() []member {
	blocks := stanceLine().FindAllStringSubmatchIndex(s.user, -1)
	last := 0
	rounds := map[int][]member{}
	for i, m := range blocks {
		end := len(s.user)
		if i+1 < len(blocks) {
			end = blocks[i+1][0]
		}
		seat, errSeat := strconv.Atoi(s.user[m[2]:m[3]])
		round, err := strconv.Atoi(s.user[m[8]:m[9]])
		if err != nil || errSeat != nil {
			continue
		}
		who := member{seat: seat, name: s.user[m[4]:m[5]]}
		if m[10] >= 0 {
			who.position = s.user[m[10]:m[11]]
		}
		if side := sideLine().FindStringSubmatch(s.user[m[1]:end]); side != nil {
			who.side = side[1]
		}
		last = max(last, round)
		again := slices.IndexFunc(rounds[round], func(o member) bool { return o.name == who.name })
		if again >= 0 { // its last word counts
			rounds[round][again] = who
			continue
		}
		rounds[round] = append(rounds[round], who)
	}
	return rounds[last]
}

// What the chair concludes.
const (
	forIt     = "Yes, in steps that can be undone"
	againstIt = "Not now"
	split     = "The panel is split"
)

// concluded is what the votes come to, or the sides of those who vote.
func (s scene) concluded() (conclusion, why string) {
	if m := pollLine().FindStringSubmatch(s.user); m != nil {
		switch m[1] {
		case "yes":
			return forIt, "The votes moved towards it."
		case "no":
			return againstIt, "The votes moved against it."
		}
		return split, "The votes did not move to either side."
	}
	var without []string
	more := "More seats are"
	if m := voteless().FindStringSubmatch(s.user); m != nil {
		without, more = strings.Split(m[1], ", "), "Of those who vote, more are"
	}
	votes := map[string]int{}
	for _, m := range s.members() {
		if m.side != "" && !slices.Contains(without, m.name) {
			votes[m.side]++
		}
	}
	switch {
	case len(votes) == 0:
		return "Start small, and measure before the next step", "Nobody takes a side, so nothing is counted."
	case votes["yes"] > votes["no"]:
		return forIt, more + " for it than against it."
	case votes["no"] > votes["yes"]:
		return againstIt, more + " against it than for it."
	case len(without) > 0:
		return split, "Of those who vote, neither side has more."
	}
	return split, "Neither side has more seats."
}

// report is the chair's: it counts the sides of the last round it was given.
func report(s scene) string {
	lines := ""
	for _, m := range s.members() {
		lines += fmt.Sprintf("- **%s** (%s): %s\n", m.name, cmp.Or(m.side, "no side"), m.position)
	}
	conclusion, why := s.concluded()
	facts, open := "", ""
	for _, m := range factLine().FindAllStringSubmatch(s.user, -1) {
		if strings.HasPrefix(m[3], "Not") {
			open += fmt.Sprintf("- %s Nobody could say: “%s” [%s]\n", m[2], clip(m[4]), m[1])
			continue
		}
		facts += fmt.Sprintf("- %s rests on what you said: “%s” [%s]\n", m[2], clip(m[4]), m[1])
	}
	if facts == "" {
		facts = "- No answer of yours was there to rest on.\n"
	}
	return fmt.Sprintf("## Conclusion\n%s. %s\n\n## Recommendation\n1. Start with the part that is cheap to undo.\n2. Write down today what would make you stop.\n\n## Common ground\n%s\n## How the members stand\n%s\n## Open questions\n%s- Who watches for the first sign? Nobody was asked.\n\n%s\n\n```json\n{\"position\": %q, \"confidence\": 0.7}\n```",
		conclusion, why, facts, lines, open, scriptedNote, conclusion+".")
}

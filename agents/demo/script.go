package demo

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed script.txt
var scriptFile string

type section struct {
	keys map[string]string
	text string
}

type script struct {
	sections map[string]section
	seats    []string // in their order
}

// loadScript parses the script when it is first used: most runs have no demo.
var loadScript = sync.OnceValue(func() script {
	s := script{sections: map[string]section{}}
	heads := regexp.MustCompile(`(?m)^-- (.+) --\n`).FindAllStringSubmatchIndex(scriptFile, -1)
	for i, h := range heads {
		end := len(scriptFile)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		name := scriptFile[h[2]:h[3]]
		s.sections[name] = parseSection(scriptFile[h[1]:end])
		if seat, ok := strings.CutPrefix(name, "seat "); ok {
			s.seats = append(s.seats, seat)
		}
	}
	return s
})

func parseSection(body string) section {
	head, text, _ := strings.Cut(body, "\n\n")
	if strings.HasPrefix(body, "\n") {
		head, text = "", body
	}
	s := section{keys: map[string]string{}, text: strings.Trim(text, "\n")}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		s.keys[key] = value
	}
	return s
}

func text(name string) string { return loadScript().sections[name].text }

func key(name, k string) string { return loadScript().sections[name].keys[k] }

// text returns the text of a section, in the version for the demo's own question if it is that.
func (p prompt) text(name string) string {
	if own := text("own " + name); p.own && own != "" {
		return own
	}
	return text(name)
}

func (p prompt) key(name, k string) string {
	if own := key("own "+name, k); p.own && own != "" {
		return own
	}
	return key(name, k)
}

// entry returns the given keys of a section that it has.
func (p prompt) entry(name string, keys ...string) map[string]string {
	out := map[string]string{}
	for _, k := range keys {
		if value := p.key(name, k); value != "" {
			out[k] = value
		}
	}
	return out
}

// entries are a list in the structured part of a statement.
type entries []map[string]string

// member returns the list as a further member of the structured part.
func (e entries) member(name string) string {
	raw, _ := json.Marshal(e) // texts always encode
	return fmt.Sprintf(", %q: %s", name, raw)
}

func fill(text string, pairs ...string) string {
	var braced []string
	for i := 0; i < len(pairs); i += 2 {
		braced = append(braced, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(braced...).Replace(text)
}

var (
	prescribedStance = lazyRegexp(`- vote: "(yes|no|undecided)", the side that your role`)
	openQuestion     = lazyRegexp(`(?i)^\W*(?:how|what|which|when|where|why|who|whom|whose)\b`)
	optionLines      = lazyRegexp(`The options:\n((?:- .*\n)+)`)
)

type statement struct {
	text       string
	position   string
	stance     string // "" if it takes no side
	label      string // the same in a word or two
	estimate   string // value, least and greatest
	confidence string
	vote       string // in JSON, with the range of an estimate; "" if it has none
	cites      string // the id of a request for context; "" if none
	changedBy  string // the same, if its answer changed the side
	quotes     string // the citation of evidence; "" if none
	ballot     string // more members of the structured part
}

func (p prompt) scripted(name string, pairs ...string) statement {
	return statement{
		text: fill(p.text(name), pairs...), position: fill(p.key(name, "position"), pairs...),
		stance: p.key(name, "stance"), label: p.key(name, "label"),
		estimate: p.key(name, "estimate"), confidence: p.key(name, "confidence"),
	}
}

func (p prompt) statementText() string {
	s := p.statement()
	more := ""
	if s.vote != "" {
		more += `, "vote": ` + s.vote
	}
	if s.changedBy != "" {
		more += `, "changed_by": ` + strconv.Quote(s.changedBy)
	}
	structured := fmt.Sprintf(`{"position": %q, "confidence": %s%s, "citations": [%s], "context_used": [%s]%s}`,
		s.position, s.confidence, more, quoted(s.quotes), quoted(s.cites), s.ballot)
	return s.text + "\n\n" + text("note") + "\n\n```json\n" + structured + "\n```"
}

func quoted(id string) string {
	if id == "" {
		return ""
	}
	return strconv.Quote(id)
}

// statement returns the view of the seat, in the form that its role and phase ask for.
func (p prompt) statement() statement {
	if q, ok := p.evalQuestion(); ok {
		return q.statement(p)
	}
	switch {
	case strings.Contains(p.form, `"concerns":`):
		return p.concern()
	case strings.Contains(p.form, `"replies":`):
		return p.revised()
	}
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
	if cite, line := p.quote(); cite != "" && !p.reviewsSample() {
		s.quotes = cite
		s.text += "\n\n" + fill(text("evidence"), "line", line, "id", cite)
	}
	if p.phase != "" {
		s.text = fill(cmp.Or(text("phase "+p.phase), text("phase")), "phase", p.phase, "said", s.text)
	}
	switch {
	case strings.Contains(p.form, `"ranking":`):
		var lines, quoted []string
		for _, o := range p.thisRound() {
			if !o.own {
				lines = append(lines, fmt.Sprintf("%d. %s", len(lines)+1, o.name))
				quoted = append(quoted, strconv.Quote(o.name))
			}
		}
		s.text += "\n\n" + strings.Join(lines, "\n")
		s.ballot = fmt.Sprintf(`, "ranking": [%s]`, strings.Join(quoted, ", "))
	case p.reviews():
		s.vote, s.ballot = "", p.reviewList()
	}
	return s
}

// view returns what the seat thinks in this round. The user's answer changes the asking seat's.
func (p prompt) view() statement {
	seats := loadScript().seats
	name := seats[(p.seat-1)%len(seats)]
	if p.reviewsSample() {
		name = "review"
	}
	if p.round == 1 {
		return p.scripted(name+" first", "topic", p.topic)
	}
	if p.seat == p.askingSeat() && !p.reviewsSample() {
		for _, f := range p.facts() {
			if f.query != p.key("required question", "query") {
				continue
			}
			outcome, changedBy := "not available", ""
			if f.answered {
				outcome, changedBy = "answered", f.id
			}
			s := p.scripted(outcome, "id", f.id, "answer", f.answer)
			s.cites, s.changedBy = f.id, changedBy
			return s
		}
	}
	return p.scripted(name+" later", "topic", p.topic)
}

func (p prompt) takeSide(s statement) statement {
	prescribed := prescribedStance().FindString(p.form) != ""
	switch {
	case askedVote().FindString(p.form) == "":
	case strings.Contains(p.form, "\n- low: "):
		s = s.withEstimate(firstMatch(askedUnit(), p.form))
	case len(p.options()) > 0:
		s = s.withOption(p.options())
	case strings.Contains(p.form, "shortest label") && openQuestion().MatchString(p.topic) && !prescribed:
		s = s.withoutStance()
		s.vote = strconv.Quote(s.label)
	default:
		s.vote = strconv.Quote(s.stance)
	}
	return s
}

func (p prompt) options() []string {
	if !strings.Contains(p.form, "one of the options") {
		return nil
	}
	list := strings.TrimSpace(firstMatch(optionLines(), p.user))
	if list == "" {
		return nil
	}
	return strings.Split(strings.TrimPrefix(list, "- "), "\n- ")
}

// withOption returns the statement with the option that fits its stance: the first for
// yes, the last for no, and else none.
func (s statement) withOption(options []string) statement {
	option := map[string]string{"yes": options[0], "no": options[len(options)-1]}[s.stance]
	s = s.withoutStance()
	if option != "" {
		s.position = fill(key("option", "position"), "option", option, "position", s.position)
	}
	s.vote = strconv.Quote(cmp.Or(option, "undecided"))
	return s
}

func (s statement) withEstimate(unit string) statement {
	figures := strings.Fields(s.estimate)
	if len(figures) != 3 {
		return s
	}
	s = s.withoutStance()
	s.position = fill(key("estimate", "position"), "value", strings.TrimSpace(figures[0]+" "+unit), "low", figures[1], "high", figures[2])
	s.vote = fmt.Sprintf(`%s, "low": %s, "high": %s`, figures[0], figures[1], figures[2])
	return s
}

func (s statement) withoutStance() statement {
	s.stance = ""
	s.text = strings.NewReplacer(" **from no to yes**", "", "say yes or no and mean it", "answer and mean it").Replace(s.text)
	for _, side := range []string{"No, ", "Yes, ", "Undecided: "} {
		if rest, ok := strings.CutPrefix(s.position, side); ok {
			s.position = strings.ToUpper(rest[:1]) + rest[1:]
		}
	}
	return s
}

var followUpLine = lazyRegexp(`(?s)The user asks:\n(.+)\n\nAnswer it now\.`)

func (p prompt) followUp() string {
	conclusion, why := p.result()
	start := fill(key("follow-up", "chair"), "conclusion", conclusion, "why", why)
	for _, s := range p.statements() {
		if s.own && strings.Contains(p.system, "You were a member (seat ") {
			start = fill(key("follow-up", "member"), "position", s.position)
		}
	}
	said := key("follow-up", "no fact")
	if f, ok := p.answeredFact(); ok {
		said = fill(key("follow-up", "fact"), "id", f.id, "answer", f.answer)
	}
	question := clip(strings.Join(strings.Fields(lastMatch(followUpLine(), p.user)), " "))
	return fill(text("follow-up"), "start", start, "fact", said, "question", question, "note", text("note"))
}

var evidenceBlock = lazyRegexp(`(?m)^[0-9a-f]{12} evidence of (?:the user|a program \(.*\))(?:, cut)?: \[(F\d+)\] .*\n((?:\d+\|.*\n)+)`)

// quote returns a line of the evidence, another one for each seat.
func (p prompt) quote() (cite, line string) {
	var all [][2]string
	for _, block := range evidenceBlock().FindAllStringSubmatch(p.user, -1) {
		for line := range strings.Lines(block[2]) {
			number, said, _ := strings.Cut(strings.TrimSpace(line), "| ")
			if said = clip(strings.TrimSpace(said)); said != "" {
				all = append(all, [2]string{block[1] + ":" + number, said})
			}
		}
	}
	if len(all) == 0 || p.seat < 1 {
		return "", ""
	}
	one := all[(p.seat-1)%len(all)]
	return one[0], one[1]
}

var (
	pickLine  = lazyRegexp(`The answers to pick from are the last ones of (.+)\.\n`)
	countLine = lazyRegexp(`the count is right:
.*
(?:Demo · )?(.*)
`)
)

// report returns the chair's report on the last round that the prompt shows.
func (p prompt) report() string {
	var members, facts, open, only string
	for _, m := range p.members() {
		members += fill(p.key("report", "member"), "name", m.name, "side", cmp.Or(m.side, "no side"), "position", m.position) + "\n"
	}
	for i, f := range p.facts() {
		if i == 0 && !strings.Contains(f.asker, ", ") {
			only = "\n" + fill(text("said by one"), "name", f.asker, "query", f.query) + "\n"
		}
		if f.answered {
			facts += fill(p.key("report", "fact"), "query", f.query, "answer", f.answer, "id", f.id) + "\n"
		} else {
			open += fill(p.key("report", "open"), "query", f.query, "answer", f.answer, "id", f.id) + "\n"
		}
	}
	switch {
	case facts == "" && open != "":
		facts = p.key("report", "no answers") + "\n"
	case facts == "":
		facts = p.key("report", "no facts") + "\n"
	}
	conclusion, why := p.result()
	return fill(p.text("report"), "conclusion", conclusion, "why", why, "facts", facts, "members", members, "open", open,
		"advice", p.fitting("advice")+"\n"+p.fitting("advice more"), "asks", p.key("report", "asks"),
		"note", text("note"), "only", only, "changes", p.fitting("changes"), "pick", p.pick())
}

// fitting returns a part of the report that does not contradict its conclusion.
func (p prompt) fitting(part string) string {
	switch conclusion, _ := p.result(); conclusion {
	case p.key("conclusions", "yes"):
		return p.key("report", part)
	case p.key("conclusions", "no"):
		return p.key("report", part+" no")
	}
	return key("report", part)
}

// pick names the strongest answer, where the prompt asks for it: that of who asked what the
// user answered, or else the first that can be picked.
func (p prompt) pick() string {
	names := strings.Split(lastMatch(pickLine(), p.user), ", ")
	if names[0] == "" {
		return ""
	}
	pick, reason := names[0], "pick"
	if f, ok := p.answeredFact(); ok && slices.Contains(names, f.asker) {
		pick, reason = f.asker, "pick with fact"
	}
	return fmt.Sprintf(`, "pick": %q, "pick_reason": %q`, pick, key("report", reason))
}

func (p prompt) result() (conclusion, why string) {
	counted := lastMatch(countLine(), p.user)
	side, _, majority := strings.Cut(counted, ", ")
	_, ranked := strings.CutSuffix(side, " first by points")
	switch word := strings.ToLower(side); {
	case strings.HasPrefix(counted, "Median "):
		return fill(key("conclusions", "estimates"), "estimates", strings.TrimPrefix(side, "Median ")), key("reasons", "estimates")
	case counted == "", strings.HasPrefix(counted, "No vote"), strings.HasPrefix(counted, "No ranking"):
		return key("conclusions", "none"), key("reasons", "none")
	case ranked, strings.HasPrefix(counted, "Tie of "):
		return fill(key("conclusions", "ranking"), "first", strings.TrimSuffix(side, " first by points")), key("reasons", "ranking")
	case strings.HasPrefix(counted, "Split"), strings.HasPrefix(counted, "No "), word == "undecided":
		return key("conclusions", "split"), key("reasons", "split")
	case majority && (word == "yes" || word == "no"):
		return p.key("conclusions", word), key("reasons", word)
	}
	return fill(key("conclusions", "side"), "side", strings.Trim(side, "“”")), key("reasons", "side")
}

package receipt

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/text"
)

// request is one request as it was sent: message by message, the prompt in its
// sections.
type request struct {
	about    debate.Receipt
	speaker  agents.Profile
	seat     int    // of the speaker; 0: none
	rebuilt  bool   // its prompt was rebuilt, and is what was sent
	json     string // the request as JSON
	tokens   int
	sections []section
}

// section is a message of the request, or a part of one.
type section struct {
	number string // of the message; "" for what goes on in the same one
	role   string
	title  string
	note   string
	tokens int
	text   string
}

// newRequest divides a request into its sections.
func newRequest(s debate.Session, req agents.Request, r debate.Receipt) (request, error) {
	seat := 0
	if r.Purpose == debate.ForMember {
		_, seat = s.Seat(r.Turn.Agent)
	}
	raw, err := req.Canonical()
	if err != nil {
		return request{}, fmt.Errorf("write request %d of %s: %w", r.N, debate.TurnID(r.Turn), err)
	}
	p := request{about: r, seat: seat, speaker: s.SpeakerOf(r.Purpose, r.Turn.Agent), tokens: cmp.Or(r.Estimate, req.Tokens())}
	p.json = indentJSON(raw)
	parts := prompt.Parts(s, r.Turn, req)
	p.rebuilt = parts != nil
	rest := req.Messages
	if p.rebuilt {
		p.prompt(parts, shortened(s, r.Turn))
		rest = rest[2:]
	}
	for i, m := range rest {
		p.message(len(req.Messages)-len(rest)+i+1, m)
	}
	if len(req.Tools) > 0 {
		p.tools(req.Tools)
	}
	if len(r.Patched) > 0 {
		p.add(section{
			number: "+", role: "changed", title: "on the way: " + text.Count(len(r.Patched), "thing"),
			text: strings.Join(r.Patched, "\n"),
		})
	}
	p.add(section{number: "+", role: "json", title: "the request as a whole", tokens: p.tokens, text: p.json})
	return p, nil
}

func (p *request) add(g section) {
	g.title, g.text = text.Line(g.title), text.Sanitize(g.text)
	p.sections = append(p.sections, g)
}

// prompt adds the sections of the first two messages.
func (p *request) prompt(parts []debate.Part, shortened map[string]int) {
	for i, part := range parts {
		g := section{role: "user", title: part.Title, tokens: part.Tokens(), text: part.Text}
		switch i {
		case 0:
			g.number, g.role, g.title = "1", "system", "role, rules of the mode"
		case 1:
			g.number = "2"
		}
		if round, _, ok := strings.Cut(strings.TrimPrefix(part.Title, "round "), ","); ok && strings.HasPrefix(part.Title, "round ") &&
			p.about.Purpose == debate.ForMember {
			g.note = "not shortened"
			if n := shortened[round]; n > 0 {
				g.note = fmt.Sprintf("%d shortened", n)
			}
		}
		p.add(g)
	}
}

// message adds one message as a whole.
func (p *request) message(n int, m agents.Message) {
	g := section{
		number: fmt.Sprint(n), role: string(m.Role), title: text.Clip(text.Line(m.Text), 200),
		tokens: agents.Request{Messages: []agents.Message{m}}.Tokens(), text: m.Text,
	}
	if m.CallID != "" {
		g.title = "result of " + m.CallID
	}
	var names []string
	for _, c := range m.Calls {
		names = append(names, c.Name)
		g.text += fmt.Sprintf("\n%s calls %s %s", c.ID, c.Name, c.Args)
	}
	if len(names) > 0 {
		g.title = "calls " + strings.Join(names, ", ")
	}
	p.add(g)
}

// tools adds what the model could call.
func (p *request) tools(specs []agents.ToolSpec) {
	g := section{number: "+", role: text.Count(len(specs), "tool"), tokens: agents.ToolTokens(specs)}
	var names, texts []string
	for _, s := range specs {
		names = append(names, s.Name)
		texts = append(texts, fmt.Sprintf("%s\n%s\n%s", s.Name, s.Description, indentJSON(s.Schema)))
	}
	g.title, g.text = strings.Join(names, ", "), strings.Join(texts, "\n\n")
	p.add(g)
}

// shortened counts, by round, the statements that a turn was not handed as they stand.
func shortened(s debate.Session, t agents.Turn) map[string]int {
	out := map[string]int{}
	if t.Round < 1 || t.Round > len(s.History) {
		return out
	}
	for _, x := range s.History[t.Round-1].AttemptsOf(t.Agent) {
		if x.Turn == t && x.ContextFit != nil {
			for _, c := range x.ContextFit.Excerpts {
				round, _, _ := strings.Cut(strings.TrimPrefix(c.Response, "r"), ".")
				out[round]++
			}
		}
	}
	return out
}

func indentJSON(raw []byte) string {
	out, err := json.MarshalIndent(json.RawMessage(raw), "", "  ")
	if err != nil { // it is shown as it is
		return string(raw)
	}
	return string(out)
}

// requester is on whose behalf a request was sent: a seat, the chairs or the light
// model.
type requester struct {
	purpose debate.Purpose
	seat    agents.ID // "" but for members
}

func requesterOf(r debate.Receipt) requester {
	if r.Purpose == debate.ForMember {
		return requester{r.Purpose, r.Turn.Agent}
	}
	return requester{purpose: r.Purpose}
}

// called names a requester.
func (sc *Screen) called(who requester) string {
	switch who.purpose {
	case debate.ForChair:
		return "the chair"
	case debate.ForLight:
		return "the light model"
	case debate.ForMember:
	}
	p, n := sc.session.Seat(who.seat)
	if n == 0 {
		return string(who.seat)
	}
	return text.Line(p.Name)
}

// requesters lists all for whom something was sent: the seats in their order, then
// the others.
func requesters(s debate.Session, all []debate.Receipt) []requester {
	var out []requester
	for _, p := range s.Seats {
		out = append(out, requester{debate.ForMember, p.ID})
	}
	out = append(out, requester{purpose: debate.ForChair}, requester{purpose: debate.ForLight})
	return slices.DeleteFunc(out, func(who requester) bool { return len(sentFor(all, who)) == 0 })
}

// sentFor returns the requests of one requester, by round, step, attempt and number.
func sentFor(all []debate.Receipt, who requester) []debate.Receipt {
	out := slices.DeleteFunc(slices.Clone(all), func(r debate.Receipt) bool { return requesterOf(r) != who })
	slices.SortStableFunc(out, func(a, b debate.Receipt) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.Turn.Attempt-b.Turn.Attempt, a.N-b.N)
	})
	return out
}

// lastOf returns the last request of a round, or of all where it has none.
func lastOf(sent []debate.Receipt, round int) debate.Receipt {
	last := sent[len(sent)-1]
	for _, r := range sent {
		if r.Turn.Round == round {
			last = r
		}
	}
	return last
}

// axis is along which another request is chosen: of the next requester, of another
// round, or the one next to it.
type axis int

const (
	bySeat axis = iota
	byRound
	byRequest
)

// neighbour returns the request that lies n steps along an axis from another.
func neighbour(s debate.Session, all []debate.Receipt, from debate.Receipt, along axis, n int) debate.Receipt {
	who := requesterOf(from)
	sent := sentFor(all, who)
	at := slices.IndexFunc(sent, func(r debate.Receipt) bool { return r.Turn == from.Turn && r.N == from.N })
	if at < 0 {
		return from
	}
	switch along {
	case bySeat:
		others := requesters(s, all)
		i := (slices.Index(others, who) + n + len(others)) % len(others)
		return lastOf(sentFor(all, others[i]), from.Turn.Round)
	case byRound:
		to := from
		for i := at; i >= 0 && i < len(sent); i += n {
			if sent[i].Turn.Round != from.Turn.Round {
				to = lastOf(sent, sent[i].Turn.Round)
				break
			}
		}
		return to
	default:
		return sent[max(0, min(at+n, len(sent)-1))]
	}
}

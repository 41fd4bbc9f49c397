package tui

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/prompt"
)

// paper is one request as it was sent, to look at: message by message, the prompt
// in its parts.
type paper struct {
	about   debate.Receipt
	speaker agents.Profile
	seat    int    // of the speaker; 0: none
	known   bool   // its prompt was rebuilt, and is what was sent
	whole   string // the request as JSON
	tokens  int
	pages   []page
}

// page is a message of the request, or a part of one.
type page struct {
	number string // of the message; "" for what goes on in the same one
	role   string
	title  string
	note   string
	tokens int
	text   string
}

// newPaper takes a request to pieces.
func newPaper(s debate.Session, req agents.Request, r debate.Receipt) (paper, error) {
	seat := 0
	if r.Purpose == debate.ForMember {
		_, seat = s.Seat(r.Turn.Agent)
	}
	raw, err := req.Canonical()
	if err != nil {
		return paper{}, fmt.Errorf("write request %d of %s: %w", r.N, debate.TurnID(r.Turn), err)
	}
	p := paper{about: r, seat: seat, speaker: s.SpeakerOf(r.Purpose, r.Turn.Agent), tokens: cmp.Or(r.Estimate, req.Tokens())}
	p.whole = indented(raw)
	parts := prompt.Parts(s, r.Turn, req)
	p.known = parts != nil
	rest := req.Messages
	if p.known {
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
		p.add(page{number: "+", role: "changed", title: "on the way: " + count(len(r.Patched), "thing", "things"), text: strings.Join(r.Patched, "\n")})
	}
	p.add(page{number: "+", role: "json", title: "the request as a whole", tokens: p.tokens, text: p.whole})
	return p, nil
}

func (p *paper) add(g page) {
	g.title, g.text = safetext.Line(g.title), safetext.Text(g.text)
	p.pages = append(p.pages, g)
}

// prompt adds the parts of the first two messages.
func (p *paper) prompt(parts []debate.Part, shortened map[string]int) {
	for i, part := range parts {
		g := page{role: "user", title: part.Title, tokens: part.Tokens(), text: part.Text}
		switch i {
		case 0:
			g.number, g.role, g.title = "1", "system", "role, rules of the mode"
		case 1:
			g.number = "2"
		}
		if round, _, ok := strings.Cut(strings.TrimPrefix(part.Title, "round "), ","); ok && strings.HasPrefix(part.Title, "round ") && p.about.Purpose == debate.ForMember {
			g.note = "not shortened"
			if n := shortened[round]; n > 0 {
				g.note = fmt.Sprintf("%d shortened", n)
			}
		}
		p.add(g)
	}
}

// message adds one message as a whole.
func (p *paper) message(n int, m agents.Message) {
	g := page{number: fmt.Sprint(n), role: string(m.Role), title: safetext.Clip(safetext.Line(m.Text), 200), tokens: agents.Request{Messages: []agents.Message{m}}.Tokens(), text: m.Text}
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
func (p *paper) tools(specs []agents.ToolSpec) {
	g := page{number: "+", role: count(len(specs), "tool", "tools"), tokens: agents.ToolTokens(specs)}
	var names, texts []string
	for _, s := range specs {
		names = append(names, s.Name)
		texts = append(texts, fmt.Sprintf("%s\n%s\n%s", s.Name, s.Description, indented(s.Schema)))
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

func indented(raw []byte) string {
	out, err := json.MarshalIndent(json.RawMessage(raw), "", "  ")
	if err != nil { // it is shown as it is
		return string(raw)
	}
	return string(out)
}

// asker is on whose behalf a request was sent: a seat, the chairs or the light model.
type asker struct {
	purpose debate.Purpose
	seat    agents.ID // "" but for members
}

func askerOf(r debate.Receipt) asker {
	if r.Purpose == debate.ForMember {
		return asker{r.Purpose, r.Turn.Agent}
	}
	return asker{purpose: r.Purpose}
}

// called names an asker.
func (b *board) called(a asker) string {
	switch a.purpose {
	case debate.ForChair:
		return "the chair"
	case debate.ForLight:
		return "the light model"
	case debate.ForMember:
	}
	return b.nameOf(a.seat)
}

// askers lists all for whom something was sent: the seats in their order, then the others.
func (b *board) askers(all []debate.Receipt) []asker {
	var out []asker
	for _, p := range b.session.Seats {
		out = append(out, asker{debate.ForMember, p.ID})
	}
	out = append(out, asker{purpose: debate.ForChair}, asker{purpose: debate.ForLight})
	return slices.DeleteFunc(out, func(a asker) bool { return len(sentFor(all, a)) == 0 })
}

// sentFor returns the requests of an asker, by round, step, attempt and number.
func sentFor(all []debate.Receipt, a asker) []debate.Receipt {
	out := slices.DeleteFunc(slices.Clone(all), func(r debate.Receipt) bool { return askerOf(r) != a })
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

// step chooses another request of those that were sent: of the next asker, of
// another round, or the one next to it.
type step int

const (
	bySeat step = iota
	byRound
	byRequest
)

// turn returns the request that lies n steps on from the one that is open.
func (b *board) turn(all []debate.Receipt, from debate.Receipt, by step, n int) debate.Receipt {
	who := askerOf(from)
	sent := sentFor(all, who)
	at := slices.IndexFunc(sent, func(r debate.Receipt) bool { return r.Turn == from.Turn && r.N == from.N })
	if at < 0 {
		return from
	}
	switch by {
	case bySeat:
		askers := b.askers(all)
		i := (slices.Index(askers, who) + n + len(askers)) % len(askers)
		return lastOf(sentFor(all, askers[i]), from.Turn.Round)
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

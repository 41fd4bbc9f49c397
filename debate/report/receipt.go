package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/text"
)

// Receipt is what is known about one request that a model was sent: JSON as the command prints it, Text for
// people, and Pieces as the receipt screen lists them.
type Receipt struct {
	agents.Turn
	Call     int                `json:"call"` // number of the request in its turn, from 1
	Of       int                `json:"of"`
	Purpose  debate.Purpose     `json:"purpose"`
	State    string             `json:"state"`
	Sent     time.Time          `json:"sent"`
	Version  int                `json:"prompt_version,omitempty"` // 0: not stored by earlier versions
	Hash     string             `json:"sha256"`
	Intact   bool               `json:"intact"` // what is stored still has that hash
	Estimate int                `json:"estimated_tokens"`
	Usage    Usage              `json:"usage"`
	Patched  []string           `json:"patched"` // changes on the way; null: not recorded
	Pieces   []Piece            `json:"parts"`   // message by message, the prompt in its parts
	Fitting  *debate.ContextFit `json:"fitting,omitempty"`
	Request  agents.Request     `json:"request"` // as it is stored, which is what has the hash

	Speaker agents.Profile      `json:"-"` // the model that it was sent to
	Seat    int                 `json:"-"` // of a member; 0 for the chair and the light model
	Failure *debate.TurnFailure `json:"-"`
	known   bool                // what the parts of the prompt are
}

// Piece is a message of a request or a part of one, with its text made safe.
type Piece struct {
	Message int    `json:"-"` // number of the message that begins here; 0 if none does
	Role    string `json:"-"`
	Title   string `json:"title"`
	Tokens  int    `json:"estimated_tokens"`
	Text    string `json:"-"`
}

// Continues reports whether a piece is in the same message as the one before it.
func (p Piece) Continues() bool { return p.Message == 0 && p.Role == string(agents.User) }

// Spent says in words what calls of speakers took.
func Spent(u agents.Usage, cost *float64, speakers ...agents.Profile) string {
	return text.UsedTokens(u.Total(), u.Estimated) + ", " + agents.CostText(text.Cost(cost), cost, speakers...)
}

// ReceiptOf returns the receipt of a request of a session.
func ReceiptOf(s debate.Session, req agents.Request, r debate.Receipt) Receipt {
	out := Receipt{
		Turn: r.Turn, Call: r.N, Of: r.Of, Purpose: r.Purpose, State: r.State, Sent: r.Sent, Hash: r.Hash,
		Version:  r.PromptVersion,
		Intact:   r.Intact,
		Estimate: cmp.Or(r.Estimate, req.Tokens()), Usage: Usage{1, r.Usage, r.Cost}, Patched: r.Patched,
		Request: req, Speaker: s.SpeakerOf(r.Purpose, r.Turn), Failure: r.Failure,
	}
	out.Session = s.ID
	if r.Purpose == debate.ForMember {
		_, out.Seat = s.Seat(r.Turn.Agent)
	}
	if t := r.Turn; t.Step >= 0 && t.Round >= 1 && t.Round <= len(s.History) {
		for _, x := range s.History[t.Round-1].AttemptsOf(t.Agent) {
			if x.Turn == t {
				out.Fitting = x.ContextFit
			}
		}
	}
	first := 0
	if parts := prompt.Parts(req); parts != nil {
		first, out.known = min(2, len(req.Messages)), true // rules and rest, or one to an agent with its own loop
		out.addPrompt(parts, first)
	}
	for i, m := range req.Messages[first:] {
		out.addMessage(first+i+1, m)
	}
	if len(req.Tools) > 0 {
		out.addTools(req.Tools)
	}
	return out
}

const requestRole = "json"

// All returns the pieces, what was changed on the way, and the request as a whole.
func (r Receipt) All() []Piece {
	r.Pieces = slices.Clip(r.Pieces)
	if len(r.Patched) > 0 {
		r.add(Piece{Role: "changed", Title: "on the way: " + text.Count(len(r.Patched), "thing"), Text: strings.Join(r.Patched, "\n")})
	}
	r.add(Piece{Role: requestRole, Title: "the request as a whole", Tokens: r.Estimate, Text: r.Body()})
	return r.Pieces
}

func (r *Receipt) add(p Piece) {
	p.Title, p.Text = text.Line(p.Title), text.Clean(p.Text)
	r.Pieces = append(r.Pieces, p)
}

// addPrompt adds the parts of the first messages: the rules, then context and question.
func (r *Receipt) addPrompt(parts []debate.Part, messages int) {
	for i, part := range parts {
		p := Piece{Role: string(agents.User), Title: part.Title, Tokens: agents.Tokens(part.Text), Text: part.Text}
		switch {
		case i == 0 && messages == 1:
			p.Message, p.Title = 1, "rules of the mode"
		case i == 0:
			p.Message, p.Role, p.Title = 1, string(agents.System), "rules of the mode"
		case i == 1 && messages == 2:
			p.Message = 2
		}
		r.add(p)
	}
}

const maxTitle = 200

func (r *Receipt) addMessage(n int, m agents.Message) {
	p := Piece{
		Message: n, Role: string(m.Role), Title: text.Clip(text.Line(m.Text), maxTitle),
		Tokens: agents.Request{Messages: []agents.Message{m}}.Tokens(), Text: m.Text,
	}
	if m.CallID != "" {
		p.Title = "result of " + m.CallID
	}
	var called []string
	for _, c := range m.Calls {
		called = append(called, c.Name)
		p.Text += fmt.Sprintf("\n%s calls %s %s", c.ID, c.Name, c.Args)
	}
	if len(called) > 0 {
		p.Title = "calls " + strings.Join(called, ", ")
	}
	r.add(p)
}

func (r *Receipt) addTools(specs []agents.ToolSpec) {
	var titles, texts []string
	for _, s := range specs {
		titles = append(titles, s.Name)
		texts = append(texts, fmt.Sprintf("%s\n%s\n%s", s.Name, s.Description, indented(s.Schema)))
	}
	r.add(Piece{
		Role: text.Count(len(specs), "tool"), Title: strings.Join(titles, ", "),
		Tokens: agents.ToolTokens(specs), Text: strings.Join(texts, "\n\n"),
	})
}

func indented(v any) string {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil { // it is shown as it is
		return fmt.Sprintf("%s", v)
	}
	return string(out)
}

// Place says for what the request was sent, and in which attempt.
func (r Receipt) Place() string {
	place := fmt.Sprintf("round %d, attempt %d", r.Round, r.Attempt)
	switch r.Step {
	case debate.VerdictStep:
		place = fmt.Sprintf("the verdict, attempt %d", r.Attempt)
	case debate.FollowUpStep:
		place = fmt.Sprintf("follow-up %d", r.Attempt)
	}
	if r.Of > 1 {
		place += fmt.Sprintf(", request %d of %d", r.Call, r.Of)
	}
	return place
}

// Result says how the request ended, and what it took.
func (r Receipt) Result() string {
	result := r.State
	if u := r.Usage; u.Input+u.Output > 0 {
		estimated := ""
		if u.Estimated {
			estimated = " (estimated)"
		}
		cached := ""
		if u.Cached > 0 {
			cached = fmt.Sprintf(" (%s from the cache)", text.Number(u.Cached))
		}
		result += fmt.Sprintf(": %s tok read%s, %s written%s, %s", text.Number(u.Input), cached, text.Number(u.Output), estimated,
			agents.CostText(text.Price(u.Cost), u.Cost, r.Speaker))
	}
	if r.Failure != nil {
		result += ": " + text.Line(r.Failure.Cause)
	}
	return result
}

// Trust says whether what is shown is what was sent.
func (r Receipt) Trust() string {
	switch {
	case !r.Intact:
		return "does not match its hash"
	case !r.known:
		return "as stored; its parts are not known"
	}
	return "matches what was sent"
}

// Patches counts what the provider's client changed on the way.
func (r Receipt) Patches() string {
	switch {
	case r.Patched == nil:
		return "patches: not recorded"
	case len(r.Patched) == 0:
		return "patches: none"
	}
	return fmt.Sprintf("patches: %d, see below", len(r.Patched))
}

// Body returns the request as indented JSON.
func (r Receipt) Body() string { return indented(r.Request) }

// Text returns a request for people: what is known of it, then its pieces.
func (r Receipt) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Sent to %s: %s.\n", text.Line(string(r.Agent)), r.Place())
	fmt.Fprintf(&b, "%s, SHA-256 %s, %s.\n", r.Sent.UTC().Format(time.RFC3339), r.Hash, r.Trust())
	if r.Version > 0 {
		fmt.Fprintf(&b, "Asked with version %d of the prompts.\n", r.Version)
	}
	fmt.Fprintf(&b, "About %s tok; %s; %s.\n", text.Number(r.Estimate), strings.TrimSuffix(r.Result(), "."), r.Patches())
	for _, p := range r.All() {
		if p.Role != requestRole {
			b.WriteString("\n" + p.section())
		}
	}
	return b.String()
}

// section returns a piece under its heading. No line of its text looks like a heading.
func (p Piece) section() string {
	head := "=== " + text.Join(": ", p.Role, p.Title)
	if p.Tokens > 0 {
		head += fmt.Sprintf(" (about %s tok)", text.Number(p.Tokens))
	}
	return head + strings.ReplaceAll("\n"+strings.TrimRight(p.Text, "\n"), "\n=== ", "\n === ") + "\n"
}

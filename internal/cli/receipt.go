package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/safetext"
	"roundtable/debate"
	"roundtable/debate/prompt"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

// verdictRound is what names a chair's turn in the place of a round.
const verdictRound = "verdict"

// receiptWish says which request is to be shown. Zero means the last one.
type receiptWish struct {
	agent   string
	round   string
	attempt int
	call    int
}

// receipt prints what was sent to an agent, exactly, and what is known of it.
func (a *app) receipt(ctx context.Context, id string, w receiptWish, asJSON bool) error {
	st, s, err := a.saved(ctx, id)
	if err != nil {
		return err
	}
	all, err := st.Receipts(ctx, s.ID)
	if err != nil {
		return err
	}
	r, err := w.find(s, all)
	if err != nil {
		return err
	}
	req, r, err := st.Prompt(ctx, s.ID, r.Turn, r.N)
	if err != nil {
		return err
	}
	doc, err := receiptOf(s, req, r)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(doc)
	}
	if err := a.print("%s", doc.text(s, r)); err != nil {
		return err
	}
	return a.printJSON(doc.Request)
}

// find picks one of all requests of a session.
func (w receiptWish) find(s debate.Session, all []debate.Receipt) (debate.Receipt, error) {
	var none debate.Receipt
	who, err := w.speaker(s)
	if err != nil {
		return none, err
	}
	round := 0
	if w.round != "" && w.round != verdictRound {
		if round, err = strconv.Atoi(w.round); err != nil || round < 1 {
			return none, usagef("%q is no round; give its number, or %s for what a chair was sent", text.Label(w.round), verdictRound)
		}
	}
	found := slices.DeleteFunc(slices.Clone(all), func(r debate.Receipt) bool {
		return r.Turn.Agent != who || (r.Turn.Step == debate.VerdictStep) != (w.round == verdictRound) || r.Purpose == debate.ForLight ||
			round > 0 && r.Turn.Round != round || w.attempt > 0 && r.Turn.Attempt != w.attempt || w.call > 0 && r.N != w.call
	})
	if len(found) == 0 {
		return none, usagef("nothing was sent to %s%s", who, w.where())
	}
	return slices.MaxFunc(found, func(a, b debate.Receipt) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.Turn.Attempt-b.Turn.Attempt, a.N-b.N)
	}), nil
}

// speaker finds an agent by its id or its name.
func (w receiptWish) speaker(s debate.Session) (agents.ID, error) {
	var known []string
	for _, p := range s.Speakers() {
		if strings.EqualFold(string(p.ID), w.agent) || strings.EqualFold(p.Name, w.agent) {
			return p.ID, nil
		}
		known = append(known, string(p.ID))
	}
	return "", usagef("there is no agent %q in this session%s", text.Label(w.agent), text.DidYouMean(w.agent, known))
}

func (w receiptWish) where() string {
	var parts []string
	switch w.round {
	case "":
	case verdictRound:
		parts = append(parts, "for the verdict")
	default:
		parts = append(parts, "in round "+w.round)
	}
	if w.attempt > 0 {
		parts = append(parts, fmt.Sprintf("as attempt %d", w.attempt))
	}
	if w.call > 0 {
		parts = append(parts, fmt.Sprintf("as request %d", w.call))
	}
	if len(parts) == 0 {
		return ""
	}
	return " " + strings.Join(parts, ", ")
}

// receiptDoc is a receipt as JSON.
type receiptDoc struct {
	Session string `json:"session"`
	headless.TurnHead
	Call     int                `json:"call"`
	Of       int                `json:"of"`
	Purpose  debate.Purpose     `json:"purpose"`
	State    string             `json:"state"`
	Sent     time.Time          `json:"sent"`
	Hash     string             `json:"sha256"`
	Intact   bool               `json:"intact"`
	Estimate int                `json:"estimated_tokens"`
	Usage    headless.UsageLine `json:"usage"`
	Patched  []string           `json:"patched"` // null: the provider has not told
	Parts    []partLine         `json:"parts"`   // null: they cannot be told apart any more
	Fitting  *debate.ContextFit `json:"fitting,omitempty"`
	Request  *json.RawMessage   `json:"request"`
}

type partLine struct {
	Title  string `json:"title"`
	Tokens int    `json:"estimated_tokens"`
}

func receiptOf(s debate.Session, req agents.Request, r debate.Receipt) (receiptDoc, error) {
	raw, err := req.Canonical()
	if err != nil {
		return receiptDoc{}, fmt.Errorf("write request %d of %s: %w", r.N, debate.TurnID(r.Turn), err)
	}
	body := json.RawMessage(raw)
	d := receiptDoc{
		Session: s.ID, TurnHead: headless.OfTurn(r.Turn), Call: r.N, Of: r.Of, Purpose: r.Purpose, State: r.State, Sent: r.Sent, Hash: r.Hash, Intact: r.Intact,
		Estimate: cmp.Or(r.Estimate, req.Tokens()), Usage: headless.UsageOf(r.Usage, r.Cost), Patched: r.Patched, Request: &body,
	}
	for _, p := range prompt.Parts(s, r.Turn, req) {
		d.Parts = append(d.Parts, partLine{p.Title, p.Tokens()})
	}
	if d.Parts != nil && len(req.Tools) > 0 {
		d.Parts = append(d.Parts, partLine{"tools", agents.ToolTokens(req.Tools)})
	}
	if d.Parts != nil && len(req.Messages) > 2 {
		rest := agents.Request{Messages: req.Messages[2:]}
		d.Parts = append(d.Parts, partLine{fmt.Sprintf("%d messages of the turn's tool calls", len(req.Messages)-2), rest.Tokens()})
	}
	if r.Turn.Step >= 0 && r.Turn.Round <= len(s.History) {
		for _, x := range s.History[r.Turn.Round-1].AttemptsOf(r.Turn.Agent) {
			if x.Turn == r.Turn {
				d.Fitting = x.ContextFit
			}
		}
	}
	return d, nil
}

// text says what is known of a request, for people.
func (d receiptDoc) text(s debate.Session, r debate.Receipt) string {
	var b strings.Builder
	where := fmt.Sprintf("round %d", d.Round)
	if d.Step == debate.VerdictStep {
		where = "the verdict"
	}
	fmt.Fprintf(&b, "Sent to %s for %s, attempt %d, request %d of %d: %s.\n", safetext.Line(string(d.Agent)), where, d.Attempt, d.Call, d.Of, d.State)
	intact := "as it was stored"
	if !d.Intact {
		intact = "and what is stored does not fit it any more"
	}
	fmt.Fprintf(&b, "%s, SHA-256 %s, %s.\n", d.Sent.UTC().Format(time.RFC3339), d.Hash, intact)
	fmt.Fprintf(&b, "About %d tokens were expected to be read. It took %s.\n", d.Estimate, headless.Spending(r.Usage, r.Cost))
	switch {
	case d.Patched == nil:
		b.WriteString("Whether the provider's client changed it on the way is not recorded.\n")
	case len(d.Patched) == 0:
		b.WriteString("It went out as it stands here.\n")
	default:
		fmt.Fprintf(&b, "On the way: %s.\n", safetext.Line(strings.Join(d.Patched, "; ")))
	}
	if d.Parts == nil {
		b.WriteString("Its parts cannot be told apart any more.\n")
	}
	for _, p := range d.Parts {
		fmt.Fprintf(&b, "%7d tok  %s\n", p.Tokens, safetext.Line(p.Title))
	}
	if d.Fitting != nil {
		for _, c := range d.Fitting.Excerpts {
			fmt.Fprintf(&b, "  %s %s, %d of %d characters\n", safetext.Line(c.Response), c.Form, c.Length, c.OriginalLength)
		}
	}
	b.WriteString("\n")
	return b.String()
}

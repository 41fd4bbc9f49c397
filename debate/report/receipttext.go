package report

import (
	"fmt"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Place says in which round and attempt the request was sent.
func (r Receipt) Place() string {
	place := fmt.Sprintf("round %d, attempt %d", r.Round, r.Attempt)
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
	case r.Parts == nil:
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
func (r Receipt) Body() string { return indented(*r.Request) }

// Text returns a request for people: what is known of it, then its sections with their
// titles, its tools, and what was changed on the way.
func (r Receipt) Text() string {
	var b strings.Builder
	where := fmt.Sprintf("round %d", r.Round)
	if r.Step == debate.VerdictStep {
		where = "the verdict"
	}
	fmt.Fprintf(&b, "Sent to %s for %s, attempt %d, request %d of %d: %s.\n", text.Line(string(r.Agent)), where, r.Attempt,
		r.Call, r.Of, r.State)
	intact := "as it was stored"
	if !r.Intact {
		intact = "but what is stored no longer matches it"
	}
	fmt.Fprintf(&b, "%s, SHA-256 %s, %s.\n", r.Sent.UTC().Format(time.RFC3339), r.Hash, intact)
	if r.Version > 0 {
		fmt.Fprintf(&b, "Asked with version %d of the prompts.\n", r.Version)
	}
	used := agents.Usage{Input: r.Usage.Input, Output: r.Usage.Output, Estimated: r.Usage.Estimated}
	fmt.Fprintf(&b, "Estimated at %d tokens; it took %s.\n", r.Estimate, Spent(used, r.Usage.Cost, r.Speaker))
	if r.Usage.Cached > 0 {
		fmt.Fprintf(&b, "The server took %s of the tokens read from its cache.\n", text.Number(r.Usage.Cached))
	}
	switch {
	case r.Patched == nil:
		b.WriteString("Whether the client changed it is not recorded.\n")
	case len(r.Patched) == 0:
		b.WriteString("It was sent unchanged.\n")
	default:
		fmt.Fprintf(&b, "Changed when sent: %s.\n", text.Line(strings.Join(r.Patched, "; ")))
	}
	if r.Parts == nil {
		b.WriteString("Its parts are no longer known.\n")
	}
	for _, p := range r.Parts {
		fmt.Fprintf(&b, "%7d tok  %s\n", p.Tokens, text.Line(p.Title))
	}
	if r.Fitting != nil {
		for _, c := range r.Fitting.Excerpts {
			fmt.Fprintf(&b, "  %s %s, %d of %d characters\n", text.Line(c.Response), c.Form, c.Length, c.OriginalLength)
		}
	}
	for _, p := range r.Pieces {
		if p.Role != requestRole {
			b.WriteString("\n" + p.section())
		}
	}
	return b.String()
}

// section returns a piece under a line that says what it is. No line of its text looks
// like such a line.
func (p Piece) section() string {
	var words []string
	for _, w := range []string{p.Role, p.Title, p.Note} {
		if w != "" {
			words = append(words, w)
		}
	}
	head := "=== " + strings.Join(words, ": ")
	if p.Tokens > 0 {
		head += fmt.Sprintf(" (about %s tok)", text.Number(p.Tokens))
	}
	return head + strings.ReplaceAll("\n"+strings.TrimRight(p.Text, "\n"), "\n=== ", "\n === ") + "\n"
}

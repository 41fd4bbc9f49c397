// Package demo is the built-in panel: a provider without a model, whose answers
// are scripted and say so. It takes the whole real path (streams, tool calls,
// questions to the user, a position that changes because of an answer, a
// chair's report), needs no network, and answers the same to the same request.
//
// It imports agents only. Like any provider it sees nothing but the messages it
// is sent and keeps nothing between calls.
package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"roundtable/agents"
)


// Name is the provider's and the panel's name.
const Name = "demo"

// Readable is a pace at which a person can follow several seats.
const Readable = 30 * time.Millisecond

// Provider answers as scripted. Pace is the time between two words; the zero
// value answers at full speed.
type Provider struct {
	Pace time.Duration
}

var _ agents.Provider = Provider{}

// Panel returns the profiles of n scripted seats, from 2 to 8.
func Panel(n int) []agents.Profile {
	names := []string{"Ada", "Brook", "Cleo", "Dee", "Eli", "Fay", "Gus", "Hal"}
	n = min(max(n, 2), len(names))
	free := 0.0
	out := make([]agents.Profile, n)
	for i := range out {
		out[i] = agents.Profile{
			ID: agents.ID(strings.ToLower(names[i])), Name: names[i], Provider: Name, Model: fmt.Sprintf("scripted-%d", i+1),
			Persona: characters[i].persona, PriceIn: &free, PriceOut: &free,
		}
	}
	return out
}

// Stream plays the script that fits the request.
func (p Provider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		a := script(req)
		for _, piece := range a.pieces() {
			if !p.wait(ctx) {
				yield(agents.Chunk{}, ctx.Err())
				return
			}
			if !yield(agents.Chunk{Text: piece}, nil) {
				return
			}
		}
		if !p.wait(ctx) {
			yield(agents.Chunk{}, ctx.Err())
			return
		}
		finish := agents.FinishStop
		if len(a.calls) > 0 {
			finish = agents.FinishToolCalls
		}
		yield(agents.Chunk{Finish: finish, Calls: a.calls, Usage: usage(req, a)}, nil)
	}
}

// wait lets one beat pass; it is false once the context has ended.
func (p Provider) wait(ctx context.Context) bool {
	if p.Pace <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(p.Pace)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// answer is one scripted completion.
type answer struct {
	text  string
	calls []agents.ToolCall
	whole bool // it comes at once: nobody reads along
}

// pieces cuts the text into words with what follows them.
func (a answer) pieces() []string {
	if a.whole {
		return []string{a.text}
	}
	return strings.SplitAfter(a.text, " ")
}

// usage counts as a real server would, with four characters a token.
func usage(req agents.Request, a answer) *agents.Usage {
	in := 0
	for _, m := range req.Messages {
		in += utf8.RuneCountInString(m.Text) / 4
	}
	return &agents.Usage{Input: in, Output: utf8.RuneCountInString(a.text)/4 + 20*len(a.calls)}
}

// ask makes a call of the tool that asks the user.
func ask(query, reason, priority string) []agents.ToolCall {
	args, err := json.Marshal(struct {
		Query    string `json:"query"`
		Reason   string `json:"reason"`
		Priority string `json:"priority"`
	}{query, reason, priority})
	if err != nil { // strings always encode
		panic(err)
	}
	return []agents.ToolCall{{Name: requestContext, Args: string(args)}}
}

const requestContext = "request_context"

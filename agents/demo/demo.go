// Package demo is the built-in panel: a provider without a model, whose answers
// are scripted and say so. It takes the same path as any provider (streams, tool
// calls, questions to the user, a position that changes because of an answer, a
// chair's report), needs no network, and answers the same request the same way.
//
// The texts are in script.txt. The package imports agents only. Like any provider
// it sees nothing but the messages it is sent, and keeps nothing between calls.
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

// Name is the name of the provider and of the panel.
const Name = "demo"

// Provider answers as scripted. The zero value answers at full speed.
type Provider struct{ pacer *pacer }

var _ agents.Provider = Provider{}

// New returns a provider that waits for pace between two words.
func New(pace time.Duration) Provider { return Provider{&pacer{pace: pace}} }

// RetryNow streams the rest of what the panel is saying at full speed.
func (p Provider) RetryNow() {
	if p.pacer != nil {
		p.pacer.skip()
	}
}

// Panel returns the profiles of n scripted seats, from 2 to 8.
func Panel(n int) []agents.Profile {
	seats := loadScript().seats
	free := 0.0
	out := make([]agents.Profile, min(max(n, 2), len(seats)))
	for i := range out {
		out[i] = agents.Profile{
			ID: agents.ID(strings.ToLower(seats[i])), Name: seats[i], Provider: Name, Model: fmt.Sprintf("scripted-%d", i+1),
			Persona: key("seat "+seats[i], "persona"), PriceIn: &free, PriceOut: &free,
		}
	}
	return out
}

// Question is the question about which the panel has more to say than about any other.
func Question() string { return text("question") }

// Stream streams the scripted answer to the request.
func (p Provider) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		asked := readPrompt(req)
		a := asked.answer()
		var skipped <-chan struct{}
		if p.pacer != nil {
			skipped = p.pacer.begin(fmt.Sprintf("round %d: %s", asked.round, asked.topic), asked.toolResults > 0)
		}
		for _, piece := range a.pieces() {
			if !p.pacer.wait(ctx, skipped) {
				yield(agents.Chunk{}, ctx.Err())
				return
			}
			if !yield(agents.Chunk{Text: piece}, nil) {
				return
			}
		}
		if !p.pacer.wait(ctx, skipped) {
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

// answer is one scripted completion.
type answer struct {
	text   string
	calls  []agents.ToolCall
	atOnce bool // in one piece, since nobody reads along
}

// pieces splits the text after each space, but for the structured part, which nobody reads.
func (a answer) pieces() []string {
	if a.atOnce {
		return []string{a.text}
	}
	words, structured, found := strings.Cut(a.text, "```json\n")
	pieces := strings.SplitAfter(words, " ")
	if found {
		pieces = append(pieces, "```json\n"+structured)
	}
	return pieces
}

// usage counts tokens as a server would, with four characters a token.
func usage(req agents.Request, a answer) *agents.Usage {
	in := 0
	for _, m := range req.Messages {
		in += utf8.RuneCountInString(m.Text) / 4
	}
	return &agents.Usage{Input: in, Output: utf8.RuneCountInString(a.text)/4 + 20*len(a.calls)}
}

// answer returns the scripted answer to the prompt.
func (p prompt) answer() answer {
	switch {
	case strings.Contains(p.system, "You measure how far the members of a debate agree"):
		return answer{text: analysis(p), atOnce: true}
	case strings.Contains(p.system, "You shorten one statement of a debate"):
		return answer{text: summary(p), atOnce: true}
	case strings.Contains(p.system, "You prepare a structured debate"):
		return answer{text: lists(p), atOnce: true}
	case p.seat == 0 || p.round == 0:
		return answer{text: report(p)}
	}
	if p.seat == p.askingSeat() && p.canAsk && p.round == 1 && !p.hasSpoken() {
		switch p.toolResults {
		case 0:
			return p.question("required")
		case 1:
			return p.question("optional")
		}
	}
	return answer{text: statementText(p)}
}

// question returns an answer that asks the user for a fact.
func (p prompt) question(priority string) answer {
	name := priority + " question"
	args, err := json.Marshal(struct {
		Query    string `json:"query"`
		Reason   string `json:"reason"`
		Priority string `json:"priority"`
	}{p.key(name, "query"), p.key(name, "reason"), priority})
	if err != nil { // strings always encode
		panic(err)
	}
	return answer{text: p.text(name) + " ", calls: []agents.ToolCall{{Name: agents.RequestContextName, Args: string(args)}}}
}

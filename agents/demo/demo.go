// Package demo is the built-in panel: a provider without a model, whose answers are scripted,
// in script.txt, and marked as such. It takes the same path as any provider, needs no network,
// and answers the same request the same way: it keeps nothing between calls.
//
// The package imports agents only.
package demo

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"roundtable/agents"
)

// Name is the name of the provider and of the panel.
const Name = "demo"

// Provider answers as scripted. The zero value answers at full speed.
type Provider struct{ pacer *pacer }

var _ agents.Provider = Provider{}

// New returns a provider that waits for pace between words.
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
			skipped = p.pacer.begin(fmt.Sprintf("round %d: %s", asked.round, asked.topic))
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
		finish := agents.FinishStop
		if len(a.calls) > 0 {
			finish = agents.FinishToolCalls
		}
		yield(agents.Chunk{Finish: finish, Calls: a.calls, Usage: usage(req, a)}, nil)
	}
}

type answer struct {
	text   string
	calls  []agents.ToolCall
	atOnce bool // in one piece, since it is not shown while it is written
}

// pieces splits the text after each space, except in the structured part, which is not shown.
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

func usage(req agents.Request, a answer) *agents.Usage {
	in := 0
	for _, t := range req.Tools {
		in += len(t.Description+string(t.Schema)) / 4
	}
	for _, m := range req.Messages {
		in += utf8.RuneCountInString(m.Text) / 4
	}
	return &agents.Usage{Input: in, Output: utf8.RuneCountInString(a.text)/4 + 20*len(a.calls)}
}

func (p prompt) answer() answer {
	switch {
	case strings.Contains(p.system, "which reports of a review are about the same defect"):
		return answer{text: `{"groups": []}`, atOnce: true}
	case strings.Contains(p.system, "You shorten one statement of a debate"):
		return answer{text: p.summary(), atOnce: true}
	case strings.Contains(p.system, "You answer a follow-up question of the user"):
		return answer{text: p.followUp()}
	case strings.Contains(p.system, "You are the chair of a review"):
		return answer{text: p.reviewReport()}
	case p.seat == 0 || p.round == 0:
		return answer{text: p.report()}
	}
	if p.seat == p.askingSeat() && p.canAsk && !p.reviewsSample() && p.round == 1 &&
		!slices.ContainsFunc(p.thisRound(), func(s shownStatement) bool { return s.own }) {
		q, evaluated := p.evalQuestion()
		switch {
		case evaluated && p.toolResults == 0:
			return ask("One fact would settle it.", q.query(), "A failed load test stops it.", "required")
		case !evaluated && p.toolResults < 2:
			priority := [...]string{"required", "optional"}[p.toolResults]
			name := priority + " question"
			return ask(p.text(name), p.key(name, "query"), p.key(name, "reason"), priority)
		}
	}
	return answer{text: p.statementText()}
}

func ask(words, query, reason, priority string) answer {
	args := fmt.Sprintf(`{"query":%q,"reason":%q,"priority":%q}`, query, reason, priority)
	return answer{text: words + " ", calls: []agents.ToolCall{{Name: agents.RequestContextName, Args: args}}}
}

var (
	reasoningBlock = lazyRegexp(`(?s)\n[0-9a-f]{12} reasoning\n(.*)\n[0-9a-f]{12} end\n`)
	sizeLine       = lazyRegexp(`Shorten it to (\d+) to (\d+) characters\.`)
)

func (p prompt) summary() string {
	out := text("summary")
	_, most := numbers(sizeLine(), p.user)
	for _, w := range strings.Fields(strings.ReplaceAll(firstMatch(reasoningBlock(), p.user), text("note"), "")) {
		if len([]rune(out))+len([]rune(w))+len(" …") > most {
			break
		}
		out += " " + w
	}
	return out + " …"
}

// Readable is a pace at which a person can follow several seats.
const Readable = 175 * time.Millisecond

type pacer struct {
	pace time.Duration

	mu      sync.Mutex
	stage   string          // the newest that was begun
	skipped <-chan struct{} // closed when it is skipped
	end     func()          // skips it; nil: none was begun
}

// begin returns a channel that ends the waits of a completion early. Those of a stage share it.
func (p *pacer) begin(stage string) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end == nil || stage != p.stage {
		skipped := make(chan struct{})
		p.stage, p.skipped, p.end = stage, skipped, sync.OnceFunc(func() { close(skipped) })
	}
	return p.skipped
}

func (p *pacer) skip() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end != nil {
		p.end()
	}
}

func (p *pacer) wait(ctx context.Context, skipped <-chan struct{}) bool {
	if p != nil && p.pace > 0 {
		timer := time.NewTimer(p.pace)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-skipped:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

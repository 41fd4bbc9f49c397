//go:build cgo && linux

package world_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/agents/demo"
)

// model is the provider of all seats: it answers as the demo's script does, in a mood that
// the world chooses for each request. Each piece of an answer waits at the gate.
type model struct{ p *process }

// defect is what a provider panics with in the mood "panics".
type defect struct{}

// sent is a request that has reached the provider.
type sent struct {
	turn    agents.Turn
	n       int
	hash    [32]byte
	usage   *agents.Usage // that was reported for all its tries; nil: none, or the request was cut off
	tries   int
	counted bool // what it used was acknowledged
}

func (m model) Stream(ctx context.Context, req agents.Request) iter.Seq2[agents.Chunk, error] {
	return func(yield func(agents.Chunk, error) bool) {
		call, err := m.p.w.arrives(m.p, req)
		if err != nil {
			yield(agents.Chunk{}, err)
			return
		}
		name := fmt.Sprintf("%s.%d", where(call.turn), call.n)
		if err := m.p.gate.pass(ctx, "send "+name); err != nil {
			yield(agents.Chunk{}, err)
			return
		}
		r := reply{model: m, ctx: ctx, req: req, call: call, name: name, yield: yield}
		mood := m.p.w.mood(call, req)
		m.p.w.log("  %s %s", name, mood)
		r.play(mood)
	}
}

// reply is one answer as it is streamed.
type reply struct {
	model
	ctx   context.Context
	req   agents.Request
	call  *sent
	name  string
	yield func(agents.Chunk, error) bool
	step  int
	gone  bool // the reader wants no more
}

// send streams a chunk once the gate lets it through.
func (r *reply) send(c agents.Chunk) bool {
	if r.gone {
		return false
	}
	r.step++
	if err := r.p.gate.pass(r.ctx, fmt.Sprintf("text %s.%02d", r.name, r.step)); err != nil {
		r.gone = true
		r.yield(agents.Chunk{}, err)
		return false
	}
	if c.Finish != "" { // it is the last
		r.call.usage = c.Usage
	}
	r.gone = !r.yield(c, nil)
	return !r.gone
}

// fail ends the answer with an error.
func (r *reply) fail(err error) {
	if r.gone {
		return
	}
	if pass := r.p.gate.pass(r.ctx, "fail "+r.name); pass != nil {
		err = pass
	}
	var f *agents.Failure
	if errors.As(err, &f) {
		if r.call.usage = f.Usage; f.Unprocessed {
			r.call.usage = &agents.Usage{}
		}
	}
	r.gone = true
	r.yield(agents.Chunk{}, err)
}

// play answers in a mood.
func (r *reply) play(mood string) {
	text, last := r.script()
	switch mood {
	case "key refused":
		r.fail(&agents.Failure{Kind: agents.KindAuth, Cause: "The key was refused.", Status: 401, Unprocessed: true})
	case "busy":
		r.fail(&agents.Failure{
			Kind: agents.KindBusy, Cause: "The server is busy.", Status: 429, RetryAt: time.Now().Add(time.Minute), Unprocessed: true,
		})
	case "cut":
		r.send(agents.Chunk{Text: part(text, 1, 2)})
		r.fail(&agents.Failure{
			Kind: agents.KindTruncated, Cause: "The connection broke.", Again: true,
			Usage: &agents.Usage{Input: r.req.Tokens(), Output: 7},
		})
	case "cut uncounted":
		r.send(agents.Chunk{Text: part(text, 1, 2)})
		r.fail(&agents.Failure{Kind: agents.KindTruncated, Cause: "The connection broke."})
	case "too long":
		r.fail(&agents.Failure{Kind: agents.KindTooLong, Cause: "The prompt is too long.", Status: 400, Unprocessed: true})
	case "retries":
		r.retries(text, last)
	case "slow":
		r.send(agents.Chunk{Event: agents.Queued{}})
		if r.sleep(40 * time.Second) {
			r.answer(text, last)
		}
	case "filtered":
		r.send(agents.Chunk{Text: "I would rather"})
		r.send(agents.Chunk{Finish: agents.FinishFilter, Usage: &agents.Usage{Input: r.req.Tokens(), Output: 3}})
	case "at length":
		r.send(agents.Chunk{Text: part(text, 2, 3)})
		r.send(agents.Chunk{Finish: agents.FinishLength, Usage: last.Usage})
	case "empty":
		r.send(agents.Chunk{Finish: agents.FinishStop, Usage: &agents.Usage{Input: r.req.Tokens()}})
	case "broken block":
		r.answer(strings.Replace(text, "```json", "```json\n{\"position\": ", 1), last)
	case "uncounted":
		last.Usage = nil
		r.answer(text, last)
	case "other side":
		r.answer(strings.NewReplacer(`"vote": "yes"`, `"vote": "no"`, `"vote":"yes"`, `"vote":"no"`).Replace(text), last)
	case "asks", "asks twice", "junk call", "looks up":
		r.calls(mood)
	case "panics":
		panic(defect{})
	default:
		r.answer(text, last)
	}
}

// script returns what the demo's panel answers.
func (r *reply) script() (text string, last agents.Chunk) {
	for c := range (demo.Provider{}).Stream(context.Background(), r.req) {
		text += c.Text
		if c.Finish != "" {
			last = c
		}
	}
	if len(last.Calls) > 0 && (len(r.req.Tools) == 0 || r.req.ToolChoice == agents.ToolChoiceNone) {
		last.Calls, last.Finish = nil, agents.FinishStop
	}
	if text == "" && len(last.Calls) == 0 {
		text = "So it is."
	}
	return text, last
}

// part returns the beginning of a text, in whole characters.
func part(text string, n, of int) string { return strings.ToValidUTF8(text[:n*len(text)/of], "") }

// answer streams an answer in a few pieces.
func (r *reply) answer(text string, last agents.Chunk) {
	half := strings.Index(text, " ") + 1
	r.send(agents.Chunk{Text: text[:half], Reasoning: "Hm. "})
	if r.p.w.percent(30) {
		r.sleep(250 * time.Millisecond) // the journal is written
	}
	r.send(agents.Chunk{Text: text[half:]})
	r.send(last)
}

// retries repeats the request as a provider does by itself.
func (r *reply) retries(text string, last agents.Chunk) {
	failed := &agents.Failure{Kind: agents.KindBusy, Cause: "The server is busy.", Status: 503, Unprocessed: true}
	took := agents.Usage{}
	if r.p.w.pick(2) == 1 {
		took = agents.Usage{Input: r.req.Tokens(), Output: 5}
		failed = &agents.Failure{Kind: agents.KindTruncated, Cause: "The connection broke.", Usage: &took}
	}
	wait := oneOf(r.p.w.choices, 2*time.Second, 3*time.Minute)
	if !r.send(agents.Chunk{Event: agents.Retry{
		Cause: failed.Cause, Try: 1, Of: 2, In: wait, Until: time.Now().Add(wait), Failed: failed,
	}}) {
		return
	}
	r.call.usage = &took // all of it, if the process dies now
	if !r.sleep(wait) {
		if !r.p.gate.dead() { // told to stop, the program estimates
			r.call.usage = nil
		}
		return
	}
	r.p.w.resent(r.call)
	if !r.send(agents.Chunk{Event: agents.Queued{}}) {
		return
	}
	r.call.tries = 2
	if last.Usage == nil {
		r.answer(text, last)
		return
	}
	r.answer(text, last)
	if r.call.usage != nil {
		sum := r.call.usage.Add(took)
		r.call.usage = &sum
	}
}

// calls calls tools, or asks the user.
func (r *reply) calls(mood string) {
	ask := func(query, priority string) agents.ToolCall {
		args, _ := json.Marshal(map[string]string{"query": query, "reason": "it decides", "priority": priority}) //nolint:errchkjson // strings
		return agents.ToolCall{ID: "a", Name: agents.RequestContextName, Args: string(args)}
	}
	queries := []string{"How many writes per second?", "What does it cost a year?", "How many writes do you have per second?", "Who is on call?"}
	var all []agents.ToolCall
	switch w := r.p.w; mood {
	case "asks":
		all = append(all, ask(queries[w.pick(len(queries))], oneOf(w.choices, "required", "optional")))
	case "asks twice":
		all = append(all, ask(queries[w.pick(len(queries))], "required"), ask(queries[w.pick(len(queries))], "optional"))
	case "junk call":
		all = append(all, agents.ToolCall{ID: "j", Name: r.req.Tools[w.pick(len(r.req.Tools))].Name, Args: oneOf(w.choices, "{", `{"path": 7}`, "null")})
	default:
		name := r.req.Tools[w.pick(len(r.req.Tools))].Name
		args := `{"id": "F1", "from": 1, "to": 9, "query": "cost", "text": "year", "claim": "It costs.", "reason": "it decides"}`
		all = append(all, agents.ToolCall{ID: "l", Name: name, Args: args})
	}
	r.send(agents.Chunk{Text: "Let me see. "})
	r.send(agents.Chunk{Finish: agents.FinishToolCalls, Calls: all, Usage: &agents.Usage{Input: r.req.Tokens(), Output: 20}})
}

// sleep lets time pass, and reports whether the reader still waits.
func (r *reply) sleep(d time.Duration) bool {
	if r.gone {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.ctx.Done():
		r.gone = true
		r.yield(agents.Chunk{}, r.ctx.Err())
		return false
	}
}

// hashOf identifies what a request sends.
func hashOf(req agents.Request) [32]byte {
	raw, err := json.Marshal(req)
	if err != nil {
		panic(err)
	}
	return sha256.Sum256(raw)
}

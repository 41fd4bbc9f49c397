package agents_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"roundtable/agents"
)

func TestSpeak_neverTakesAPartForAnAnswer(t *testing.T) {
	const estimated = -1 // what the request is estimated to be
	ends := func(c ...agents.Chunk) scriptedCompletion { return scriptedCompletion{chunks: c} }
	busy := &agents.Failure{Kind: agents.KindBusy, Cause: "Overloaded.", Remedy: "Try later."}
	refused := &agents.Failure{Kind: agents.KindBusy, Cause: "Too many requests.", Unprocessed: true}
	for _, c := range []struct {
		name  string
		act   scriptedCompletion
		kind  agents.Kind
		usage agents.Usage
	}{
		{"nothing", ends(agents.Chunk{Finish: agents.FinishStop}), agents.KindEmpty, agents.Usage{Input: estimated, Estimated: true}},
		{
			"white space", ends(agents.Chunk{Text: " \n"}, agents.Chunk{Finish: agents.FinishStop}), agents.KindEmpty,
			agents.Usage{Input: estimated, Output: 2, Estimated: true},
		},
		{
			"nothing that is visible", ends(agents.Chunk{Text: "\u2800\u200b\u3164\u00a0\ufe0f\u0301\n"}, agents.Chunk{Finish: agents.FinishStop, Usage: &agents.Usage{Input: 9, Output: 6}}),
			agents.KindEmpty,
			agents.Usage{Input: 9, Output: 6},
		},
		{
			"only reasoning",
			ends(
				agents.Chunk{Reasoning: "Hm."},
				agents.Chunk{Finish: agents.FinishStop, Usage: &agents.Usage{Input: 9, Output: 9, Reasoning: 9}},
			),
			agents.KindEmpty,
			agents.Usage{Input: 9, Output: 9, Reasoning: 9},
		},
		{
			"only reasoning, up to the limit",
			ends(agents.Chunk{Reasoning: "Hm."}, agents.Chunk{Finish: agents.FinishLength, Usage: &agents.Usage{Input: 9}}),
			agents.KindEmpty,
			agents.Usage{Input: 9, Output: 2, Reasoning: 2, Estimated: true},
		},
		{"no finish", ends(agents.Chunk{Text: "half an ans"}), agents.KindTruncated, agents.Usage{Input: estimated, Output: 3, Estimated: true}},
		{"no finish, nothing at all", ends(), agents.KindTruncated, agents.Usage{Input: estimated, Estimated: true}},
		{
			"cut stream",
			scriptedCompletion{[]agents.Chunk{{Text: "half"}}, &agents.Failure{Kind: agents.KindTruncated, Cause: "The answer was cut off."}},
			agents.KindTruncated,
			agents.Usage{Input: estimated, Output: 1, Estimated: true},
		},
		{
			"length amid a call",
			ends(agents.Chunk{Finish: agents.FinishLength, Calls: []agents.ToolCall{call("x", "look", `{"n`)}}),
			agents.KindLimit,
			agents.Usage{Input: estimated, Output: 15, Estimated: true},
		},
		{
			"filter", ends(agents.Chunk{Text: "I will"}, agents.Chunk{Finish: agents.FinishFilter}), agents.KindFilter,
			agents.Usage{Input: estimated, Output: 2, Estimated: true},
		},
		{
			"error as a finish", ends(agents.Chunk{Text: "I will"}, agents.Chunk{Finish: agents.FinishError}),
			agents.KindBusy,
			agents.Usage{Input: estimated, Output: 2, Estimated: true},
		},
		{"failure of the provider", scriptedCompletion{err: fmt.Errorf("send: %w", busy)}, agents.KindBusy, agents.Usage{Input: estimated, Estimated: true}},
		{"refused by its status", scriptedCompletion{err: refused}, agents.KindBusy, agents.Usage{}},
		{"any other error", scriptedCompletion{err: errors.New("boom")}, agents.KindInternal, agents.Usage{Input: estimated, Estimated: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &scriptedProvider{completions: []scriptedCompletion{c.act}}
			s := speak(t, e, nil)
			if c.usage.Input == estimated {
				c.usage.Input = e.sent[0].Tokens()
			}
			f := failure(t, s.err)
			if f.Kind != c.kind || f.Cause == "" {
				t.Errorf("failed for %s: %q, want %s", f.Kind, f.Cause, c.kind)
			}
			if s.reply.Text != "" || len(e.sent) != 1 {
				t.Errorf("the reply has the text %q after %d requests", s.reply.Text, len(e.sent))
			}
			if s.usage() != c.usage {
				t.Errorf("usage = %+v, want %+v", s.usage(), c.usage)
			}
			broken, ok := s.seen[len(s.seen)-1].(agents.Broken)
			if !ok || broken.Failure != f || broken.Usage != c.usage {
				t.Errorf("the last thing observed is %+v", s.seen[len(s.seen)-1])
			}
		})
	}
}

func TestSpeak_takesATextThatWasCutAtTheLimitAndSaysSo(t *testing.T) {
	cut := scriptedCompletion{chunks: []agents.Chunk{{Text: "Long"}, {Finish: agents.FinishLength}}}
	s := speak(t, &scriptedProvider{completions: []scriptedCompletion{cut}}, nil)
	if s.err != nil || s.reply.Text != "Long" || s.reply.Finish != agents.FinishLength {
		t.Errorf("reply = %+v, %v", s.reply, s.err)
	}
}

func TestSpeak_estimatesUsageWhereTheServerSaysNothing(t *testing.T) {
	for _, said := range []*agents.Usage{nil, {}} {
		silent := calls(call("x", "look", "12345678"))
		silent.chunks[1].Usage = said
		e := &scriptedProvider{completions: []scriptedCompletion{silent, text("Done.")}}
		s := speak(t, e, newKit())
		at := slices.IndexFunc(s.seen, func(p agents.Progress) bool { _, is := p.(agents.Completed); return is })
		first, ok := s.seen[at].(agents.Completed)
		if !ok {
			t.Fatal("no completion was observed")
		}
		u := first.Completion.Usage
		if u.Input != e.sent[0].Tokens() || u.Output < agents.Tokens("12345678") || !u.Estimated || !s.usage().Estimated {
			t.Errorf("a server that says %+v: usage = %+v", said, u)
		}
	}
}

func TestSpeak_countsTheLastTryAlone(t *testing.T) {
	took, last := &agents.Usage{Input: 7, Output: 3}, &agents.Usage{Input: 8, Output: 4}
	silent := &agents.Failure{Kind: agents.KindSilence, Cause: "It fell silent.", Remedy: "Raise idle.", Usage: took}
	retry := agents.Chunk{Event: agents.Retry{Cause: "It broke off.", Try: 2, Of: 3, Failed: silent}}
	again := agents.Chunk{Event: agents.Retry{Cause: "Busy.", Try: 1, Of: 3}}
	refused := &agents.Failure{Kind: agents.KindFilter, Cause: "It refuses.", Usage: last}
	ends := agents.Chunk{Finish: agents.FinishStop, Usage: last}
	for name, c := range map[string]struct {
		act   scriptedCompletion
		usage *agents.Usage
	}{
		"answered at last":    {scriptedCompletion{chunks: []agents.Chunk{again, retry, {Text: "Yes."}, ends}}, last},
		"failed at last":      {scriptedCompletion{[]agents.Chunk{retry, {Text: "I'm sorry"}}, refused}, last},
		"broken off at last":  {scriptedCompletion{[]agents.Chunk{again, {Text: "Ye"}}, silent}, took},
		"empty after retries": {scriptedCompletion{chunks: []agents.Chunk{retry, ends}}, last},
	} {
		t.Run(name, func(t *testing.T) {
			s := speak(t, &scriptedProvider{completions: []scriptedCompletion{c.act}}, nil)
			_, done := s.seen[len(s.seen)-1].(agents.Completed)
			if s.usage() != *c.usage || done != (name == "answered at last") {
				t.Errorf("the last try took %+v, want %+v; the last thing observed is %+v", s.usage(), c.usage, s.seen[len(s.seen)-1])
			}
			if done {
				if s.err != nil || s.reply.Text != "Yes." || s.kinds() != "Sending Retry Retry Text Completed" {
					t.Errorf("reply = %+v, %v after %s", s.reply, s.err, s.kinds())
				}
				return
			}
			if f := failure(t, s.err); name == "broken off at last" && f != silent {
				t.Errorf("failed for %+v", f)
			}
		})
	}
}

func TestSpeak_saysWhetherARequestThatBrokeTookAnything(t *testing.T) {
	for _, cancelled := range []bool{false, true} {
		for _, unprocessed := range []bool{false, true} {
			ctx, cancel := context.WithCancel(t.Context())
			busy := &agents.Failure{Kind: agents.KindBusy, Unprocessed: unprocessed}
			e := &scriptedProvider{completions: []scriptedCompletion{{err: busy}}}
			var broken agents.Broken
			_, err := ada(e).Speak(ctx, turn, prompt, nil, func(p agents.Progress) error {
				if cancelled {
					cancel()
				}
				if p, ok := p.(agents.Broken); ok {
					broken = p
				}
				return nil
			})
			took := busy.Took(e.sent[0].Tokens())
			if err == nil || broken.Failure == nil || !cancelled && broken.Failure.Unprocessed != unprocessed || broken.Usage != took {
				t.Errorf("cancelled %t, unprocessed %t: %v %+v", cancelled, unprocessed, err, broken)
			}
			cancel()
		}
	}
}

func TestSpeak_saysHowLongAPromptIsThatDoesNotFit(t *testing.T) {
	long := &agents.Failure{Kind: agents.KindTooLong, Cause: "It does not fit.", Remedy: "Set context_window."}
	for window, says := range map[int]string{0: "the seat's context_window is not set.", 8192: "the seat's context_window is 8192."} {
		e := &scriptedProvider{completions: []scriptedCompletion{{err: long}}}
		a := ada(e)
		a.ContextWindow = window
		_, err := a.Speak(t.Context(), turn, prompt, nil, func(agents.Progress) error { return nil })
		want := fmt.Sprintf("It does not fit. The prompt has about %d tokens; %s Set context_window.", e.sent[0].Tokens(), says)
		if err == nil || err.Error() != want {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}

func TestFinish_notesWhateverIsNoPlainEnd(t *testing.T) {
	for finish, want := range map[agents.Finish]string{
		"": "", agents.FinishStop: "", "eos": `The server ended the answer with "eos".`, "function_call": `The server ended the answer with "function_call".`,
		agents.FinishLength: "Cut off at the token limit. A higher max_tokens allows a longer answer.",
	} {
		if got := finish.Note(); got != want {
			t.Errorf("%q: %q, want %q", finish, got, want)
		}
	}
}

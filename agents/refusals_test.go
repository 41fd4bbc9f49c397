package agents_test

import (
	"context"
	"fmt"
	"testing"

	"roundtable/agents"
)

// refusingKit refuses every question to the user.
type refusingKit struct {
	*kit
	refused int
}

func (k *refusingKit) Execute(context.Context, agents.Turn, string, agents.ToolCall) agents.ToolResult {
	k.refused++
	return agents.ToolResult{Status: agents.ToolError, Text: "The limit is 3."}
}

// A model that asks on after three refusals answers without tools; the calls of tools that
// are forbidden are never run.
func TestSpeak_aRefusedQuestionDoesNotFailTheTurn(t *testing.T) {
	t.Parallel()
	var answers []scriptedCompletion
	for i := range 3 {
		answers = append(answers, calls(call(fmt.Sprint(i), agents.RequestContextName, fmt.Sprintf(`{"query": "%d"}`, i))))
	}
	p := &scriptedProvider{completions: append(answers, text("So be it."))}
	k := &refusingKit{kit: newKit()}
	reply, err := agents.Agent{Profile: agents.Profile{ID: "ada"}, Client: p}.Speak(t.Context(), agents.Turn{Agent: "ada"},
		[]agents.Message{{Text: "Question"}}, k, func(agents.Progress) error { return nil })
	if err != nil || reply.Text != "So be it." || k.refused != 3 {
		t.Errorf("%q, %v after %d refusals", reply.Text, err, k.refused)
	}

	p = &scriptedProvider{completions: []scriptedCompletion{answers[0], text("So be it.")}}
	k = &refusingKit{kit: newKit()}
	reply, err = agents.Agent{Profile: agents.Profile{ID: "ada"}, Client: p, NoCalls: true}.Speak(t.Context(), agents.Turn{Agent: "ada"},
		[]agents.Message{{Text: "Question"}}, k, func(agents.Progress) error { return nil })
	if err != nil || reply.Text != "So be it." || k.refused != 0 || len(p.sent) != 2 || p.sent[0].ToolChoice != agents.ToolChoiceNone {
		t.Errorf("without calls: %q, %v, %d calls run, %d requests", reply.Text, err, k.refused, len(p.sent))
	}
}

// Blank signs alone are no answer, before a call either.
func TestSpeak_blankSignsBeforeACallAreNoAnswer(t *testing.T) {
	t.Parallel()
	blank := calls(call("1", "look", "{}"))
	blank.chunks[0].Text = "\u2800\u3164"
	p := &scriptedProvider{completions: []scriptedCompletion{blank, text("\u2800")}}
	_, err := agents.Agent{Profile: agents.Profile{ID: "ada"}, Client: p}.Speak(t.Context(), agents.Turn{Agent: "ada"},
		[]agents.Message{{Text: "Question"}}, newKit(), func(agents.Progress) error { return nil })
	if f := failure(t, err); f.Kind != agents.KindEmpty {
		t.Errorf("err = %v, want an empty answer", err)
	}
}

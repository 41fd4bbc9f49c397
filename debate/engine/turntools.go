package engine

import (
	"context"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// announceCalls announces the recorded tool calls of a completion.
func (tr *turnRecorder) announceCalls(called []debate.ToolRecord) {
	if len(called) > 0 {
		tr.emit(debate.ToolsCalled{Turn: tr.response.Turn, Tools: slices.Clone(called), At: tr.Now()})
	}
}

// addTool records a tool call amid an answer. What was written since the call before it
// is a passage of its own. The answer to a request for a block has no calls: its agent
// has none of our tools, and what it does with its own is no part of what is said.
func (tr *turnRecorder) addTool(ctx context.Context, p agents.Called) error {
	if tr.block != nil {
		return nil
	}
	if p.Text != "" || p.Reasoning != "" || len(tr.response.Passages) == 0 {
		tr.text.Reset()
		tr.reasoning.Reset()
		tr.journal.drop(tr.response.Turn)
		tr.response.Passages = append(tr.response.Passages, debate.Passage{Text: p.Text, Reasoning: p.Reasoning})
	}
	n := len(tr.response.Passages) - 1
	passage := &tr.response.Passages[n]
	tool := debate.ToolRecord{ID: p.ID, Name: p.Call.Name, Args: p.Call.Args, Own: p.Own, State: debate.ToolPending}
	passage.Tools = append(passage.Tools, tool)
	err := tr.Recorder.AddTool(ctx, tr.response.Turn, n, *passage, tool)
	if err := tr.checkStore("record a tool call", err); err != nil {
		return err
	}
	tr.announceCalls([]debate.ToolRecord{tool})
	return nil
}

// toolRecord returns the record of a tool call of the turn.
func (tr *turnRecorder) toolRecord(id string) *debate.ToolRecord {
	for i := range tr.response.Passages {
		for j := range tr.response.Passages[i].Tools {
			if t := &tr.response.Passages[i].Tools[j]; t.ID == id {
				return t
			}
		}
	}
	return &debate.ToolRecord{ID: id}
}

func (tr *turnRecorder) toolStarted(ctx context.Context, p agents.ToolStarted) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if tr.block != nil {
		return nil
	}
	t := tr.toolRecord(p.ID)
	t.State, t.Began = debate.ToolRunning, tr.Now()
	if err := tr.checkStore("record a tool's start", tr.Recorder.StartTool(context.WithoutCancel(ctx), tr.response.Turn,
		t.ID, t.Began)); err != nil {
		return err
	}
	tr.emit(debate.ToolStarted{Turn: tr.response.Turn, Tool: *t, At: t.Began})
	return nil
}

func (tr *turnRecorder) toolDone(ctx context.Context, p agents.ToolDone) error {
	if tr.block != nil {
		return nil
	}
	t := tr.toolRecord(p.ID)
	t.State, t.Result, t.Took = debate.ToolDone, p.Result, p.Took
	if t.Own { // the agent may have told more of it meanwhile
		t.Name, t.Args = p.Call.Name, p.Call.Args
	}
	if err := tr.checkStore("record a tool's result", tr.Recorder.EndTool(ctx, tr.response.Turn, *t)); err != nil {
		return err
	}
	tr.emit(debate.ToolEnded{Turn: tr.response.Turn, Tool: *t, At: tr.Now()})
	return nil
}

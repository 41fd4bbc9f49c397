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
	t := tr.toolRecord(p.ID)
	t.State, t.Result, t.Took = debate.ToolDone, p.Result, p.Took
	if err := tr.checkStore("record a tool's result", tr.Recorder.EndTool(ctx, tr.response.Turn, *t)); err != nil {
		return err
	}
	tr.emit(debate.ToolEnded{Turn: tr.response.Turn, Tool: *t, At: tr.Now()})
	return nil
}

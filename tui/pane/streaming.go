package pane

import (
	"slices"
	"time"

	"roundtable/debate"
)

// appendText adds a piece of text or reasoning. It reports whether the piece began a
// new block.
func (a *attempt) appendText(ev debate.Text) bool {
	a.responding = true
	if ev.Reasoning {
		b := a.findBlock(blockID{kind: kindReasoning, passage: ev.Passage})
		isNew := b == nil
		if isNew {
			b = a.insertBeforeText(blockID{kind: kindReasoning, passage: ev.Passage}, newReasoning())
		}
		b.content.(*reasoningBlock).write(ev.Text)
		b.valid = false
		return isNew
	}
	a.endReasoning()
	b := a.findBlock(blockID{kind: kindText, passage: ev.Passage})
	isNew := b == nil
	if isNew {
		a.addBlock(blockID{kind: kindText, passage: ev.Passage}, &textBlock{})
		b = a.blocks[len(a.blocks)-1]
	}
	b.content.(*textBlock).write(ev.Text)
	b.valid = false
	return isNew
}

// insertBeforeText adds a block, before the text of its passage if that has begun.
func (a *attempt) insertBeforeText(n blockID, c content) *block {
	a.addBlock(n, c)
	b := a.blocks[len(a.blocks)-1]
	i := slices.IndexFunc(a.blocks, func(o *block) bool { return o.kind == kindText && o.passage == n.passage })
	if i >= 0 {
		a.blocks = slices.Insert(a.blocks[:len(a.blocks)-1], i, b)
	}
	return b
}

// endReasoning marks the reasoning so far as finished.
func (a *attempt) endReasoning() {
	for _, b := range a.blocks {
		if t, ok := b.content.(*reasoningBlock); ok && t.running {
			t.running, b.valid = false, false
		}
	}
}

// markWorking fades the text of the current passage: a tool call follows, so it is no
// statement.
func (a *attempt) markWorking() {
	a.endReasoning()
	for _, b := range a.blocks {
		if t, ok := b.content.(*textBlock); ok && t.tone == toneStatement {
			t.tone, b.valid = toneWorking, false
		}
	}
}

// setWaiting shows whether a tool call waits until the user decides on its command. The
// time of the wait is not a part of how long it runs.
func (a *attempt) setWaiting(call string, on bool, at time.Time) {
	if a == nil {
		return
	}
	if b := a.findBlock(blockID{kind: kindTool, call: call}); b != nil {
		if t, ok := b.content.(*toolBlock); ok {
			t.waiting, b.valid = on, false
			if at.After(t.began) {
				t.began = at
			}
		}
	}
}

// asksToRun reports whether a tool call waits until the user decides on its command.
func (a *attempt) asksToRun() bool {
	return slices.ContainsFunc(a.blocks, func(b *block) bool {
		t, ok := b.content.(*toolBlock)
		return ok && t.waiting
	})
}

// addCalls adds tool calls that wait for their turn.
func (a *attempt) addCalls(calls []debate.ToolRecord) {
	if a == nil {
		return
	}
	a.markWorking()
	for _, t := range calls {
		a.setTool(t)
	}
}

// setTool adds a tool call or updates it.
func (a *attempt) setTool(r debate.ToolRecord) {
	a.responding = true
	n := blockID{kind: kindTool, call: r.ID}
	if b := a.findBlock(n); b != nil {
		b.content, b.valid = newTool(a, r), false
		return
	}
	a.addBlock(n, newTool(a, r))
}

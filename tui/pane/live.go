package pane

import (
	"slices"

	"roundtable/debate"
)


// write appends a piece of text or reasoning to the attempt, and reports whether
// a new block began with it.
func (a *attempt) write(ev debate.Text) bool {
	a.spoke = true
	if ev.Reasoning {
		b := a.block(name{kind: aThought, passage: ev.Passage})
		begun := b == nil
		if begun {
			b = a.insert(name{kind: aThought, passage: ev.Passage}, newThought())
		}
		b.content.(*thought).write(ev.Text)
		b.fresh = false
		return begun
	}
	a.endThought()
	b := a.block(name{kind: aText, passage: ev.Passage})
	begun := b == nil
	if begun {
		a.add(name{kind: aText, passage: ev.Passage}, &text{})
		b = a.blocks[len(a.blocks)-1]
	}
	b.content.(*text).write(ev.Text)
	b.fresh = false
	return begun
}

// insert adds a block before the text of its passage.
func (a *attempt) insert(n name, c content) *block {
	a.add(n, c)
	b := a.blocks[len(a.blocks)-1]
	i := slices.IndexFunc(a.blocks, func(o *block) bool { return o.kind == aText && o.passage == n.passage })
	if i >= 0 {
		a.blocks = slices.Insert(a.blocks[:len(a.blocks)-1], i, b)
	}
	return b
}

// endThought says that reasoning is over for now.
func (a *attempt) endThought() {
	for _, b := range a.blocks {
		if t, ok := b.content.(*thought); ok && t.open {
			t.open, b.fresh = false, false
		}
	}
}

// work makes what was said in this passage working text: a tool is called next.
func (a *attempt) work() {
	a.endThought()
	for _, b := range a.blocks {
		if t, ok := b.content.(*text); ok && t.tone == statement {
			t.tone, b.fresh = working, false
		}
	}
}

// tool shows a call as its record has it now.
func (a *attempt) tool(r debate.ToolRecord) {
	a.spoke = true
	n := name{kind: aTool, call: r.ID}
	if b := a.block(n); b != nil {
		b.content, b.fresh = newTool(a, r), false
		return
	}
	a.add(n, newTool(a, r))
}

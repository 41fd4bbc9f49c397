package pane

import (
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate/control"
	"roundtable/internal/text"
	"roundtable/tui/textview"
)

// Place is an occurrence of a text in the transcript.
type Place struct {
	Turn  agents.Turn
	block control.BlockID
	n     int // among those of the block, from 0
}

// Places returns where a text occurs in what the pane shows in words, from the beginning, at most
// a number of places. Case, line breaks and the marks of bold and code do not matter.
func (p *Pane) Places(words string, most int) []Place {
	wanted := plainText(words)
	if wanted == "" {
		return nil
	}
	p.listBlocks()
	var out []Place
	for _, b := range p.blocks {
		for n := range min(strings.Count(plainText(p.words(b)), wanted), most-len(out)) {
			out = append(out, Place{b.Turn, b.BlockID, n})
		}
	}
	return out
}

func (p *Pane) words(b *block) string {
	switch b.Kind {
	case control.BlockText, control.BlockPosition:
		return b.Words.String() + b.Words.Tail()
	case control.BlockTool:
		return p.toolWords(b)
	case control.BlockHeading:
		told := text.Each(p.seat.Told(b.Turn.Round), func(said control.Said) string { return said.Text })
		return strings.Join(told, "\n")
	case control.BlockDivider, control.BlockReasoning, control.BlockSide, control.BlockEnding: // no words of their own
	}
	return ""
}

func (p *Pane) toolWords(b *block) string {
	a, ok := p.seat.Asking(b.Call)
	switch {
	case ok && a.Again:
		return ""
	case !ok:
		return title(b.Tool) + "\n" + safeLine(b.Tool.Result.Summary)
	}
	shown := "asks " + a.ID + "\n" + safeLine(a.Request.Query)
	if a.Blocks() {
		shown += "\n" + safeLine(a.Ask.Reason)
	}
	if answer, ok := a.Answer(); ok && p.details {
		shown += "\n" + text.Line(answer.Content)
	}
	return shown
}

// plainText returns text as a search compares it.
func plainText(s string) string {
	if strings.ContainsAny(s, "*`") {
		s = strings.NewReplacer("*", "", "`", "").Replace(s)
	}
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}

// ShowDetails shows reasoning, the arguments and results of tools, and answers to questions.
func (p *Pane) ShowDetails() {
	if !p.details {
		p.ToggleTools()
	}
}

// Mark highlights a text wherever it is shown. An empty text highlights nothing.
func (p *Pane) Mark(words string) {
	p.query = textview.NewQuery(plainText(text.Line(words)))
	p.invalidate()
}

// ShowPlace scrolls so that a place of the marked text is a third down the pane.
func (p *Pane) ShowPlace(at Place) {
	f := p.lastFrame()
	i := slices.IndexFunc(p.blocks, func(b *block) bool { return b.BlockID == at.block })
	if i < 0 { // the turn was asked again
		p.ShowRound(at.Turn.Round)
		return
	}
	line := f.gapBefore(i)
	if found := p.query.Matches(allLines(f.lines(p.blocks[i]))); len(found) > 0 {
		line += found[min(at.n, len(found)-1)][0].Line
	}
	i, line = f.step(i, line, -(p.h-2)/3)
	f.scrollTo(i, line)
}

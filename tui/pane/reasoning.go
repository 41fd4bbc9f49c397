package pane

import (
	"github.com/charmbracelet/x/ansi"

	"roundtable/internal/text"
)

// reasoningBlock shows the model's reasoning, as one line until details are asked for.
type reasoningBlock struct {
	stopwatch
	body   textBlock
	tokens int // as reported by the server; 0 to estimate from the text
}

// newReasoning returns a block for reasoning that is still streaming.
func newReasoning() *reasoningBlock {
	return &reasoningBlock{stopwatch: stopwatch{running: true}, body: textBlock{tone: toneWorking}}
}

// write adds the next piece as it arrives.
func (t *reasoningBlock) write(piece string) { t.body.shown.WriteString(t.body.safe.write(piece)) }

func (t *reasoningBlock) timeKey(f frame) int64 { return int64(t.elapsed(f.now).Seconds()) }

func (t *reasoningBlock) draw(f frame) lazyLines {
	words := "+ thought"
	if t.running {
		words = "+ thinking"
	}
	if d := t.elapsed(f.now); d > 0 {
		words += " " + text.Duration(d) + " " + f.th.Symbols.Sep
	}
	count := t.tokens
	if count == 0 {
		count = t.body.safe.count()
	}
	head := f.th.Faint.Render(ansi.Truncate(words+" "+text.Tokens(count), f.width, f.th.Symbols.Cut))
	if !f.details {
		return eagerLines{head}
	}
	return headedLines{[]string{head}, t.body.draw(f)}
}

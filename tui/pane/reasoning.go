package pane

import (
	"github.com/charmbracelet/x/ansi"
)

// thought stands for reasoning, which is folded until details are asked for.
type reasoningBlock struct {
	stopwatch
	body   textBlock
	tokens int // as the server counted them; 0: count the text
}

// newThought returns reasoning that goes on.
func newReasoning() *reasoningBlock { return &reasoningBlock{stopwatch: stopwatch{running: true}, body: textBlock{tone: toneWorking}} }

// write takes the next piece as it comes off the wire.
func (t *reasoningBlock) write(piece string) { t.body.shown.WriteString(t.body.safe.write(piece)) }

func (t *reasoningBlock) timeKey(f frame) int64 { return int64(t.elapsed(f.now).Seconds()) }

func (t *reasoningBlock) draw(f frame) lazyLines {
	words := "+ thought"
	if t.running {
		words = "+ thinking"
	}
	if d := t.elapsed(f.now); d > 0 {
		words += " " + formatDuration(d) + " " + f.th.Symbols.Sep
	}
	count := t.tokens
	if count == 0 {
		count = t.body.safe.count()
	}
	head := f.th.Faint.Render(ansi.Truncate(words+" "+formatTokens(count), f.width, f.th.Symbols.Cut))
	if !f.details {
		return eagerLines{head}
	}
	return headedLines{[]string{head}, t.body.draw(f)}
}

package pane

import (
	"github.com/charmbracelet/x/ansi"
)

// thought stands for reasoning, which is folded until details are asked for.
type thought struct {
	span
	body   text
	tokens int // as the server counted them; 0: count the text
}

// newThought returns reasoning that goes on.
func newThought() *thought { return &thought{span: span{open: true}, body: text{tone: working}} }

// write takes the next piece as it comes off the wire.
func (t *thought) write(piece string) { t.body.shown.WriteString(t.body.in.write(piece)) }

func (t *thought) stamp(f frame) int64 { return int64(t.lasted(f.now).Seconds()) }

func (t *thought) draw(f frame) sheet {
	words := "+ thought"
	if t.open {
		words = "+ thinking"
	}
	if d := t.lasted(f.now); d > 0 {
		words += " " + took(d) + " " + f.th.Symbols.Sep
	}
	count := t.tokens
	if count == 0 {
		count = t.body.in.counted()
	}
	head := f.th.Faint.Render(ansi.Truncate(words+" "+tokens(count), f.width, f.th.Symbols.Cut))
	if !f.details {
		return rows{head}
	}
	return headed{[]string{head}, t.body.draw(f)}
}

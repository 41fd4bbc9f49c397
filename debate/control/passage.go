package control

import (
	"cmp"
	"strings"

	"roundtable/agents"
	"roundtable/debate/statement"
	"roundtable/internal/text"
)

// Passage is a text that may still grow, made safe.
type Passage struct {
	whole     string // that was complete from the start; it may be large and is not copied
	grown     strings.Builder
	safe      text.Stream
	prose     statement.ProseStream
	reasoning bool // it has no structured part that is left out
	tokens    tokens
}

// storedWords returns a complete text without its structured part, which a statement no longer has.
func storedWords(words string, tone Tone) string {
	words = strings.TrimSpace(text.Sanitize(words))
	if tone != ToneStatement {
		words = statement.HideStructuredPart(words)
	}
	return words
}

func (w *Passage) write(piece string) {
	w.tokens.add(piece)
	piece = w.safe.Write(piece)
	if !w.reasoning {
		piece = w.prose.Write(piece)
	}
	w.grown.WriteString(piece)
}

// String returns the text. What is added to it leaves what it had as it is.
func (w *Passage) String() string { return cmp.Or(w.whole, w.grown.String()) }

// Tail returns what follows the text, which the next piece may still change.
func (w *Passage) Tail() string {
	if w.reasoning {
		return w.safe.Peek()
	}
	return w.prose.Peek(w.safe.Peek())
}

// Blank reports whether there is nothing to show.
func (w *Passage) Blank() bool { return strings.TrimSpace(w.String()) == "" && w.Tail() == "" }

// Tokens estimates how many tokens the text has.
func (w *Passage) Tokens() int {
	if w.whole != "" {
		return agents.Tokens(w.whole)
	}
	return w.tokens.count()
}

type tokens struct {
	sum     int    // of the text before pending
	pending string // the end of the text; its last word may be incomplete
}

const maxPending = 256

func (c *tokens) add(piece string) {
	c.pending += piece
	if len(c.pending) < maxPending {
		return
	}
	cut := strings.LastIndexAny(c.pending, " \n")
	if cut <= 0 { // no word boundary
		cut = len(c.pending)
	}
	c.sum += agents.Tokens(c.pending[:cut])
	c.pending = c.pending[cut:]
}

func (c *tokens) count() int { return c.sum + agents.Tokens(c.pending) }

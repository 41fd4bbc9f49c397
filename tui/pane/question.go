package pane

import (
	"roundtable/agents"
	"roundtable/internal/text"
)

// question is the question of the debate, as it was asked. It stands above round 1.
type question struct{ static }

func (question) draw(f frame) lazyLines {
	return eagerLines(f.labelled("Question ", text.Sanitize(f.session.Topic), ""))
}

// questionBlock returns the block of the question, which is made once; nil if there is
// no question.
func (p *Pane) questionBlock() *block {
	if p.asked == nil && p.session.Topic != "" {
		p.asked = &block{blockID: blockID{kind: kindQuestion, turn: agents.Turn{Round: 1}}, content: question{}}
	}
	return p.asked
}

package linear

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"strings"

	"roundtable/internal/headless"
	"roundtable/internal/text"
)

// fork makes a new debate from an earlier round of the open one, and goes on there.
func (p *Program) fork(ctx context.Context, arg string) error {
	s := p.open
	words := strings.FieldsFunc(strings.ToUpper(arg), func(r rune) bool { return r == ' ' || r == ',' })
	round, err := 0, errors.New("no round")
	if len(words) > 0 {
		round, err = strconv.Atoi(words[0])
	}
	if err != nil {
		p.say("Give the last round to keep, such as /fork 1; /fork 0 starts over. Answers that were sent with later rounds are asked "+
			"for again unless you name them: /fork %d C1.", max(len(s.History)-1, 0))
		return nil
	}
	forked, err := p.Fork(ctx, s.Session, round, words[1:])
	if err != nil {
		return p.reported(err)
	}
	if err := p.leave(); err != nil {
		return err
	}
	opened, err := p.Store.Open(ctx, forked.ID)
	if err != nil {
		return err
	}
	p.show(opened, false)
	p.open.paused = true
	if len(opened.Unanswered()) > 0 {
		p.open.paused = false // it asks before it starts
	}
	return nil
}

// export writes the debate to a file in the current folder.
func (p *Program) export(ctx context.Context, arg string) error {
	path, err := p.Export(ctx, p.open.Session, p.open.running(), strings.ToLower(cmp.Or(arg, "md")))
	if err != nil {
		return p.reported(err)
	}
	p.say("Wrote %s.", text.Line(path))
	return nil
}

// transcript writes the whole debate as it is stored.
func (p *Program) transcript(ctx context.Context, _ string) error {
	stored, err := p.Store.Session(ctx, p.open.ID)
	if err != nil {
		return p.reported(err)
	}
	headless.NewTextReporter(p.out, false).Transcript(stored)
	return nil
}

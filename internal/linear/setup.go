package linear

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/text"
)

// newDebate asks what a new debate is about, and starts it. What is set is not asked for.
func (p *Program) newDebate(ctx context.Context, n NewDebate, begin bool) error {
	c, err := p.Setup.Choices(ctx)
	if err != nil {
		return err
	}
	for _, fault := range c.Faults {
		p.say("! %s", text.Line(fault))
	}
	if begin = begin && n.Topic != ""; begin {
		n.Mode = cmp.Or(n.Mode, c.Defaults.Mode)
		if n.Panel == "" && len(c.Panels) > 0 {
			n.Panel = c.Panels[0].Name
		}
	}
	for {
		if !begin {
			if err := (&form{p, c, &n}).askDebate(ctx); err != nil {
				return err
			}
		}
		wanted, err := p.Setup.Build(n)
		if err != nil {
			if begin {
				return err
			}
			p.say("! %s", sentence(err))
			n = NewDebate{Files: n.Files}
			continue
		}
		wanted.Evidence = n.Files
		if !begin {
			p.summarize(wanted)
			yes, err := p.confirm(ctx, "Start this debate?", "yes")
			if err != nil {
				return err
			}
			if !yes {
				return errBack
			}
		}
		s, err := p.Store.Create(ctx, wanted)
		if err != nil {
			return err
		}
		p.show(s, false)
		return p.play(ctx)
	}
}

// form asks for what a new debate is made of.
type form struct {
	*Program
	Choices
	n *NewDebate
}

// askDebate asks for what a new debate lacks. An empty line takes the default in
// brackets.
func (f *form) askDebate(ctx context.Context) (err error) {
	f.say("A new debate. An empty line takes what stands in brackets; /back goes to the list of debates.")
	for f.n.Topic == "" {
		if f.n.Topic, err = f.ask(ctx, "Topic: what should they debate?", f.Defaults.Topic); err != nil {
			return err
		}
		f.n.Topic, err = attach(ctx, f.Program, f.n.Topic, func(added []debate.Evidence) ([]debate.Evidence, error) {
			all, err := debate.AddEvidence(f.n.Files, added)
			if err == nil {
				f.n.Files = all
			}
			return all, err
		})
		if err != nil {
			return err
		}
	}
	if f.n.Mode == "" {
		if err := f.askMode(ctx); err != nil {
			return err
		}
	}
	if f.n.Panel == "" && len(f.Panels) > 0 {
		if err := f.askPanel(ctx); err != nil {
			return err
		}
	}
	if f.n.Rounds == 0 {
		if err := f.askRounds(ctx); err != nil {
			return err
		}
	}
	return f.askFiles(ctx)
}

// chosen returns the name that a number or a name of a list means; "" if it is none.
func chosen(said string, names []string) string {
	if i, err := strconv.Atoi(said); err == nil && i >= 1 && i <= len(names) {
		return names[i-1]
	}
	if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, said) }); i >= 0 {
		return names[i]
	}
	return ""
}

func (f *form) askMode(ctx context.Context) error {
	var names []string
	for i, m := range f.Modes {
		names = append(names, m.Name)
		f.say("  %d. %s: %s", i+1, text.Line(m.Name), text.Line(m.Summary))
	}
	for f.n.Mode == "" {
		said, err := f.ask(ctx, "Mode, by number or name:", f.Defaults.Mode)
		if err != nil {
			return err
		}
		if f.n.Mode = chosen(said, names); f.n.Mode == "" {
			f.say("There is no mode %q%s.", text.Label(said), text.DidYouMean(said, names))
		}
	}
	return nil
}

func (f *form) askPanel(ctx context.Context) error {
	var names []string
	for i, panel := range f.Panels {
		names = append(names, panel.Name)
		f.say("  %d. %s: %s", i+1, text.Line(panel.Name), text.Line(panel.Members))
	}
	for f.n.Panel == "" {
		said, err := f.ask(ctx, "Panel, by number or name:", names[0])
		if err != nil {
			return err
		}
		if f.n.Panel = chosen(said, names); f.n.Panel == "" {
			f.say("There is no panel %q%s.", text.Label(said), text.DidYouMean(said, names))
		}
	}
	return nil
}

func (f *form) askRounds(ctx context.Context) error {
	preset := f.Defaults.Rounds
	if i := slices.IndexFunc(f.Modes, func(m debate.Mode) bool { return m.Name == f.n.Mode }); i >= 0 {
		preset = cmp.Or(preset, f.Modes[i].Rounds)
	}
	for f.n.Rounds == 0 {
		said, err := f.ask(ctx, "Rounds:", strconv.Itoa(max(preset, 1)))
		if err != nil {
			return err
		}
		if k, err := strconv.Atoi(said); err == nil && k >= 1 && k <= debate.MaxRounds {
			f.n.Rounds = k
		} else {
			f.say("Rounds must be 1-%d.", debate.MaxRounds)
		}
	}
	return nil
}

// askFiles asks for files and folders until an empty line.
func (f *form) askFiles(ctx context.Context) error {
	for {
		path, err := f.ask(ctx, "A file or folder that they should read:", "none")
		if err != nil || path == "none" {
			return err
		}
		found, notices, err := f.Setup.Read(ctx, path)
		if err != nil {
			if errors.Is(err, context.Canceled) {
				return err
			}
			f.say("! %s", sentence(err))
			continue
		}
		for _, notice := range notices {
			f.say("! %s", text.Line(notice))
		}
		if len(notices) > 0 {
			yes, err := f.confirm(ctx, "Send it to every model of the panel?", "no")
			if err != nil {
				return err
			}
			if !yes {
				continue
			}
		}
		all, err := debate.AddEvidence(f.n.Files, found)
		if err != nil {
			f.say("! %s", sentence(err))
			continue
		}
		f.n.Files = all
		for _, e := range found {
			f.say("Added %s.", text.Line(e.Name))
		}
	}
}

// summarize writes what a debate is made of before it starts.
func (p *Program) summarize(s debate.Session) {
	p.say("Topic: %s", text.Line(s.Topic))
	line := fmt.Sprintf("Mode %s, %s.", text.Line(s.Mode.Name), text.Count(s.Rounds, "round"))
	if s.Budget.Capped() {
		line += fmt.Sprintf(" Budget %s.", s.Budget)
	}
	p.say("%s Forecast: %s. Goes to: %s.", line, budget.Estimate(s), p.recipients(s))
	for i, a := range s.Seats {
		p.say("  %d %s, %s, %s", i+1, text.Line(a.Name), text.Line(a.Model), text.Line(a.Provider))
	}
	for _, w := range s.RosterWarnings() {
		p.say("! %s", text.Line(w))
	}
}

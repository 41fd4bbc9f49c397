package linear

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/control"
	"roundtable/internal/text"
)

// maxListed is how many debates are listed at once.
const maxListed = 20

// home lists the debates and opens those that the user chooses.
func (p *Program) home(ctx context.Context) error {
	listed, err := p.list(ctx)
	for err == nil {
		var said string
		if said, err = p.askHome(ctx); err != nil {
			return err
		}
		word, rest, _ := strings.Cut(strings.TrimPrefix(said, "/"), " ")
		switch word {
		case "", "back":
			continue
		case "new", "n":
			err = p.newDebate(ctx, NewDebate{Plan: debate.Plan{Topic: strings.TrimSpace(rest)}}, false)
		case "list":
			listed, err = p.list(ctx)
			continue
		case "find":
			p.run(ctx, "sessions", "--search", rest)
			continue
		case "rename", "delete", "undelete", "outcome":
			if err = p.manage(ctx, listed, word, rest); err == nil {
				listed, err = p.list(ctx)
				continue
			}
		case "help":
			p.homeHelp()
			continue
		case "quit", "q":
			return errQuit
		default:
			err = p.openListed(ctx, listed, said)
		}
		if errors.Is(err, errQuit) {
			return err
		}
		if leaving := p.leave(); leaving != nil {
			return errors.Join(err, leaving)
		}
		if err != nil && !errors.Is(err, errBack) && !errors.Is(err, errCancelled) {
			p.say("! %s", sentence(err))
			err = nil
			continue
		}
		listed, err = p.list(ctx)
	}
	return err
}

// askHome returns what to do at the list. Its words may begin with a slash, as the commands
// of a debate do.
func (p *Program) askHome(ctx context.Context) (string, error) {
	p.out.held = true
	defer p.out.release()
	p.say("Open a debate by its number or id, or type new, list, find WORDS, help or quit.")
	p.out.write("> ")
	said, err := p.readLine(ctx)
	return strings.TrimSpace(said), err
}

// openListed opens the session that a number of the list or an id names.
func (p *Program) openListed(ctx context.Context, listed []debate.SessionSummary, said string) error {
	return p.enter(ctx, idOf(listed, said))
}

// idOf returns the id that a number of the list means, or what was typed.
func idOf(listed []debate.SessionSummary, said string) string {
	if n, err := strconv.Atoi(said); err == nil && n >= 1 && n <= len(listed) {
		return listed[n-1].ID
	}
	return said
}

// homeHelp says what can be done with the list.
func (p *Program) homeHelp() {
	p.say("  NUMBER or ID: open a debate\n  new: start a debate\n  list: list the debates, the last changed first\n" +
		"  find WORDS: list those whose name, id or texts have the words\n  rename A \"NAME\": give one another name\n" +
		"  delete A, undelete A: delete one, or bring it back\n  outcome A right|wrong|mixed|open: say how a verdict turned out\n" +
		"  quit: quit")
	p.say("A is a number of the list or an id. In a debate commands begin with a slash.")
}

// manage runs a command for a debate of the list.
func (p *Program) manage(ctx context.Context, listed []debate.SessionSummary, what, rest string) error {
	args, err := text.ParseCommand(what + " " + rest)
	if err != nil || len(args) < 2 {
		p.homeHelp()
		return nil
	}
	args[1] = idOf(listed, args[1])
	if what == "delete" {
		yes, err := p.confirm(ctx, fmt.Sprintf("Delete %s?", text.Label(args[1])), "no")
		if errors.Is(err, errCancelled) || err == nil && !yes {
			return nil
		}
		if err != nil {
			return err
		}
		args = append(args, "--yes")
	}
	p.run(ctx, args...)
	return nil
}

// list writes the debates, the last changed first.
func (p *Program) list(ctx context.Context) ([]debate.SessionSummary, error) {
	all, err := p.Store.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		p.say("No debates yet. new starts one.")
	}
	for i, s := range all[:min(len(all), maxListed)] {
		state := s.State().Word()
		if s.State() == debate.StateWaiting {
			state += fmt.Sprintf(", %d required", s.Required)
		}
		if now := time.Now(); s.WaitUntil.After(now) {
			state += ", " + debate.WaitText(now, s.WaitUntil)
		}
		if s.OffScript() {
			state += ", " + debate.OffScriptNote
		}
		p.say("%d. %s, %s, round %d of %d, %s, %s", i+1, s.Listed(), state, s.Round, s.Rounds,
			s.Updated.Local().Format("2006-01-02 15:04"), s.ID)
	}
	if more := len(all) - maxListed; more > 0 {
		p.say("%d more; find WORDS finds them.", more)
	}
	return all, nil
}

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
			if c.NoModel {
				return control.NoModel()
			}
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
		if f.n.Topic, err = f.ask(ctx, "Topic: what should they debate? @notes.md attaches a file.", f.Defaults.Topic); err != nil {
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
		return f.askRounds(ctx)
	}
	return nil
}

// choose asks for one of several, by number or name. They are read out where the user asks.
func (f *form) choose(ctx context.Context, what, preset string, names []string, about func(i int) string) (string, error) {
	for {
		said, err := f.ask(ctx, what+", by number or name; list reads them:", preset)
		if err != nil {
			return "", err
		}
		if i, err := strconv.Atoi(said); err == nil && i >= 1 && i <= len(names) {
			return names[i-1], nil
		}
		if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, said) }); i >= 0 {
			return names[i], nil
		}
		if said != "list" {
			f.say("There is no %s %q%s.", strings.ToLower(what), text.Label(said), text.DidYouMean(said, names))
			continue
		}
		for i, name := range names {
			f.say("  %d. %s: %s", i+1, text.Line(name), text.Line(about(i)))
		}
	}
}

func (f *form) askMode(ctx context.Context) (err error) {
	var names []string
	for _, m := range f.Modes {
		names = append(names, m.Name)
	}
	f.n.Mode, err = f.choose(ctx, "Mode", f.Defaults.Mode, names, func(i int) string { return f.Modes[i].Summary })
	return err
}

func (f *form) askPanel(ctx context.Context) (err error) {
	var names []string
	for _, panel := range f.Panels {
		names = append(names, panel.Name)
	}
	preset := names[0]
	if f.NoModel && f.n.Topic != f.Defaults.Topic { // the demo has no answer to it, so it is chosen by name
		preset = ""
	}
	f.n.Panel, err = f.choose(ctx, "Panel", preset, names, func(i int) string { return f.Panels[i].Members })
	return err
}

func (f *form) askRounds(ctx context.Context) error {
	preset, most := f.Defaults.Rounds, debate.MaxRounds
	if i := slices.IndexFunc(f.Modes, func(m debate.Mode) bool { return m.Name == f.n.Mode }); i >= 0 {
		most = f.Modes[i].MostRounds()
		preset = min(cmp.Or(preset, f.Modes[i].Rounds), most)
	}
	for f.n.Rounds == 0 {
		said, err := f.ask(ctx, "Rounds:", strconv.Itoa(max(preset, 1)))
		if err != nil {
			return err
		}
		if k, err := strconv.Atoi(said); err == nil && k >= 1 && k <= most {
			f.n.Rounds = k
		} else {
			f.say("Rounds must be 1-%d.", most)
		}
	}
	return nil
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
		p.say("  %d %s, %s, %s", i+1, text.Line(a.Name), text.Line(a.ModelName()), text.Line(a.Provider))
	}
	for _, w := range s.RosterNotes(func(provider string) bool {
		_, local := p.Recipient(provider)
		return local
	}) {
		p.say("! %s", text.Line(w))
	}
}

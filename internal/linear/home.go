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
	listed, err := p.list(ctx, "")
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
		case "list", "find":
			listed, err = p.list(ctx, rest)
			continue
		case "rename", "delete":
			listed, err = manage(ctx, p, listed, word, strings.Fields(rest))
			if err == nil {
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
		listed, err = p.list(ctx, "")
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
		"  find WORDS: list those whose name, id or texts have the words\n" +
		"  rename A NAME: give one another name\n  delete A: delete one\n  quit: quit")
	p.say("A is a number of the list or an id. In a debate commands begin with a slash.")
}

// manage renames or deletes debates, and returns the list as it is then.
func manage(ctx context.Context, p *Program, listed []debate.SessionSummary, what string, args []string) ([]debate.SessionSummary, error) {
	if want := map[string]int{"rename": 2, "delete": 1}[what]; len(args) < want || what != "rename" && len(args) > want {
		p.homeHelp()
		return listed, nil
	}
	id, err := p.Store.Resolve(ctx, idOf(listed, args[0]))
	if err != nil {
		return listed, p.reported(err)
	}
	switch what {
	case "rename":
		err = p.Store.Rename(ctx, id, strings.Join(args[1:], " "))
	default:
		name := id
		if i := slices.IndexFunc(listed, func(s debate.SessionSummary) bool { return s.ID == id }); i >= 0 {
			name = listed[i].Name()
		}
		var yes bool
		yes, err = p.confirm(ctx, fmt.Sprintf("Delete %q?", text.Label(name)), "no")
		if errors.Is(err, errCancelled) {
			return listed, nil
		}
		if errors.Is(err, errQuit) || err == nil && !yes {
			return listed, err
		}
		if err == nil {
			err = p.Store.Delete(ctx, id)
		}
		if err == nil {
			p.say("Deleted. `roundtable undelete %s` brings it back within a day.", id)
		}
	}
	if err != nil {
		return listed, p.reported(err)
	}
	return p.list(ctx, "")
}

// maxPlaces is how many places of a debate are listed in which a word was found.
const maxPlaces = 3

// list writes the debates whose names or texts have all of the words, the last changed
// first, and where their texts have them.
func (p *Program) list(ctx context.Context, words string) ([]debate.SessionSummary, error) {
	all, err := p.Store.Sessions(ctx)
	if err != nil {
		return nil, err
	}
	var places map[string][]string
	if words != "" {
		if places, err = p.Find(ctx, words); err != nil {
			return nil, err
		}
	}
	var found []debate.SessionSummary
	for _, s := range all {
		if _, hit := places[s.ID]; hit || matches(s, words) {
			found = append(found, s)
		}
	}
	switch {
	case len(all) == 0:
		p.say("No debates yet. new starts one.")
	case len(found) == 0:
		p.say("Nothing matches %q. list lists all.", text.Label(words))
	}
	for i, s := range found[:min(len(found), maxListed)] {
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
		for _, place := range places[s.ID][:min(len(places[s.ID]), maxPlaces)] {
			p.say("   %s", text.Line(place))
		}
	}
	if more := len(found) - maxListed; more > 0 {
		p.say("%d more; find WORDS finds them.", more)
	}
	return found, nil
}

// matches reports whether a session's name or id has all of the words.
func matches(s debate.SessionSummary, words string) bool {
	in := text.Fold(s.Name() + " " + s.Topic + " " + s.ID)
	for _, w := range strings.Fields(text.Fold(words)) {
		if !strings.Contains(in, w) {
			return false
		}
	}
	return true
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

// chosen returns the name that a number or a name of a list means; "" if it means none.
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
	preset := names[0]
	if f.NoModel && f.n.Topic != f.Defaults.Topic { // the demo has no answer to it, so it is chosen by name
		preset = ""
	}
	for f.n.Panel == "" {
		said, err := f.ask(ctx, "Panel, by number or name:", preset)
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
		p.say("  %d %s, %s, %s", i+1, text.Line(a.Name), text.Line(a.ModelName()), text.Line(a.Provider))
	}
	for _, w := range s.RosterNotes(func(provider string) bool {
		_, local := p.Recipient(provider)
		return local
	}) {
		p.say("! %s", text.Line(w))
	}
}

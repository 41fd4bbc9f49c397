package reader

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
	"roundtable/tui/screen"
	"roundtable/tui/theme"
)

// Choices is what a fork can change to.
type Choices struct {
	Models []agents.Profile
	Modes  []debate.Mode
	Panels []debate.Panel
}

// MakeFork asks the shell to fork the session and to open the fork.
type MakeFork struct{ Plan debate.ForkPlan }

// Fork lists what a fork of the debate can change: each row is one change, and enter makes the
// fork.
type Fork struct {
	*Reader
	session debate.Session
	choices Choices
	round   int               // after which the fork begins
	typed   map[string]string // texts that were not sent, by the label of their row
}

var _ screen.OfSession = (*Fork)(nil)

// NewFork returns the screen.
func NewFork(th *theme.Theme) *Fork {
	f := &Fork{typed: map[string]string{}}
	bind := screen.Bind
	f.Reader = New(th, Config{
		Name: "Fork", What: "change", Enter: "change", Rows: f.rows, Head: f.head,
		None:    "Nothing can change here: there is no other model, mode or panel.",
		Columns: []Column{{Title: "change", Width: 18}, {Title: "to"}, {Title: "now", From: 80}},
		More: []screen.Command{
			{
				Binding: bind("earlier", "[ ]", "another round"), Title: "Fork from the round before", Group: screen.Choosing,
				Hint: screen.Say("[ ] round"), Rank: 3, Why: f.noRound, Run: screen.Moves(f.turnRound, -1),
			},
			{
				Binding: bind("later", "", ""), Title: "Fork from the next round", Group: screen.Choosing,
				Why: f.noRound, Run: screen.Moves(f.turnRound, 1),
			},
		},
	})
	return f
}

// Open shows what a fork can change, first after the given round or, if that leaves no round
// to run, after the one before.
func (f *Fork) Open(round int, c Choices) {
	f.choices, f.round = c, max(0, min(round, f.last()))
	f.Begin()
}

// last returns the last round after which there are more to run.
func (f *Fork) last() int { return max(0, min(f.session.Ended(), f.session.Rounds-1)) }

// SetSession shows another session.
func (f *Fork) SetSession(s debate.Session) {
	f.session = s
	f.round = max(0, min(f.round, f.last()))
	f.Changed()
}

// Apply does nothing: a fork copies rounds that have ended.
func (f *Fork) Apply(debate.Event) {}

// Title names the screen and the session.
func (f *Fork) Title(screen.Frame) (left, right []theme.Part) {
	return []theme.Part{
		{Text: " Fork", Style: f.th.Accent},
		{Text: "   " + text.Line(f.session.Name()), Style: f.th.Muted, Cut: 1},
	}, nil
}

func (f *Fork) head(th *theme.Theme, width int, _ screen.Frame) []string {
	said := " " + f.begins(f.round) + " Change one thing:"
	return []string{"", th.Row([]theme.Part{{Text: said, Style: th.Text, Cut: 1}}, nil, width), ""}
}

func (f *Fork) begins(round int) string {
	rest := text.Count(f.session.Rounds-round, "round")
	if round == 0 {
		return fmt.Sprintf("From the start: %s to run again.", rest)
	}
	return fmt.Sprintf("From round %d of %d: %s to run again.", round, f.session.Rounds, rest)
}

func (f *Fork) noRound() string {
	if f.last() == 0 {
		return "This debate can only start over: no other round leaves one to run."
	}
	return ""
}

func (f *Fork) turnRound(n int) {
	f.round = max(0, min(f.round+n, f.last()))
	f.Changed()
}

type change struct {
	label, to string
	about     string // the question of a request
	now       string
	note      string
	plan      debate.ForkPlan
}

func (f *Fork) rows() []Row {
	var rows []Row
	for _, r := range f.session.Requests {
		if r.State != ledger.Withdrawn {
			rows = append(rows, f.requestRows(r)...)
		}
	}
	for _, seat := range f.session.Seats {
		c := change{label: text.Line(seat.Name) + " model", to: "another model", now: text.Line(seat.ModelName())}
		rows = f.add(rows, c, f.models(seat))
	}
	if f.round > 0 {
		return rows
	}
	rows = f.add(rows, change{label: "Mode", to: "another mode", now: text.Line(f.session.Mode.Name)}, f.modes())
	return f.add(rows, change{label: "Panel", to: "another panel", now: seatNames(f.session.Seats)}, f.panels())
}

// choice is what a row can change to.
type choice struct {
	screen.Entry
	plan debate.ForkPlan
}

// add adds a row that asks which of some it changes to, if there are any.
func (f *Fork) add(rows []Row, c change, choices []choice) []Row {
	if len(choices) == 0 {
		return rows
	}
	c.plan.Round = f.round
	menu := screen.Menu{Title: "Fork: " + c.label}
	for _, one := range choices {
		menu.All = append(menu.All, one.Entry)
	}
	menu.Choose = func(name string) screen.Outcome {
		i := slices.IndexFunc(choices, func(one choice) bool { return one.Name == name })
		return screen.Outcome{MakeFork{choices[i].plan}}
	}
	return append(rows, f.row(c, screen.Outcome{menu}))
}

// models returns what a seat can take, each once: those of the demo debate with each other only.
func (f *Fork) models(seat agents.Profile) (all []choice) {
	for _, m := range slices.Concat(f.session.Seats, f.choices.Models) {
		name := text.Line(m.Model + " (" + m.Provider + ")")
		same := m.Provider == seat.Provider && m.Model == seat.Model
		twice := slices.ContainsFunc(all, func(one choice) bool { return one.Name == name })
		if same || twice || (m.Provider == debate.DemoProvider) != f.session.Demo() {
			continue
		}
		m.ID, m.Name, m.Persona = seat.ID, seat.Name, seat.Persona
		p := f.session.PlanFork(f.round, "")
		p.Models = []agents.Profile{m}
		all = append(all, choice{screen.Entry{Name: name}, p})
	}
	return all
}

func (f *Fork) modes() (all []choice) {
	for _, m := range f.choices.Modes {
		_, err := m.QuestionFor(f.session.Question)
		if err == nil && m.Name != f.session.Mode.Name && m.CheckPanel(f.session.Seats) == nil {
			all = append(all, choice{screen.Entry{Name: text.Line(m.Name), Text: text.Line(m.Summary)}, debate.ForkPlan{Mode: &m}})
		}
	}
	return all
}

func (f *Fork) panels() (all []choice) {
	for _, p := range f.choices.Panels {
		if f.session.Mode.CheckPanel(p.Seats) == nil {
			all = append(all, choice{screen.Entry{Name: text.Line(p.Name), Text: seatNames(p.Seats)}, debate.ForkPlan{Panel: &p}})
		}
	}
	return all
}

// row returns the row of a change; open is what enter does, nil for making the fork.
func (f *Fork) row(c change, open screen.Outcome) Row {
	if open == nil {
		open = screen.Outcome{MakeFork{c.plan}}
	}
	said := []string{c.about, "To: " + c.to, c.note, f.begins(c.plan.Round)}
	if c.now != "" {
		said = slices.Insert(said, 1, "Now: "+c.now)
	}
	return Row{
		ID: c.label + " " + c.to, Words: func() string { return strings.Join([]string{c.label, c.to, c.now, c.about}, " ") },
		Title: []theme.Part{{Text: c.label, Style: f.th.Text, Cut: 1}},
		Cells: func(th *theme.Theme, _ screen.Frame) []Cell {
			return []Cell{{c.label, th.Text}, {c.to, th.Text}, {c.now, th.Muted}}
		},
		Lines: func(_ *theme.Theme, width int) (lines []Line) {
			for _, s := range slices.DeleteFunc(said, func(s string) bool { return s == "" }) {
				lines = append(lines, Wrapped("", s, width)...)
			}
			return lines
		},
		Open: open, Copy: func() screen.Copy { return screen.Copy{Text: c.to, What: "the change"} },
	}
}

// requestRows returns what can change of a request: its answer, and whether the members get
// it.
func (f *Fork) requestRows(r ledger.Request) []Row {
	s, about, now, given := f.session, text.Line(r.Query), "", ""
	if a, ok := r.Sent(); ok {
		now = text.Line(a.Content)
		if a.Outcome == ledger.Unavailable {
			now = "unavailable: " + now
		} else {
			given = text.Clean(a.Content)
		}
	}
	seen := r.FirstDelivery()
	if r.Round > f.round { // the members have not asked yet
		if seen == 0 {
			return nil
		}
		p := s.PlanFork(f.round, r.ID)
		p.Facts = append(p.Facts, r.ID)
		earlier := fmt.Sprintf("the answer is there from round %d on, not from round %d", f.round+1, seen)
		return []Row{f.row(change{label: r.ID + " earlier", to: earlier, about: about, now: now, plan: p}, nil)}
	}
	answer := change{label: r.ID + " answer", to: "another answer", about: about, now: now}
	from := f.round
	if seen > 0 && seen <= f.round {
		from = seen - 1
		answer.note = fmt.Sprintf("Forks from round %d, since round %d has seen the answer.", from, seen)
	}
	answer.plan = s.PlanFork(from, r.ID)
	if r.Round > from { // a fork that was told it before anybody asked
		answer.plan.Facts = append(answer.plan.Facts, r.ID)
	}
	without := answer
	without.label, without.to = r.ID+" unavailable", "no answer, with the reason"
	rows := []Row{
		f.row(answer, screen.Outcome{f.prompt(answer, r.ID, ledger.Answered, given, "")}),
		f.row(without, screen.Outcome{f.prompt(without, r.ID, ledger.Unavailable, "", "")}),
	}
	if seen > f.round {
		p := s.PlanFork(f.round, r.ID)
		p.Omitted = []string{r.ID}
		left := change{label: r.ID + " left out", to: "no answer; " + r.ID + " is open again", about: about, now: now, plan: p}
		rows = append(rows, f.row(left, nil))
	}
	return rows
}

// prompt asks the user for another answer, or for the reason why there is none. Unfinished text is
// kept while the debate is open.
func (f *Fork) prompt(c change, id string, outcome ledger.Outcome, given, note string) screen.Prompt {
	content, ok := f.typed[c.label]
	if !ok {
		content = given
	}
	hints := []string{"enter fork", "esc close (text kept)"}
	if content != "" {
		hints = slices.Insert(hints, 1, "ctrl+u clear")
	}
	keep := func(typed string) screen.Outcome {
		f.typed[c.label] = typed
		f.Changed()
		return nil
	}
	return screen.Prompt{
		Label: c.label + " >", Note: note, Text: content, Limit: ledger.MaxAnswer, Lines: true,
		Hints: hints, Closed: keep,
		Done: func(typed string) screen.Outcome {
			keep(typed)
			why := ""
			switch typed = strings.TrimSpace(typed); {
			case typed == "" && outcome == ledger.Unavailable:
				why = "Say why " + id + " is unavailable. The seats read it."
			case typed == "":
				why = "Type another answer to " + id + "."
			case outcome == ledger.Answered && typed == strings.TrimSpace(given):
				why = id + " has this answer already. Type another one."
			}
			if why != "" {
				return screen.Outcome{f.prompt(c, id, outcome, given, why)}
			}
			plan := c.plan
			plan.Answers = []ledger.Submission{{Request: id, Outcome: outcome, Content: typed, By: ledger.ByPerson("interface")}}
			return screen.Outcome{MakeFork{plan}}
		},
	}
}

func seatNames(seats []agents.Profile) string {
	names := make([]string, len(seats))
	for i, p := range seats {
		names[i] = text.Line(p.Name)
	}
	return text.List(names)
}

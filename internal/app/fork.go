package app

import (
	"maps"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/agents/demo"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/config"
	"roundtable/internal/text"
)

// ForkChange are the flags of fork: what to copy, and what to change.
type ForkChange struct {
	Round       int
	Facts       []string
	Answers     []string // C1=TEXT
	Unavailable []string // C1=REASON
	Models      []string // ID=MODEL
	Mode, Panel string
	By          ledger.Author // of the answers
}

// NeedsConfig reports whether the flags name what the configuration has.
func (f *ForkChange) NeedsConfig() bool { return len(f.Models) > 0 || f.Mode != "" || f.Panel != "" }

// Plan returns what the flags ask for, or why that is not possible.
func (f *ForkChange) Plan(b Builder, s debate.Session) (debate.ForkPlan, error) {
	p := debate.ForkPlan{Round: f.Round}
	for _, id := range f.Facts {
		if id = requestID(id); id != "" {
			p.Facts = append(p.Facts, id)
		}
	}
	for outcome, given := range map[ledger.Outcome][]string{ledger.Answered: f.Answers, ledger.Unavailable: f.Unavailable} {
		flag := map[ledger.Outcome]string{ledger.Answered: "--answer C1=TEXT", ledger.Unavailable: "--unavailable C1=REASON"}[outcome]
		for _, one := range given {
			id, content, ok := strings.Cut(one, "=")
			if !ok {
				return p, Usagef("%q: write %s", text.Label(one), flag)
			}
			if err := CheckUTF8("the answer", content); err != nil {
				return p, err
			}
			content = strings.TrimSpace(text.Clean(content))
			p.Answers = append(p.Answers, ledger.Submission{
				Request: requestID(id), Outcome: outcome, Content: content, By: f.By,
			})
		}
	}
	slices.SortStableFunc(p.Answers, func(a, b ledger.Submission) int { return strings.Compare(a.Request, b.Request) })
	if err := f.seat(b, s, &p); err != nil {
		return p, err
	}
	return p, nil
}

func requestID(id string) string { return strings.ToUpper(strings.TrimSpace(id)) }

func (f *ForkChange) seat(b Builder, s debate.Session, p *debate.ForkPlan) error {
	if (f.Mode != "" || f.Panel != "") && f.Round > 0 {
		return Usagef("--mode and --panel need --round 0: they are the same in all rounds of a debate")
	}
	mode, seats := s.Mode, s.Upcoming().Seats
	if f.Mode != "" {
		m, err := b.mode(debate.Plan{Mode: f.Mode, Options: s.GivenOptions()})
		if err != nil {
			return err
		}
		p.Mode, mode = &m, m
	}
	if f.Panel != "" {
		seated := debate.Session{Mode: mode}
		if err := b.choosePanel(debate.Plan{Panel: f.Panel}, &seated); err != nil {
			return err
		}
		p.Panel = &debate.Panel{Name: f.Panel, Seats: seated.Seats, Chair: seated.Chair, Light: seated.Light}
		seats = seated.Seats
	}
	for _, one := range f.Models {
		id, model, ok := strings.Cut(one, "=")
		if !ok {
			return Usagef("%q: write --agent ID=MODEL, such as --agent ada=gpt-5", text.Label(one))
		}
		i := slices.IndexFunc(seats, func(x agents.Profile) bool { return string(x.ID) == strings.TrimSpace(id) })
		if i < 0 {
			return Usagef("there is no seat %q%s", text.Label(id), text.DidYouMean(id, ProfileIDs(seats)))
		}
		changed, err := debate.FindModel(seats[i], strings.TrimSpace(model), knownModels(b, s))
		if err != nil {
			return Usagef("%v", err)
		}
		p.Models = append(p.Models, changed)
	}
	return nil
}

// ProfileIDs returns the ids of seats.
func ProfileIDs(all []agents.Profile) []string {
	return text.Each(all, func(p agents.Profile) string { return string(p.ID) })
}

// knownModels are those of the config, of the session and, if it debates with the demo, of the demo.
func knownModels(b Builder, s debate.Session) []agents.Profile {
	all := slices.Concat(b.cfg.Profiles(), s.Upcoming().Speakers())
	if s.Demo() {
		all = append(all, demo.Panel(debate.MaxSeats)...)
	}
	return eachModel(all)
}

// eachModel returns the first seat of each model.
func eachModel(seats []agents.Profile) (all []agents.Profile) {
	for _, p := range seats {
		if !slices.ContainsFunc(all, func(k agents.Profile) bool { return k.Provider == p.Provider && k.Model == p.Model }) {
			all = append(all, p)
		}
	}
	return all
}

// seatModels are the known models, and those that the catalogue has of their providers.
func (b Builder) seatModels(s debate.Session) []agents.Profile {
	all, asked := knownModels(b, s), map[string]bool{}
	for _, p := range slices.Clone(all) {
		if !asked[p.Provider] {
			asked[p.Provider] = true
			all = append(all, b.cfg.Offered(p.Provider)...)
		}
	}
	return eachModel(all)
}

func panelsOf(b Builder) []debate.Panel {
	var out []debate.Panel
	for _, name := range append(slices.Sorted(maps.Keys(b.cfg.Panels)), DemoPanel) {
		var s debate.Session
		s.Mode.MinSeats, s.Mode.MaxSeats = demoSeats, demoSeats
		if err := b.choosePanel(debate.Plan{Panel: name}, &s); err == nil {
			out = append(out, debate.Panel{Name: name, Seats: s.Seats, Chair: s.Chair, Light: s.Light})
		}
	}
	return out
}

// PanelsWith returns the names of the panels that an agent sits in.
func PanelsWith(id agents.ID, panels map[string]config.Panel) []string {
	names := append([]string{}, slices.Sorted(maps.Keys(panels))...)
	return slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(panels[name].Agents, id) })
}

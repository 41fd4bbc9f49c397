package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/tui/screen"
)

const mostChoices = 30

// palette lists the commands by name: first those that the bottom line offers; those that only
// move, and those that cannot run, come last.
func (c *commands) palette() screen.Menu {
	type choice struct {
		screen.Entry
		rank, at int
	}
	var all []choice
	for i, one := range c.list() {
		if one.Title == "" || slices.ContainsFunc(all, func(other choice) bool { return other.Name == one.Title }) {
			continue
		}
		e := screen.Entry{Name: one.Title, Also: one.Also, Off: c.reason(one)}
		if keys := one.Keys(); len(keys) > 0 {
			e.Key = keys[0]
		}
		all = append(all, choice{e, c.rank(one), i})
	}
	slices.SortFunc(all, func(a, b choice) int {
		return cmp.Or(cmp.Compare(min(len(a.Off), 1), min(len(b.Off), 1)), a.rank-b.rank, a.at-b.at)
	})
	m := screen.Menu{Title: "Commands", Most: mostChoices, Choose: func(title string) screen.Outcome {
		return screen.Outcome{screen.Then(func() screen.Outcome { return c.runTitled(title) })}
	}}
	for _, one := range all {
		m.All = append(m.All, one.Entry)
	}
	return m
}

// keyList lists the keys of the screen that is shown whose commands can run, by their groups.
func (c *commands) keyList() screen.Menu {
	m := screen.Menu{Title: "Keys · " + c.stack.top().Name(), Choose: func(keys string) screen.Outcome {
		return screen.Outcome{screen.Then(func() screen.Outcome { return c.runShown(keys) })}
	}}
	for _, g := range screen.Groups() {
		for _, one := range c.list() {
			shown := one.Help()
			listed := slices.ContainsFunc(m.All, func(e screen.Entry) bool { return e.Name == shown.Key && e.Text == shown.Desc })
			if one.Group == g && shown.Key != "" && !listed && c.canRun(one) {
				m.All = append(m.All, screen.Entry{Name: shown.Key, Text: shown.Desc, Also: string(g) + " " + one.Title})
			}
		}
	}
	return m
}

// canRun reports whether a command can run now, or another one whose key its row has too.
func (c *commands) canRun(one screen.Command) bool {
	shown := strings.Fields(one.Help().Key)
	return c.reason(one) == "" || slices.ContainsFunc(c.list(), func(other screen.Command) bool {
		return c.reason(other) == "" && slices.ContainsFunc(other.Keys(), func(key string) bool {
			return slices.Contains(shown, key) && !slices.Contains(one.Keys(), key)
		})
	})
}

// runShown runs the first command with the keys that a row shows, or else with one of them.
func (c *commands) runShown(keys string) screen.Outcome {
	for _, one := range c.list() {
		if one.Help().Key == keys && c.reason(one) == "" {
			return c.run(one, one.Keys()[0])
		}
	}
	for _, key := range strings.Fields(keys) {
		if one, ok := c.of(key); ok {
			return c.run(one, key)
		}
	}
	return nil
}

// Ranks of commands.
const (
	rankWaitedFor = 100
	rankUrgent    = 110
	rankHinted    = 200 // and more by the rank of the hint
	rankOther     = 300
	rankMoving    = 400
)

// rank orders the commands of the palette: the lowest is the likeliest.
func (c *commands) rank(one screen.Command) int {
	switch {
	case one.Group == screen.Answering && c.stack.blocked():
		return rankWaitedFor
	case one.Urgent != nil && one.Urgent():
		return rankUrgent
	case one.Group == screen.Moving:
		return rankMoving
	case one.Hint != nil && !one.AtEnd && one.Hint() != "":
		return rankHinted + one.Rank
	}
	return rankOther
}

func (c *commands) runTitled(title string) screen.Outcome {
	all := c.list()
	i := slices.IndexFunc(all, func(one screen.Command) bool { return one.Title == title })
	if i < 0 {
		return nil
	}
	pressed := ""
	if keys := all[i].Keys(); len(keys) > 0 {
		pressed = keys[0]
	}
	return c.run(all[i], pressed)
}

func (m *Model) openPalette() tea.Cmd {
	if m.stack.base() == m.chooser {
		return m.carryOut(m.chooser.Back())
	}
	return m.carryOut(screen.Outcome{m.commands.palette()})
}

package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/keymap"
	"roundtable/internal/text"
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
		e.Do = func() screen.Outcome { return c.run(one, e.Key) }
		all = append(all, choice{e, c.rank(one), i})
	}
	slices.SortFunc(all, func(a, b choice) int {
		return cmp.Or(cmp.Compare(min(len(a.Off), 1), min(len(b.Off), 1)), a.rank-b.rank, a.at-b.at)
	})
	entries := text.Each(all, func(one choice) screen.Entry { return one.Entry })
	return screen.Menu{Title: "Commands", Most: mostChoices, All: entries}
}

// keyList lists the keys of the screen that is shown whose commands can run, by their groups.
func (c *commands) keyList() screen.Menu {
	m := screen.Menu{Title: "Keys · " + c.stack.top().Name(), Most: mostChoices}
	for _, g := range screen.Groups() {
		for _, one := range c.list() {
			shown := one.Help()
			listed := slices.ContainsFunc(m.All, func(e screen.Entry) bool { return e.Name == shown.Key }) // what the key does
			if runs, can := c.canRun(one); one.Group == g && shown.Key != "" && !listed && can {
				m.All = append(m.All, screen.Entry{
					Name: shown.Key, Text: shown.Desc, Also: string(g) + " " + one.Title,
					Do: func() screen.Outcome { return c.run(runs, runs.Keys()[0]) },
				})
			}
		}
	}
	all := screen.Entry{Name: "…", Text: "all keys", Do: func() screen.Outcome { return screen.Outcome{c.allKeys()} }}
	m.All = slices.Insert(m.All, min(len(m.All), mostChoices-1), all)
	return m
}

// allKeys lists the keys of all screens, with the ids that [keys] of the config takes.
func (c *commands) allKeys() screen.Menu {
	return screen.Menu{Title: "All keys", All: text.Each(keymap.All(), func(k keymap.Command) screen.Entry {
		where := k.ID + ": " + strings.Join(k.Where, ", ")
		tell := func() screen.Outcome { return screen.Tell(screen.Info, where+".") }
		return screen.Entry{Name: strings.Join(c.keys.changes.Keys(k), " "), Text: where, Do: tell}
	})}
}

// canRun returns a command if it can run now, or another one that can and whose key its row has too.
func (c *commands) canRun(one screen.Command) (runs screen.Command, can bool) {
	if c.reason(one) == "" {
		return one, true
	}
	shown, all := strings.Fields(one.Help().Key), c.list()
	i := slices.IndexFunc(all, func(other screen.Command) bool {
		return c.reason(other) == "" && slices.ContainsFunc(other.Keys(), func(key string) bool {
			return slices.Contains(shown, key) && !slices.Contains(one.Keys(), key)
		})
	})
	if i < 0 {
		return one, false
	}
	return all[i], true
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

func (m *Model) openPalette() tea.Cmd {
	if m.stack.base() == m.chooser {
		return m.carryOut(m.chooser.Back())
	}
	return m.carryOut(screen.Outcome{m.commands.palette()})
}

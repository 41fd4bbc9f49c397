package tui

import (
	"slices"
	"strings"

	"roundtable/internal/keymap"
	"roundtable/tui/screen"
)

// userKeys are the keys that the user gave to commands. Commands, hints and questions of the
// screens have the default keys: the shell puts the user's in their place. Sentences name the
// user's by themselves.
type userKeys struct {
	changes keymap.Changes
	shown   map[string]string // the default keys of the commands on the screen, and what is pressed in their place
}

func (u *userKeys) bind(all []screen.Command) {
	if len(u.changes) == 0 {
		return
	}
	u.shown = map[string]string{}
	for _, c := range all {
		given, changed := u.changes[c.ID]
		for _, key := range c.Keys() {
			if changed {
				u.shown[key] = given[0]
			} else if u.shown[key] == "" {
				u.shown[key] = key
			}
		}
	}
	u.shown["pgdn"] = strings.Replace(u.of("pgdown"), "pgdown", "pgdn", 1)
	for i := range all {
		u.rebind(&all[i])
	}
}

func (u *userKeys) rebind(c *screen.Command) {
	if shown := c.Help(); shown.Key != "" {
		c.SetHelp(u.inHint(shown.Key), shown.Desc)
	}
	if hint := c.Hint; hint != nil {
		c.Hint = func() string { return u.inHint(hint()) }
	}
	if given, ok := u.changes[c.ID]; ok && c.ID != "" {
		usual, run := c.Keys()[0], c.Run
		c.SetKeys(given...)
		c.Run = func(string) screen.Outcome { return run(usual) }
	}
}

// of returns the key that is pressed in place of a default key.
func (u *userKeys) of(key string) string {
	if given, ok := u.shown[key]; ok {
		return given
	}
	return key
}

// inHint replaces the keys that a hint begins with, such as the two of "j k move".
func (u *userKeys) inHint(hint string) string {
	if len(u.shown) == 0 {
		return hint
	}
	words := strings.Split(hint, " ")
	for i, word := range words {
		given, isKey := u.shown[word]
		if isKey {
			words[i] = given
		} else if word != "" {
			break // what the keys do
		}
	}
	return strings.Join(words, " ")
}

func (u *userKeys) inQuestion(q screen.Question) screen.Question {
	if given := u.of(q.Key); !slices.ContainsFunc(q.Others, func(a screen.Answer) bool { return a.Key == given }) {
		q.Key = given
	}
	return q
}

// freed reports whether a key was taken from its command: no screen must act on it.
func (c *commands) freed(pressed string) bool {
	if len(c.keys.changes) == 0 {
		return false
	}
	typing := c.stack.typing()
	return slices.ContainsFunc(c.list(), func(one screen.Command) bool {
		_, changed := c.keys.changes[one.ID]
		return changed && (one.InField || !typing) && slices.Contains(keymap.Default(one.ID), pressed)
	})
}

func (c *commands) pressUsual(key string) screen.Outcome {
	c.list() // brings the keys of the screen up to date
	return c.press(c.keys.of(key))
}

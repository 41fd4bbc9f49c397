// Package keymap has the table of the interface's commands by their ids, with their keys
// and the places where they work, and checks what a user changes of it.
//
// It imports internal/text for messages. It must not know what a command does: the screens
// say that.
package keymap

import (
	_ "embed" // for the table
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/internal/text"
)

//go:embed commands.txt
var table string

// Everywhere is the place of commands that work on every screen.
const Everywhere = "everywhere"

// Command is a command of the interface and its default keys.
type Command struct {
	ID    string
	Keys  []string // the first one is shown
	Where []string // the places where it works
	Field bool     // works while text is typed, too
	Fixed bool     // its keys cannot be changed
}

// Changes are the keys that the user gave to commands, by the commands' ids.
type Changes map[string][]string

// Fault is an entry that cannot be used: why, and what helps.
type Fault struct{ ID, Text string }

// All returns all commands that have keys, in the order in which they are listed.
func All() []Command {
	var all []Command
	for line := range strings.Lines(table) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, parse(line))
		}
	}
	return all
}

func parse(line string) Command {
	columns := append(strings.Split(line, " | "), "")
	return Command{
		ID: strings.TrimSpace(columns[0]), Keys: strings.Fields(columns[1]), Where: strings.Split(columns[2], ", "),
		Field: strings.Contains(columns[3], "field"), Fixed: strings.Contains(columns[3], "fixed"),
	}
}

// Default returns the default keys of a command; nil if there is no such command.
func Default(id string) []string {
	c, _ := find(id)
	return c.Keys
}

// Keys returns the keys of a command.
func (c Changes) Keys(cmd Command) []string {
	if changed, ok := c[cmd.ID]; ok {
		return changed
	}
	return cmd.Keys
}

// Of returns the key of a command as a sentence names it; nil changes are the default keys.
func (c Changes) Of(id string) string {
	cmd, _ := find(id)
	return strings.Replace(c.Keys(cmd)[0], "pgdown", "pgdn", 1)
}

// Does says what the key of a command does, such as "R: retry".
func (c Changes) Does(id, what string) string { return c.Of(id) + ": " + what }

// find returns a command. It reads its line only, since each start asks for all of them.
func find(id string) (Command, bool) {
	at := strings.Index(table, "\n"+id+" ")
	if at < 0 || id == "" {
		return Command{}, false
	}
	line, _, _ := strings.Cut(table[at+1:], "\n")
	return parse(line), true
}

// Check returns what can be used of the entries of a configuration: a command's id, and its
// keys with blanks between them. A command whose entry cannot be used keeps its default.
func Check(entries map[string]string) (Changes, []Fault) {
	changes, faults := Changes{}, []Fault(nil)
	for _, id := range slices.Sorted(maps.Keys(entries)) {
		given := strings.Fields(entries[id])
		if why := refused(id, given); why != "" {
			faults = append(faults, Fault{id, why})
			continue
		}
		changes[id] = given
	}
	for {
		f, found := changes.conflict()
		if !found {
			return changes, faults
		}
		faults = append(faults, f)
		delete(changes, f.ID)
	}
}

// refused says why a command cannot have these keys; "" if it can.
func refused(id string, given []string) string {
	c, ok := find(id)
	switch {
	case !ok:
		known := text.Each(All(), func(c Command) string { return c.ID })
		return fmt.Sprintf("there is no command %q%s (`roundtable keys` lists them)", text.Label(id), text.DidYouMean(id, known))
	case c.Fixed:
		return "the keys of this command cannot be changed; remove the line"
	case len(given) == 0:
		return fmt.Sprintf("name a key, such as %q", c.Keys[0])
	}
	for _, key := range given {
		why := invalid(key)
		if why == "" && c.Field && types(key) {
			why = fmt.Sprintf("%s types text in the fields where this command works; choose one such as ctrl+k or f5", key)
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// conflict returns a change whose key another command has in the same place.
func (c Changes) conflict() (Fault, bool) {
	all := All()
	for i, one := range all {
		for _, other := range all[i+1:] {
			_, changed := c[one.ID]
			_, too := c[other.ID]
			place, meet := shared(one, other)
			both := func(key string) bool {
				return slices.Contains(c.Keys(other), key) && (!slices.Contains(one.Keys, key) || !slices.Contains(other.Keys, key))
			}
			i := slices.IndexFunc(c.Keys(one), both)
			if !changed && !too || !meet || i < 0 {
				continue
			}
			at, taken := one, other
			if !changed || too && other.ID > one.ID {
				at, taken = other, one
			}
			return Fault{at.ID, fmt.Sprintf("%s is the key of %s (%s); choose another key", c.Keys(one)[i], taken.ID, place)}, true
		}
	}
	return Fault{}, false
}

func shared(a, b Command) (place string, ok bool) {
	for _, place := range a.Where {
		if place == Everywhere {
			return b.Where[0], true
		}
		if slices.Contains(b.Where, place) || b.Where[0] == Everywhere {
			return place, true
		}
	}
	return "", false
}

func named() []string {
	all := strings.Fields("enter tab space backspace delete insert up down left right home end pgup pgdown")
	for i := range 12 {
		all = append(all, fmt.Sprintf("f%d", i+1))
	}
	return all
}

// invalid says why this is not a key that a terminal sends; "" if it is one.
func invalid(key string) string {
	rest := key
	for _, modifier := range strings.Fields("ctrl+ alt+ shift+") { // in the order in which keys are named
		if after, ok := strings.CutPrefix(rest, modifier); ok && after != "" {
			rest = after
		}
	}
	r, size := utf8.DecodeRuneInString(rest)
	single := size == len(rest) && unicode.IsGraphic(r)
	switch {
	case slices.Contains(strings.Fields("esc ctrl+c ctrl+i ctrl+m ctrl+["), key): // terminals send the last three for others
		return key + " cannot be given to a command; choose another key"
	case single && strings.HasPrefix(key, "shift+"), single && strings.HasPrefix(key, "ctrl+") && unicode.IsUpper(r): // never sent
	case single || slices.Contains(named(), rest):
		return ""
	}
	return fmt.Sprintf("%q is not a key; write for example %q, %q, %q or %q", text.Label(key), "F", "ctrl+k", "alt+p", "f5")
}

func types(key string) bool {
	return utf8.RuneCountInString(key) == 1 || slices.Contains(strings.Fields("space enter backspace delete"), key)
}

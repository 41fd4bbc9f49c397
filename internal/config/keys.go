package config

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/internal/keymap"
)

// checkKeys takes what can be used of [keys]: a slip there never keeps the program from starting.
func (r *parser) checkKeys(cfg *Config) {
	table := map[string]string{}
	for id, keys := range cfg.KeyTable {
		if words, ok := keys.(string); ok {
			table[id] = words
		} else {
			r.problem("keys."+id, "expected text in quotes, such as \"f5\"")
		}
	}
	changes, faults := keymap.Check(table)
	cfg.Keys = changes
	for _, f := range faults {
		r.problem("keys."+f.ID, "%s", f.Text)
	}
	r.problems = slices.DeleteFunc(r.sorted(), func(p Problem) bool {
		ofKeys := strings.HasPrefix(p.Text, "keys.")
		if ofKeys {
			cfg.KeyProblems = append(cfg.KeyProblems, p)
		}
		return ofKeys
	})
}

// KeysNotice says what of [keys] is not used; "" if all is.
func (c Config) KeysNotice() string {
	if len(c.KeyProblems) == 0 {
		return ""
	}
	more := ""
	if n := len(c.KeyProblems) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return fmt.Sprintf("Not used of the config: %s%s. `roundtable config check` checks it.", c.KeyProblems[0].Text, more)
}

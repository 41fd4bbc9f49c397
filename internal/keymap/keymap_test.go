package keymap_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"roundtable/internal/keymap"
)

func TestAll_isATableOfDistinctCommands(t *testing.T) {
	var ids []string
	for _, c := range keymap.All() {
		if c.ID == "" || len(c.Keys) == 0 || len(c.Where) == 0 || slices.Contains(ids, c.ID) {
			t.Errorf("%+v", c)
		}
		if got := keymap.Default(c.ID); !slices.Equal(got, c.Keys) {
			t.Errorf("Default(%q) is %q, want %q", c.ID, got, c.Keys)
		}
		ids = append(ids, c.ID)
	}
	if keymap.Default("fo") != nil || keymap.Default("") != nil {
		t.Error("no command has no keys")
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name, entries string // id=keys; ...
		used          string // the ids that are changed
		fault         string // of the one that is refused
	}{
		{"a letter", "fork=B", "fork", ""},
		{"several keys", "fork=B f5 ctrl+k alt+f", "fork", ""},
		{"a key that is free in fields", "palette-in-fields=alt+p f1 ctrl+k", "palette-in-fields", ""},
		{"two change places", "tell=f; focus=i", "focus tell", ""},
		{"the same key in places that never meet", "rename=F", "rename", ""},
		{"its own key", "fork=F", "fork", ""},
		{"unknown", "frok=B", "", `there is no command "frok"; did you mean fork?`},
		{"fixed", "approval-send=f5", "", "cannot be changed"},
		{"fixed in fields", "save=f5", "", "cannot be changed"},
		{"empty", "fork=", "", `name a key, such as "F"`},
		{"no key", "fork=F13x", "", `"F13x" is not a key`},
		{"capitals", "fork=ctrl+B", "", `"ctrl+B" is not a key`},
		{"shift", "fork=shift+b", "", `"shift+b" is not a key`},
		{"what terminals send for tab", "fork=ctrl+i", "", "cannot be given"},
		{"esc", "fork=esc", "", "cannot be given"},
		{"ctrl+c", "fork=ctrl+c", "", "cannot be given"},
		{"a letter in fields", "editor=b", "", "b types text in the fields"},
		{"space in fields", "next-field=space", "", "space types text"},
		{"taken", "fork=v", "", "v is the key of verdict (debate); choose another key"},
		{"taken in all fields", "editor=ctrl+p", "", "ctrl+p is the key of palette"},
		{"taken by what is fixed", "editor=ctrl+s", "", "ctrl+s is the key of save (form); choose another key"},
		{"two on one new key", "fork=B; verdict=B", "fork", "B is the key of fork"},
		{"a refused one leaves its default taken", "verdict=ctrl+I; fork=v", "", "v is the key of verdict"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			entries := map[string]string{}
			for one := range strings.SplitSeq(tt.entries, "; ") {
				id, keys, _ := strings.Cut(one, "=")
				entries[id] = keys
			}
			changes, faults := keymap.Check(entries)
			var used []string
			for id := range changes {
				used = append(used, id)
			}
			slices.Sort(used)
			if strings.Join(used, " ") != tt.used {
				t.Errorf("used are %q, want %q", used, tt.used)
			}
			found := slices.ContainsFunc(faults, func(f keymap.Fault) bool { return strings.Contains(f.Text, tt.fault) })
			if tt.fault == "" && faults != nil || !found && tt.fault != "" {
				t.Errorf("the faults are %+v, want %q", faults, tt.fault)
			}
		})
	}
}

// A printable key means the same on every screen.
func TestAll_oneKeyOneMeaning(t *testing.T) {
	exceptions := map[string]string{
		"space": "it ticks a seat in New debate, and pauses or goes on where a debate runs",
		"w":     "it writes the configuration, or the panel into it",
		"t":     "it shows the tools, and then the evidence",
		"q":     "it leaves: a debate, or at last the program",
		"x":     "it deletes or cancels what the cursor is on, and the notice names it",
	}
	ids := map[string][]string{}
	for _, c := range keymap.All() {
		for _, key := range c.Keys {
			if utf8.RuneCountInString(key) == 1 || key == "space" {
				ids[key] = append(ids[key], c.ID)
			}
		}
	}
	for key, of := range ids {
		if _, excepted := exceptions[key]; excepted != (len(of) > 1) {
			t.Errorf("%s is the key of %q", key, of)
		}
	}
	if len(exceptions) > 5 {
		t.Errorf("%d exceptions", len(exceptions))
	}
}

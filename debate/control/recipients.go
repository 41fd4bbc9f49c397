package control

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

// Recipients says who receives what a session sends to its speakers. Of names who receives
// the prompts of a provider, and says whether that is this machine.
func Recipients(s debate.Session, of func(provider string) (name string, local bool)) string {
	var remote, local []string
	add := func(all *[]string, name string) {
		if name = text.Line(name); !slices.Contains(*all, name) {
			*all = append(*all, name)
		}
	}
	for _, p := range s.Speakers() {
		if name, here := of(p.Provider); here || p.Provider == debate.DemoProvider {
			add(&local, p.Name)
		} else {
			add(&remote, cmp.Or(name, p.Provider))
		}
	}
	switch {
	case len(remote)+len(local) == 0:
		return "nobody"
	case len(remote) == 0:
		return "nobody, everything stays on this machine"
	case len(local) == 0:
		return strings.Join(remote, ", ")
	}
	stays := text.Inflect(len(local), "stays", "stay")
	return fmt.Sprintf("%s; %s %s on this machine", strings.Join(remote, ", "), strings.Join(local, ", "), stays)
}

package e2e_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// eventSwitches are the functions that have to name every event, even those that they
// ignore, with their files. The compiler does not tell when one is forgotten.
var eventSwitches = []string{
	"debate/event.go Apply",           // what it changes in the session
	"debate/control/control.go Apply", // what a person sees of it
	"internal/headless/text.go Event", // its line of text output
	"internal/headless/json.go Event", // its line of JSON output
}

// eventTypes returns the names of the types that implement debate.Event.
func eventTypes(all []source) (names []string) {
	for _, s := range all {
		if s.pkg() != "debate" || s.isTest() {
			continue
		}
		for _, d := range s.ast.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "turn" && f.Recv != nil {
				names = append(names, f.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	return names
}

// casesOf returns the names of the types in the longest type switch of a function, and
// whether it has a default.
func casesOf(body *ast.BlockStmt) (names []string, other bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		s, ok := n.(*ast.TypeSwitchStmt)
		if !ok {
			return true
		}
		var here []string
		open := false
		for _, c := range s.Body.List {
			list := c.(*ast.CaseClause).List
			open = open || list == nil
			for _, t := range list {
				here = append(here, nameOf(t))
			}
		}
		if len(here) > len(names) {
			names, other = here, open
		}
		return true
	})
	return names, other
}

func TestEvents_areNamedWhereNoneMayBeForgotten(t *testing.T) {
	all := sources(t)
	events := eventTypes(all)
	if len(events) < 20 {
		t.Fatalf("found the events %v only", events)
	}
	found := map[string]bool{}
	for _, s := range all {
		for _, d := range s.ast.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil || !slices.Contains(eventSwitches, s.name+" "+f.Name.Name) {
				continue
			}
			found[s.name+" "+f.Name.Name] = true
			named, other := casesOf(f.Body)
			if other {
				t.Errorf("%s: the switch of %s has a default, in which an event is lost; name those that it ignores", s.name, f.Name.Name)
			}
			for _, ev := range events {
				if !slices.Contains(named, ev) {
					t.Errorf("%s: the switch of %s does not name %s", s.name, f.Name.Name, ev)
				}
			}
		}
	}
	for _, place := range eventSwitches {
		if !found[place] {
			t.Errorf("there is no %s", place)
		}
	}
}

func TestEvents_extendingNamesWhereNoneMayBeForgotten(t *testing.T) {
	_, section, _ := strings.Cut(readRoot(t, "docs/extending.md"), "\n## An event\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, place := range eventSwitches {
		for part := range strings.FieldsSeq(place) {
			if !strings.Contains(section, part) {
				t.Errorf("docs/extending.md does not say that an event has to be in %s", place)
			}
		}
	}
}

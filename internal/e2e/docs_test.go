package e2e_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// importGroups are the groups of packages that the table in docs/architecture.md names.
var importGroups = map[string][]string{
	"values":    values,
	"functions": functions,
	"drawing":   paneMay,
	"screens":   screenRule.ours,
	"nothing":   nil,
}

var (
	backquoted = regexp.MustCompile("`([^`]+)`")
	groupName  = regexp.MustCompile(`\b[a-z]+\b`)
)

// documentedRules returns the import table of docs/architecture.md.
func documentedRules(t *testing.T) map[string]rule {
	t.Helper()
	_, table, found := strings.Cut(readRoot(t, "docs/architecture.md"), "| package | may import of this module | other modules |\n|---|---|---|\n")
	if !found {
		t.Fatal("docs/architecture.md has no import table")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	documented := map[string]rule{}
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(row), "|")
		if len(cells) != 5 {
			t.Fatalf("a row of the import table has not three cells: %s", row)
		}
		var ours []string
		for _, name := range groupName.FindAllString(backquoted.ReplaceAllString(cells[2], ""), -1) {
			members, ok := importGroups[name]
			if !ok {
				t.Errorf("the import table names a group %q, which does not exist", name)
			}
			ours = append(ours, members...)
		}
		for _, m := range backquoted.FindAllStringSubmatch(cells[2], -1) {
			ours = append(ours, m[1])
		}
		for _, m := range backquoted.FindAllStringSubmatch(cells[1], -1) {
			pkg := m[1]
			if pkg == "main" {
				pkg = ""
			}
			documented[pkg] = rule{ours: ours, theirs: strings.TrimSpace(cells[3]) == "yes"}
		}
	}
	return documented
}

func TestDocs_showTheImportTable(t *testing.T) {
	documented := documentedRules(t)
	packages := slices.Concat(slices.Collect(maps.Keys(rules)), slices.Collect(maps.Keys(documented)))
	slices.Sort(packages)
	for _, pkg := range slices.Compact(packages) {
		want, known := rules[pkg]
		got, shown := documented[pkg]
		if known != shown {
			t.Errorf("%q: in the table of imports_test.go %v, in docs/architecture.md %v", pkg, known, shown)
			continue
		}
		wanted, listed := slices.Sorted(slices.Values(want.ours)), slices.Sorted(slices.Values(got.ours))
		if !slices.Equal(listed, wanted) || got.theirs != want.theirs {
			t.Errorf("docs/architecture.md lets %q import %v, other modules %v; the table lets it import %v, %v",
				pkg, listed, got.theirs, wanted, want.theirs)
		}
	}
}

// groupsShown are the definitions of the groups in docs/architecture.md.
var groupsShown = regexp.MustCompile(`(?m)^- \*\*([a-z]+)\*\*: (.+)$`)

func TestDocs_nameTheMembersOfImportGroups(t *testing.T) {
	shown := map[string]bool{}
	for _, m := range groupsShown.FindAllStringSubmatch(readRoot(t, "docs/architecture.md"), -1) {
		var members []string
		for _, name := range strings.Split(m[2], ", ") {
			if group, ok := importGroups[name]; ok {
				members = append(members, group...)
				continue
			}
			members = append(members, strings.Trim(name, "`"))
		}
		shown[m[1]] = true
		slices.Sort(members)
		if want := slices.Sorted(slices.Values(importGroups[m[1]])); !slices.Equal(members, want) {
			t.Errorf("docs/architecture.md says that %s are %v, want %v", m[1], members, want)
		}
	}
	for group, members := range importGroups {
		if members != nil && !shown[group] {
			t.Errorf("docs/architecture.md does not say what %s are", group)
		}
	}
}

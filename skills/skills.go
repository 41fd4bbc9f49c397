// Package skills has the pages that teach assistants to use the program. It imports nothing.
package skills

import (
	_ "embed"
	"strings"
)

// Roundtable is the page as it is installed: a SKILL.md with its frontmatter.
//
//go:embed roundtable/SKILL.md
var Roundtable string

// Text returns the page without its frontmatter.
func Text() string {
	_, body, _ := strings.Cut(strings.TrimPrefix(Roundtable, "---\n"), "\n---\n")
	return strings.TrimSpace(body)
}

// Package skills has the pages that teach assistants to use the program. It imports nothing.
package skills

import _ "embed"

// Roundtable is the page as it is installed: a SKILL.md with its frontmatter.
//
//go:embed roundtable/SKILL.md
var Roundtable string

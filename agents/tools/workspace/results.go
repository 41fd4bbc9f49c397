package workspace

import (
	"fmt"
	"strings"

	"roundtable/agents/tools"
)

// maxName is the most characters of a name or path in a result; no system has longer
// names.
const maxName = 1000

// results gathers the lines of a result within bounds.
type results struct {
	bounds Bounds
	lines  []string
	size   int
	found  int // with those that have no place
	notes  notes
}

// add adds a line if it has a place.
func (r *results) add(line string) {
	r.found++
	line = strings.ReplaceAll(line, "\n", "␊")
	if len(r.lines) >= r.bounds.Results || r.size+len(line)+1 > r.bounds.Text {
		return
	}
	r.size += len(line) + 1
	r.lines = append(r.lines, line)
}

// full reports whether a line was left out.
func (r *results) full() bool { return r.found > len(r.lines) }

// output returns the result under a heading that counts what was found, of what there are
// several.
func (r *results) output(heading, several string) tools.Output {
	if r.full() {
		r.notes.add("Only the first %d %s are shown.", len(r.lines), several)
	}
	summary := heading
	if len(r.notes.list) > 0 {
		summary += ", partial"
		heading += ". PARTIAL RESULT: " + r.notes.text()
	} else {
		heading += "."
	}
	return tools.Output{Text: strings.Join(append([]string{heading}, r.lines...), "\n"), Summary: summary}
}

// count returns a number with the word for it.
func count(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

package demo

import (
	"strings"
)

var (
	evidenceBlock = lazyRegexp(`(?m)^[0-9a-f]{12} evidence of the user(?:, cut)?: \[(F\d+)\] .*\n((?:\d+\|.*\n)+)`)
	citedBlock    = lazyRegexp(`(?m)^[0-9a-f]{12} lines that members cite: \[(F[\d:-]+)\] .*\n\d+\| (.*)`)
)

// quote is a line of the user's evidence.
type quote struct{ cite, line string }

// quote returns the line that a seat cites: another one for each seat. It is false if
// there is no evidence.
func (p prompt) quote() (quote, bool) {
	var all []quote
	for _, block := range evidenceBlock().FindAllStringSubmatch(p.user, -1) {
		for line := range strings.Lines(block[2]) {
			number, said, _ := strings.Cut(strings.TrimSpace(line), "| ")
			if said = clip(strings.TrimSpace(said)); said != "" {
				all = append(all, quote{block[1] + ":" + number, said})
			}
		}
	}
	if len(all) == 0 || p.seat < 1 {
		return quote{}, false
	}
	return all[(p.seat-1)%len(all)], true
}

// quoted returns the lines of evidence that a chair's prompt shows.
func (p prompt) quoted() []quote {
	var out []quote
	for _, m := range citedBlock().FindAllStringSubmatch(p.user, -1) {
		out = append(out, quote{m[1], clip(strings.TrimSpace(m[2]))})
	}
	return out
}

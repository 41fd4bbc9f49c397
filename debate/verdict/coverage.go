package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// coverage returns how much of the evidence the seats that vote were shown, where none
// votes all seats. It is nil if that was not stored for a statement of them.
func coverage(s debate.Session) []debate.Coverage {
	shown, ok := shownLines(s)
	if !ok {
		return nil
	}
	var out []debate.Coverage
	for _, e := range s.Evidence {
		if cite.EvidenceRound(s, e.ID) > 0 {
			out = append(out, evidenceCoverage(s, e, shown)...)
		}
	}
	return out
}

// EvidenceSentences say what of the evidence is masked, left out or cannot be shown.
func EvidenceSentences(s debate.Session) (out []string) {
	var all []debate.Coverage
	for _, e := range s.Evidence {
		e.ID = cmp.Or(e.ID, e.Name) // it is not stored yet
		if e.Kind == debate.EvidenceFolder && e.Note != "" {
			out = append(out, text.Line(e.Name)+": "+e.Note)
		}
		all = append(all, evidenceCoverage(s, e, []debate.Citation{{ID: e.ID}})...)
	}
	return append(out, coverageSentences(all, s)...)
}

func evidenceCoverage(s debate.Session, e debate.Evidence, shown []debate.Citation) []debate.Coverage {
	if e.Kind == debate.EvidenceFolder { // the list of its files
		return nil
	}
	seen := make([]bool, e.Lines())
	for _, c := range shown {
		from, to := c.From, c.To
		if from == 0 {
			from, to = 1, len(seen)
		}
		for i := from - 1; c.ID == e.ID && i < min(to, len(seen)); i++ {
			seen[i] = true
		}
	}
	if e.Kind == debate.EvidenceDiff {
		return diffCoverage(e, seen, s.Fit.EvidenceSkip)
	}
	c := debate.Coverage{ID: e.ID, File: e.Name, Folder: ofFolder(s, e)}
	lines := strings.Split(e.Text, "\n")
	for i, ok := range seen {
		addLine(&c, i+1, ok, lines[i])
	}
	return []debate.Coverage{c}
}

// shownLines returns what the statements of voters rest on; of a prompt that a server cut, nothing.
func shownLines(s debate.Session) (shown []debate.Citation, ok bool) {
	voting := voters(s)
	for _, r := range s.History {
		if len(r.Manifest.Evidence) == 0 {
			continue
		}
		for _, x := range r.Responses {
			if !x.HasStatement() || len(voting) > 0 && !slices.Contains(voting, x.Turn.Agent) {
				continue
			}
			if x.Statement.Shown == nil {
				return nil, false
			}
			if x.Statement.Cut == nil {
				shown = append(shown, x.Statement.Shown...)
			}
		}
	}
	return debate.MergeCitations(shown), true
}

// diffCoverage returns the coverage of each file in a diff. Lines that the diff omits count as unshown.
func diffCoverage(e debate.Evidence, seen []bool, skip []string) (out []debate.Coverage) {
	lines, text := debate.ParseDiff(e.Text), strings.Split(e.Text, "\n")
	next := 0
	for _, s := range debate.DiffSections(e.Text, lines, skip) {
		c := debate.Coverage{ID: e.ID, File: s.File, LeftOut: s.LeftOut, Reason: s.Reason}
		for ; next < s.To; next++ { // what is before the first file may have masks too
			if next >= s.From && lines[next].Changes() {
				addLine(&c, next+1, lines[next].Op != debate.DiffUnshown && next < len(seen) && seen[next], text[next])
			} else if masked, _ := secret.Masked(text[next]); masked {
				c.Masked++
			}
		}
		if c.Lines > 0 || c.LeftOut || c.Masked > 0 {
			out = append(out, c)
		}
	}
	return out
}

// addLine counts a line of a file. More than a value may be masked in it, which then was not shown.
func addLine(c *debate.Coverage, n int, shown bool, line string) {
	c.Lines++
	masked, code := secret.Masked(line)
	if masked {
		c.Masked++
	}
	if text.HasHidden(line) {
		c.Hidden++
	}
	if shown && !code {
		return
	}
	c.Count++
	if last := len(c.Unshown) - 1; last >= 0 && c.Unshown[last].To == n-1 {
		c.Unshown[last].To = n
		return
	}
	c.Unshown = append(c.Unshown, debate.Citation{ID: c.ID, From: n, To: n})
}

func ofFolder(s debate.Session, e debate.Evidence) bool {
	return slices.ContainsFunc(s.Evidence, func(f debate.Evidence) bool {
		return f.Kind == debate.EvidenceFolder && strings.HasPrefix(e.Name, strings.TrimSuffix(f.Name, "/")+"/")
	})
}

// shownTo says to whom nothing was shown: other seats than those that vote may have been.
func shownTo(s debate.Session) string {
	if n := len(voters(s)); n > 0 && n < len(s.Seats) {
		return "shown to no voting seat"
	}
	return "shown to no seat"
}

// CoverageSentences say of each file which lines no seat was shown, and what prompts leave out.
func CoverageSentences(s debate.Session) []string { return coverageSentences(coverage(s), s) }

func coverageSentences(all []debate.Coverage, s debate.Session) (out []string) {
	var left []string
	for _, c := range all {
		at := text.Line(c.File) + ": "
		if c.ID != c.File {
			at = text.Line(c.ID) + ", " + at
		}
		if c.Masked > 0 {
			out = append(out, fmt.Sprintf("%svalues that look like secrets are masked in %s.", at, text.LongCount(c.Masked, "line")))
		}
		if c.Hidden > 0 {
			out = append(out, fmt.Sprintf("%s%s %s characters that cannot be seen or that change the order of others.", at,
				text.LongCount(c.Hidden, "line"), text.Inflect(c.Hidden, "has", "have")))
		}
		switch {
		case c.LeftOut && c.Reason != "":
			left = append(left, fmt.Sprintf("%s (%s)", c.File, c.Reason))
		case c.LeftOut:
			left = append(left, c.File)
		case c.Count > 0 && c.Reason != "":
			out = append(out, at+shownTo(s)+": "+strings.TrimSuffix(text.Line(c.Reason), ".")+".")
		case c.Count > 0:
			ranges := text.Each(c.Unshown, func(r debate.Citation) string { return strings.TrimPrefix(r.String(), r.ID+":") })
			const most = 6
			more := ""
			if len(ranges) > most {
				more, ranges = fmt.Sprintf(" and %d more places", len(ranges)-most), ranges[:most]
			}
			out = append(out, fmt.Sprintf("%s%s of %s %s: lines %s%s.", at, text.Number(c.Count),
				text.LongCount(c.Lines, "line"), shownTo(s), strings.Join(ranges, ", "), more))
		}
	}
	if len(left) > 0 {
		out = append(out, "Left out of the prompts: "+text.Line(text.List(left))+".")
	}
	return out
}

// suspectedPrompts returns the responses one of whose prompts its server may have cut: it counted too little
// in two or more, not explained by its cache, or as much in prompts whose lengths differ.
func suspectedPrompts(s debate.Session) map[string]bool {
	byServer := map[string][]debate.PromptCount{}
	for _, n := range s.PromptCounts {
		if n.Purpose == debate.ForMember && !s.SpeakerOf(n.Purpose, n.Turn).Loop && n.Counted >= agents.MinWindow {
			byServer[n.Server] = append(byServer[n.Server], n)
		}
	}
	out := map[string]bool{}
	for _, all := range byServer {
		suspected := slices.DeleteFunc(slices.Clone(all), func(n debate.PromptCount) bool {
			return !agents.LowCount(n.Estimate, n.Counted, n.Cached)
		})
		if len(suspected) == 1 {
			suspected = nil
		}
		for _, n := range all {
			if slices.ContainsFunc(all, func(o debate.PromptCount) bool {
				longer, shorter := max(n.Estimate, o.Estimate), min(n.Estimate, o.Estimate)
				return n.Counted == o.Counted && 10*(longer-shorter) > longer
			}) {
				suspected = append(suspected, n)
			}
		}
		for _, n := range suspected {
			out[debate.TurnID(n.Turn)] = true
		}
	}
	return out
}

package verdict

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
)

// nearLines is how many lines apart two findings may be that are proposed as the same.
const nearLines = 3

// places finds the lines that findings name in the evidence. Diffs are read once.
type places struct {
	session debate.Session
	diffs   map[string][]debate.DiffLine // by evidence
	lines   map[string][]string
}

func newPlaces(s debate.Session) places {
	return places{s, map[string][]debate.DiffLine{}, map[string][]string{}}
}

func (p places) linesOf(e debate.Evidence) []string {
	if _, ok := p.lines[e.ID]; !ok {
		p.lines[e.ID] = strings.Split(strings.TrimSuffix(e.Text, "\n"), "\n")
	}
	return p.lines[e.ID]
}

func (p places) diffOf(e debate.Evidence) []debate.DiffLine {
	if _, ok := p.diffs[e.ID]; !ok {
		p.diffs[e.ID] = debate.ParseDiff(e.Text)
	}
	return p.diffs[e.ID]
}

// of returns the places that a seat states; what names no lines is a place without lines.
func (p places) of(where string) []debate.CodePlace {
	cited := cite.Evidence(where)
	if g, ok := debate.ParseCitationGroup(strings.Trim(where, "[] ")); ok {
		cited = g.Evidence
	}
	var out []debate.CodePlace
	for _, c := range cited {
		out = append(out, p.cited(c))
	}
	if len(out) > 0 {
		return out
	}
	separates := func(r rune) bool { return r == ',' || r == ';' }
	for part := range strings.FieldsFuncSeq(strings.NewReplacer(", line", " line", "`", "").Replace(where), separates) {
		part, _, _ = strings.Cut(part, " (")
		part = strings.Trim(part, " []()`\"'")
		if g, ok := debate.ParseCitationGroup(part); ok && len(g.Evidence) > 0 {
			out = append(out, p.cited(g.Evidence[0]))
		} else if m := pathPattern().FindStringSubmatch(part); m != nil {
			out = append(out, p.named(part, m))
		}
	}
	if len(out) == 0 && where != "" {
		out = []debate.CodePlace{{Stated: where, File: p.fileNamed(strings.Trim(where, " []()`\"'"))}}
	}
	return out
}

func (p places) cited(c debate.Citation) debate.CodePlace {
	out := debate.CodePlace{Stated: c.String(), Cited: c}
	e, ok := cite.FindEvidence(p.session.Evidence, c.ID)
	if !ok || cite.EvidenceRound(p.session, c.ID) != 1 || c.From > c.To || c.To > e.Lines() {
		out.Cited, out.Absent = debate.Citation{}, true
		return out
	}
	if e.Kind != debate.EvidenceDiff {
		if e.Kind == debate.EvidenceFile {
			out.File, out.Line, out.End = e.Name, c.From, c.To
		}
		if c.From > 0 {
			out.Text = clipLines(p.linesOf(e)[c.From-1 : c.To])
		}
		return out
	}
	if c.From > 0 {
		p.setDiffLines(&out, e)
	}
	return out
}

// setDiffLines sets file, lines and text of cited lines of a diff, see debate.DiffPlace.
func (p places) setDiffLines(out *debate.CodePlace, e debate.Evidence) {
	parsed, raw := p.diffOf(e)[out.Cited.From-1:out.Cited.To], p.linesOf(e)[out.Cited.From-1:out.Cited.To]
	at := debate.DiffPlace(parsed)
	out.File, out.Line, out.End, out.Old = cmp.Or(at.File, parsed[0].File), at.Line, at.End, at.Old
	var quoted []string
	for i, l := range parsed {
		if l.Line > 0 && l.Path() == at.File && (l.Op == debate.DiffRemoved) == at.Old {
			quoted = append(quoted, raw[i][min(1, len(raw[i])):])
		}
	}
	out.Text = clipLines(quoted)
}

var pathPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[Ff]\d+:)?(old:)?(\S.*?)(?:#L?|:\s*L?|\s+lines?\s+|\s+L)(\d{1,7})` +
		`(?:(?:\s*[-–—]\s*L?|\.\.)(\d{1,7})|:\d+)?$`)
})

// named returns the place of a path with lines: in the evidence, or else perhaps in the workspace.
func (p places) named(stated string, m []string) debate.CodePlace {
	out := debate.CodePlace{Stated: stated, File: cleanPath(m[2]), Old: m[1] != ""}
	out.Line, _ = strconv.Atoi(m[3]) // digits
	out.End, _ = strconv.Atoi(m[4])
	out.End = max(out.Line, out.End)
	for _, same := range []func(file, name string) bool{wholePath, samePath} {
		for _, e := range p.session.Evidence {
			if cite.EvidenceRound(p.session, e.ID) == 1 && p.find(e, same, &out) {
				return out
			}
		}
	}
	out.Absent = out.Line == 0 || out.Old || !p.inWorkspace(out)
	return out
}

// inWorkspace reports whether a file of the workspace has the lines, as far as it was looked up.
func (p places) inWorkspace(at debate.CodePlace) bool {
	looked := false
	for _, r := range p.session.History[:min(1, len(p.session.History))] {
		for _, x := range r.Responses {
			looked = looked || x.Statement.Named != nil
			for _, f := range x.Statement.Named {
				if f.Path == at.File && at.Line >= 1 && at.End <= f.To {
					return true
				}
			}
		}
	}
	return !looked && p.session.Workspace.Dir != ""
}

// NamedFiles returns the paths of files that the findings of a statement name with lines, each
// once.
func NamedFiles(s debate.Statement) (paths []string) {
	none := places{session: debate.Session{}}
	for _, f := range s.Findings {
		for _, at := range none.of(f.Where) {
			if at.Line > 0 && !at.Old && !slices.Contains(paths, at.File) {
				paths = append(paths, at.File)
			}
		}
	}
	return paths
}

func (p places) find(e debate.Evidence, same func(file, name string) bool, out *debate.CodePlace) bool {
	switch {
	case e.Kind == debate.EvidenceDiff:
		c, file, among := p.inDiff(e, same, *out)
		if among == 0 {
			return false
		}
		stated, line, end := out.Stated, out.Line, out.End
		out.Cited, out.File, out.Line = c, file, 0
		p.setDiffLines(out, e)
		out.Stated, out.Line, out.End = stated, line, end
		if among > 1 {
			out.Among = among
		}
		return true
	case e.Kind == debate.EvidenceFile && !out.Old && same(e.Name, out.File) && out.Line > 0 && out.End <= e.Lines():
		out.Cited, out.File = debate.Citation{ID: e.ID, From: out.Line, To: out.End}, e.Name
		out.Text = clipLines(p.linesOf(e)[out.Line-1 : out.End])
		return true
	}
	return false
}

// inDiff returns the lines of a diff that are those of a file, the file's whole name, and how
// many sections have the first of them: none if the diff does not show it. Of several sections
// it is the last. Removed lines are found by either name of their file.
func (p places) inDiff(e debate.Evidence, same func(file, name string) bool, at debate.CodePlace,
) (c debate.Citation, file string, among int) {
	section := 0
	for i, l := range p.diffOf(e) {
		switch {
		case l.Line < max(1, at.Line) || l.Line > at.End || (l.Op == debate.DiffRemoved) != at.Old:
		case l.Line == at.Line && (same(l.Path(), at.File) || at.Old && same(l.File, at.File)):
			c, file = debate.Citation{ID: e.ID, From: i + 1, To: i + 1}, l.Path()
			if section != l.Section {
				section = l.Section
				among++
			}
		case l.Section == section && l.Line > at.Line:
			c.To = i + 1
		}
	}
	return c, file, among
}

// fileNamed returns the evidence or the file in a diff that a text names; "" for none.
func (p places) fileNamed(name string) string {
	for _, e := range p.session.Evidence {
		if cite.EvidenceRound(p.session, e.ID) != 1 {
			continue
		}
		if e.Kind == debate.EvidenceFile && samePath(e.Name, name) {
			return e.Name
		}
		if e.Kind == debate.EvidenceDiff {
			section := 0
			for _, l := range p.diffOf(e) {
				if l.Section != section && (samePath(l.File, name) || l.OldFile != "" && samePath(l.OldFile, name)) {
					return l.File
				}
				section = l.Section
			}
		}
	}
	return ""
}

func cleanPath(name string) string {
	return path.Clean(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))
}

// wholePath reports whether a name that a seat wrote is that of a file, also as diffs write it.
func wholePath(file, name string) bool {
	file, name = cleanPath(file), cleanPath(name)
	return file == name || file == strings.TrimPrefix(name, "b/") || file == strings.TrimPrefix(name, "a/")
}

// samePath reports whether a name that a seat wrote is that of a file, or the end of it.
func samePath(file, name string) bool {
	return wholePath(file, name) || strings.HasSuffix(cleanPath(file), "/"+cleanPath(name))
}

func clipLines(lines []string) string {
	return text.Clip(strings.Join(lines[:min(len(lines), cite.MaxCitedLines)], "\n"), cite.MaxCitedBytes)
}

func hasLines(p debate.CodePlace) bool { return p.Line > 0 && p.File != "" && !p.Absent }

// touch reports whether two places are near; removed lines are compared by where they are in the diff.
func touch(a, b debate.CodePlace) bool {
	switch {
	case !hasLines(a) || !hasLines(b) || a.File != b.File && a.Old == b.Old:
		return false
	case a.Old != b.Old:
		return a.Cited.ID != "" && a.Cited.ID == b.Cited.ID && near(a.Cited.From, a.Cited.To, b.Cited.From, b.Cited.To)
	}
	return near(a.Line, a.End, b.Line, b.End)
}

func near(from, to, otherFrom, otherTo int) bool {
	return from <= max(otherFrom, otherTo)+nearLines && otherFrom <= max(from, to)+nearLines
}

package verdict

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
)

// nearLines is how many lines apart two findings may be that are proposed as the same.
const nearLines = 3

// places finds the lines that findings name in the evidence of round 1.
type places struct {
	session debate.Session
	sources []*source
}

// source is evidence. Its lines are read when they are first needed.
type source struct {
	debate.Evidence
	lines []debate.DiffLine // those of a file are all kept
	text  []string          // without the signs of a diff
}

func newPlaces(s debate.Session) places {
	p := places{session: s}
	for _, e := range s.Evidence {
		if cite.EvidenceRound(s, e.ID) == 1 {
			p.sources = append(p.sources, &source{Evidence: e})
		}
	}
	return p
}

func (src *source) read() {
	if src.lines != nil {
		return
	}
	src.text = strings.Split(strings.TrimSuffix(src.Text, "\n"), "\n")
	src.lines = make([]debate.DiffLine, len(src.text))
	if src.Kind == debate.EvidenceDiff {
		src.lines = debate.ParseDiff(src.Text)
	}
	for i, line := range src.text {
		switch src.Kind {
		case debate.EvidenceDiff:
			src.text[i] = line[min(1, len(line)):]
		case debate.EvidenceFile:
			src.lines[i] = debate.DiffLine{Op: debate.DiffContext, Section: 1, File: src.Name, Line: i + 1}
		case debate.EvidenceFolder: // its lines are in no file
		}
	}
}

// of returns the places that a seat states; what names no lines is a place without lines.
func (p places) of(where string) []debate.CodePlace {
	cited := cite.In(where).Evidence
	if g, ok := debate.ParseCitationGroup(strings.Trim(where, "[] ")); ok {
		cited = g.Evidence
	}
	out := text.Each(cited, p.cited)
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
	i := slices.IndexFunc(p.sources, func(src *source) bool { return src.ID == c.ID })
	if i < 0 || c.From > c.To || c.To > p.sources[i].Lines() {
		out.Cited, out.Absent = debate.Citation{}, true
	} else if c.From > 0 {
		p.sources[i].setLines(&out)
	} else if p.sources[i].Kind == debate.EvidenceFile {
		out.File = p.sources[i].Name
	}
	return out
}

// setLines sets file, lines and text of cited lines, see debate.DiffPlace.
func (src *source) setLines(out *debate.CodePlace) {
	src.read()
	from := out.Cited.From - 1
	lines := src.lines[from:out.Cited.To]
	at := debate.DiffPlace(lines)
	out.File, out.Line, out.End, out.Old = cmp.Or(at.File, lines[0].File), at.Line, at.End, at.Old
	var quoted []string
	for i, l := range lines {
		there := src.Kind == debate.EvidenceFolder || l.Line > 0 && l.Path() == at.File && (l.Op == debate.DiffRemoved) == at.Old
		if there && len(quoted) < cite.MaxCitedLines {
			quoted = append(quoted, src.text[from+i])
		}
	}
	out.Text = text.Clip(strings.Join(quoted, "\n"), cite.MaxCitedBytes)
}

var pathPattern = text.Regexp(`^(?:[Ff]\d+:)?(old:)?(\S.*?)(?:#L?|:\s*L?|\s+lines?\s+|\s+L)(\d{1,7})` +
	`(?:(?:\s*[-–—]\s*L?|\.\.)(\d{1,7})|:\d+)?$`)

// named returns the place of a path with lines: in the evidence, or else perhaps in the workspace.
func (p places) named(stated string, m []string) debate.CodePlace {
	out := debate.CodePlace{Stated: stated, File: debate.CleanCitedPath(strings.TrimSpace(m[2])), Old: m[1] != ""}
	out.Line, _ = strconv.Atoi(m[3]) // digits
	out.End, _ = strconv.Atoi(m[4])
	out.End = max(out.Line, out.End)
	for _, same := range []func(file, name string) bool{wholePath, samePath} {
		for _, src := range p.sources {
			if src.find(same, &out) {
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

// NamedFiles returns the paths that the findings of a statement name with lines, each once.
func NamedFiles(s debate.Statement) (paths []string) {
	for _, f := range s.Findings {
		for _, at := range (places{}).of(f.Where) {
			if at.Line > 0 && !at.Old && !slices.Contains(paths, at.File) {
				paths = append(paths, at.File)
			}
		}
	}
	return paths
}

// find sets the lines that are those of a file, of several sections of the last; false if the source does not
// show the first of them. Removed lines are found by either name.
func (src *source) find(same func(file, name string) bool, out *debate.CodePlace) bool {
	at, section, among := *out, 0, 0
	if src.Kind != debate.EvidenceDiff && (src.Kind != debate.EvidenceFile || !same(src.Name, at.File) || at.End > src.Lines()) {
		return false
	}
	src.read()
	for i, l := range src.lines {
		switch {
		case l.Line < max(1, at.Line) || l.Line > at.End || (l.Op == debate.DiffRemoved) != at.Old:
		case l.Line == at.Line && (same(l.Path(), at.File) || at.Old && same(l.File, at.File)):
			out.Cited = debate.Citation{ID: src.ID, From: i + 1, To: i + 1}
			if section != l.Section {
				section = l.Section
				among++
			}
		case l.Section == section && l.Line > at.Line:
			out.Cited.To = i + 1
		}
	}
	if among == 0 {
		return false
	}
	src.setLines(out)
	out.Line, out.End = at.Line, at.End
	if among > 1 {
		out.Among = among
	}
	return true
}

func (p places) fileNamed(name string) string {
	for _, src := range p.sources {
		if src.Kind == debate.EvidenceFile && samePath(src.Name, name) {
			return src.Name
		} else if src.Kind != debate.EvidenceDiff {
			continue
		}
		src.read()
		section := 0
		for _, l := range src.lines {
			if l.Section != section && (samePath(l.File, name) || l.OldFile != "" && samePath(l.OldFile, name)) {
				return l.File
			}
			section = l.Section
		}
	}
	return ""
}

// wholePath reports whether a name that a seat wrote is that of a file, also as diffs write it.
func wholePath(file, name string) bool {
	file, name = debate.CleanCitedPath(file), debate.CleanCitedPath(name)
	return file == name || file == strings.TrimPrefix(name, "b/") || file == strings.TrimPrefix(name, "a/")
}

func samePath(file, name string) bool {
	return wholePath(file, name) || strings.HasSuffix(debate.CleanCitedPath(file), "/"+debate.CleanCitedPath(name))
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

package evidence

import (
	"cmp"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// diffBegin matches lines that diff or git write first. diffHeader matches what may be before a
// diff: the header of a commit, of a mail with a patch, or a table of what changed.
var (
	diffBegin  = text.Regexp(`(?m)^(?:diff --(?:git|cc) |diff -[^-]|Index: |--- .*\n\+\+\+ .*\n@@ )`)
	diffHeader = text.Regexp(`\A(?:(?:commit|From|tree|# HG changeset patch|From:|Date:|Subject:|Message-I[dD]:)[ \n]` +
		`| \S.* \| +\d+ [+-]+\n)`)
	colours = text.Regexp(`\x1b\[[0-9;]*[mK]`)
)

// isDiff reports whether a text is the output of diff or git, rather than one that
// quotes it.
func isDiff(name, content string) bool {
	head := strings.TrimLeft(content, "\n")
	at := diffBegin().FindStringIndex(head)
	return at != nil && (at[0] == 0 || diffHeader().MatchString(head)) ||
		(strings.HasSuffix(name, ".diff") || strings.HasSuffix(name, ".patch")) && strings.Contains(content, "\n@@ ")
}

// masked returns a text in which the values that look like secrets are masked. Of a diff the old
// and the new lines are texts of their own, and files of keys are not shown.
func masked(kind debate.EvidenceKind, content string) string {
	if kind != debate.EvidenceDiff {
		return secret.MaskLines(content)
	}
	parsed, lines := debate.ParseDiff(content), strings.Split(content, "\n")
	begin := len(parsed)
	for _, s := range slices.Backward(debate.DiffSections(content, parsed, nil)) {
		begin = s.From
		part, at := lines[s.From:s.To], parsed[s.From:s.To]
		if s.Reason == "" && isKeyFile(s, part, at) {
			lines = slices.Replace(lines, s.From, s.To, "diff --git a/"+cmp.Or(s.OldFile, s.File)+" b/"+s.File,
				debate.DiffNotShown+"a file of keys or passwords; as a file of its own it can be included")
			continue
		}
		copy(part, maskedLines(part, at))
	}
	copy(lines, maskedLines(lines[:begin], parsed[:begin]))
	return strings.Join(lines, "\n")
}

// side returns the lines of a section that are those of the old file, of the new one, or of
// neither, without their signs, and where they are.
func side(lines []string, parsed []debate.DiffLine, op debate.DiffOp) (text string, at []int) {
	var b strings.Builder
	for i, l := range parsed {
		inFile := l.Op == debate.DiffContext || l.Op == debate.DiffAdded || l.Op == debate.DiffRemoved
		if l.Op == op || inFile && l.Op == debate.DiffContext && op != debate.DiffOther || !inFile && op == debate.DiffOther {
			at = append(at, i)
			b.WriteString(lines[i][signs(l, lines[i]):] + "\n")
		}
	}
	return b.String(), at
}

// signs returns the length of the signs that begin a line: two bytes in context and combined diffs.
func signs(l debate.DiffLine, line string) int {
	most := 1
	if l.Line == 0 {
		most = 2
	}
	n := 0
	for n < min(most, len(line)) && strings.IndexByte("+-! ", line[n]) >= 0 && (l.Line > 0 || l.Op == debate.DiffMeta) {
		n++
	}
	return n
}

// maskedLines returns lines of which each side is masked as a text of its own. A line of context is
// in two of them, and what one of them masks stays masked.
func maskedLines(lines []string, parsed []debate.DiffLine) []string {
	out := slices.Clone(lines)
	for _, op := range []debate.DiffOp{debate.DiffOther, debate.DiffRemoved, debate.DiffAdded} {
		text, at := side(lines, parsed, op)
		for j, line := range strings.SplitN(secret.MaskLines(text), "\n", len(at)+1)[:len(at)] {
			i := at[j]
			if n := signs(parsed[i], lines[i]); line != lines[i][n:] {
				out[i] = lines[i][:n] + line
			}
		}
	}
	return out
}

// isKeyFile reports whether a section of a diff is about a file of keys or passwords, by its
// path and by what it shows.
func isKeyFile(s debate.DiffSection, lines []string, parsed []debate.DiffLine) bool {
	if !secret.File(s.File) && !secret.File(s.OldFile) {
		return false
	}
	old, _ := side(lines, parsed, debate.DiffRemoved)
	now, _ := side(lines, parsed, debate.DiffAdded)
	placeless, _ := side(lines, parsed, debate.DiffMeta)
	return secret.IsKeyFile(old) || secret.IsKeyFile(now) || secret.IsKeyFile(placeless)
}

package changes

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/debate"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

type writer struct {
	*repo
	options Options
}

type section struct {
	change
	before, after content
	why           string // the line that says what is not shown or does not count
	hunks         string
}

// write returns a diff of the changes, by path; what others wrote, or a program, is last.
func (w *writer) write(ctx context.Context, all []change) (string, error) {
	if err := w.startBlobs(ctx); err != nil {
		return "", err
	}
	var sections []section
	for _, c := range all {
		made, err := w.sectionsOf(c)
		if err != nil {
			return "", err
		}
		sections = append(sections, made...)
	}
	if err := w.compare(ctx, sections); err != nil {
		return "", err
	}
	for i := range sections {
		sections[i].mask()
	}
	slices.SortStableFunc(sections, func(a, b section) int { return strings.Compare(a.new.path, b.new.path) })
	var early, late []section
	for _, s := range sections {
		if w.isVendored(s.new.path) || s.isGenerated() {
			late = append(late, s)
		} else {
			early = append(early, s)
		}
	}
	return join(append(early, late...))
}

// isVendored reports whether a file is a copy of another project's: in a folder for such copies at
// the root, or beside a manifest.
func (w *writer) isVendored(path string) bool {
	manifests := strings.Fields("go.mod package.json Cargo.toml composer.json pyproject.toml Gemfile")
	for _, folder := range []string{"/vendor/", "/third_party/"} {
		at, _, ok := strings.Cut("/"+path, folder)
		hasManifest := func(name string) bool {
			_, err := os.Lstat(filepath.Join(w.root, at, name))
			return err == nil
		}
		if ok && (at == "" || slices.ContainsFunc(manifests, hasManifest)) {
			return true
		}
	}
	return false
}

var generatedMark = text.Regexp(`(?m)^.*(?:Code generated .*DO NOT EDIT|@generated).*$`)

// isGenerated reports whether a line that did not change says that a program writes the file.
func (s section) isGenerated() bool {
	line := generatedMark().FindString(s.after.text)
	return line != "" && strings.Contains("\n"+s.before.text+"\n", "\n"+line+"\n")
}

// sectionsOf returns what is to be written of a change. A file that became something else, such
// as a link, is one that was removed and one that is new, as for git.
func (w *writer) sectionsOf(c change) ([]section, error) {
	if c.old.mode != "" && c.new.mode != "" && c.old.mode[:2] != c.new.mode[:2] {
		removed, err := w.sectionsOf(change{old: c.old, new: version{path: c.old.path}})
		if err != nil {
			return nil, err
		}
		added, err := w.sectionsOf(change{old: version{path: c.new.path}, new: c.new})
		return append(removed, added...), err
	}
	s := section{change: c}
	if debate.MatchPath(w.options.Exclude, c.old.path) || debate.MatchPath(w.options.Exclude, c.new.path) {
		s.why = debate.DiffNotCounted + "left out by the pattern of the review"
		return []section{s}, nil
	}
	var err error
	if s.before, err = w.contentOf(c.old); err == nil {
		s.after, err = w.contentOf(c.new)
	}
	if err != nil {
		return nil, err
	}
	if c.unshown != "" { // without modes nothing was read
		s.why = debate.DiffNotShown + c.unshown
	} else {
		w.explain(&s)
	}
	setLineEnds(&s.before, &s.after)
	return []section{s}, nil
}

func (w *writer) explain(s *section) {
	unshown, known := s.before.unshown, s.before.known
	if s.after.unshown != "" { // the text before it was not deleted
		unshown, known, s.before.text = s.after.unshown, s.after.known, ""
	}
	how := fmt.Sprintf("%s before, %s after", text.Bytes(s.before.size), text.Bytes(s.after.size))
	switch {
	case s.new.mode == modeSubmodule:
		s.why = debate.DiffNotShown + "what changed within the submodule"
	case (secret.File(s.old.path) || secret.File(s.new.path)) && (secret.IsKeyFile(s.before.text) || secret.IsKeyFile(s.after.text)) &&
		!slices.ContainsFunc(w.options.Include, s.isNamed):
		s.why = debate.DiffNotShown + "a file of keys or passwords; --include " + text.Line(s.new.path) + " shows it with its values masked"
		s.before.text, s.after.text = "", ""
	case s.old.id == s.new.id: // only its name or its mode is another
	case unshown != "" && known != "":
		s.why = debate.DiffNotCounted + known + ", " + how + ", shown to no seat"
	case unshown != "":
		s.why = debate.DiffNotShown + unshown + ", " + how
	case s.before.text == s.after.text && s.old.mode != "" && s.new.mode != "":
		s.why = debate.DiffNotShown + "bytes that the text does not have, " + how
	}
}

// isNamed reports whether a path of the user's is that of the change.
func (c change) isNamed(path string) bool {
	return filepath.ToSlash(filepath.Clean(path)) == c.new.path
}

// compare sets the hunks of all sections. Git compares two folders outside of any repository,
// in which files have numbers for names.
func (w *writer) compare(ctx context.Context, sections []section) error {
	dir := filepath.Join(w.tmp, "compared")
	for _, side := range []string{"a", "b"} {
		if err := os.MkdirAll(filepath.Join(dir, side), 0o700); err != nil {
			return err
		}
	}
	for i, s := range sections {
		for side, content := range map[string]string{"a": s.before.text, "b": s.after.text} {
			if content != "" && s.before.text != s.after.text {
				if err := os.WriteFile(filepath.Join(dir, side, strconv.Itoa(i)), []byte(content), 0o600); err != nil {
					return err
				}
			}
		}
	}
	apart := &repo{root: dir}
	apart.env = append(strings.Fields("GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1 GIT_DIR="+os.DevNull), "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	// A heading behind the first line of a hunk may be a part of a key.
	plain := strings.Fields("-c diff.default.xfuncname=^$a diff --no-index --no-ext-diff --no-textconv --no-color --no-renames --text a b")
	out, err := apart.git(ctx, "", plain...)
	if err != nil && out == "" { // it reports a difference as a failure
		return fmt.Errorf("git diff: %w", err)
	}
	for part := range strings.SplitSeq("\n"+out, "\ndiff --git a/") { // a line of a file never begins so
		_, name, _ := strings.Cut(part[:max(strings.IndexByte(part, '\n'), 0)], " b/")
		_, number, _ := strings.Cut(name, "/")
		i, err := strconv.Atoi(number)
		if at := strings.Index(part, "\n@@ "); err == nil && i < len(sections) && at >= 0 {
			sections[i].hunks = strings.TrimSuffix(part[at+1:], "\n") + "\n"
		}
	}
	return nil
}

// mask masks the values in the hunks of a section that look like secrets. The whole versions
// tell what is one: a hunk may show a part of a key only, and one version its body without its
// first line. So a line that is masked in one of them is masked wherever it is.
func (s *section) mask() {
	masked := map[string]string{}
	for _, content := range []string{s.before.text, s.after.text} {
		now := strings.Split(secret.MaskLines(content), "\n")
		for i, line := range strings.Split(content, "\n") {
			if now[i] != line {
				masked[line] = now[i]
			}
		}
	}
	lines := strings.Split(s.hunks, "\n")
	for i, line := range lines {
		sign := min(1, len(line))
		if hidden, ok := masked[line[sign:]]; ok {
			lines[i] = line[:sign] + hidden
		}
	}
	s.hunks = strings.Join(lines, "\n")
}

// join returns the sections as one text. The hunks that have no room are not shown.
func join(sections []section) (string, error) {
	const noRoom = 150 // for the line that says so
	room := debate.MaxEvidenceSize
	for _, s := range sections {
		room -= len(s.head()) + noRoom
	}
	if room < 0 {
		return "", fmt.Errorf("%d files have changed, more than a review has room for; leave some out by --exclude", len(sections))
	}
	var b strings.Builder
	for _, s := range sections {
		if room -= len(s.hunks); room < 0 && s.hunks != "" {
			room += len(s.hunks)
			s.why = fmt.Sprintf("%s%s of changes, more than a review has room for", debate.DiffNotShown, text.Bytes(int64(len(s.hunks))))
			s.hunks = ""
		}
		b.WriteString(s.head() + s.hunks)
	}
	return b.String(), nil
}

// head returns the lines of a section before its hunks, as git writes them.
func (s section) head() string {
	before, after := quoted("a/", s.old.path), quoted("b/", s.new.path)
	var b strings.Builder
	line := func(words ...string) { b.WriteString(strings.Join(words, "") + "\n") }
	line("diff --git ", before, " ", after)
	if s.why != "" {
		line(text.Line(s.why))
	}
	switch {
	case s.old.mode == "" && s.new.mode != "":
		line("new file mode ", s.new.mode)
	case s.new.mode == "" && s.old.mode != "":
		line("deleted file mode ", s.old.mode)
	case s.old.mode != s.new.mode:
		line("old mode ", s.old.mode)
		line("new mode ", s.new.mode)
	}
	if s.old.path != s.new.path {
		line("rename from ", quoted("", s.old.path))
		line("rename to ", quoted("", s.new.path))
	}
	if s.hunks != "" {
		if s.old.mode == "" {
			before = os.DevNull
		}
		if s.new.mode == "" {
			after = os.DevNull
		}
		line("--- ", before)
		line("+++ ", after)
	}
	return b.String()
}

func quoted(prefix, path string) string {
	odd := func(r rune) bool { return r == '"' || r == '\\' || !unicode.IsPrint(r) }
	if path = prefix + path; !utf8.ValidString(path) || strings.ContainsFunc(path, odd) {
		return strconv.Quote(path)
	}
	return path
}

package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"roundtable/agents/tools"
	"roundtable/internal/text"
)

const (
	maxSearched = 64 << 10 // bytes of a line in which a pattern is searched
	maxShown    = 300      // bytes of a line that are shown with a match
)

func search(b Bounds) tools.Tool {
	return reading(
		"search", "Search the text files of the workspace for lines that match a regular expression. "+
			"Files that a .gitignore leaves out are not searched.",
		`"pattern":{"type":"string","minLength":1,"maxLength":500,`+
			`"description":"A regular expression in RE2 syntax, matched line by line; (?i) ignores case."},`+
			pathHelp+` Only this file, or below this folder.","default":"."},`+
			`"glob":{"type":"string","maxLength":200,"description":"Only files whose path matches, such as *.go or src/**/*.ts."}},`+
			`"required":["pattern"]`,
		b.search,
	)
}

type searchArguments struct {
	Pattern string
	Path    string
	Glob    string
}

func (b Bounds) search(ctx context.Context, _ tools.Context, root *os.Root, in searchArguments) (tools.Output, error) {
	pattern, err := regexp.Compile(in.Pattern)
	if err != nil {
		return tools.Output{}, fmt.Errorf("the pattern is not valid in RE2 syntax: %w", err)
	}
	matches, err := compileGlob(cmp.Or(in.Glob, "*"))
	if err != nil {
		return tools.Output{}, err
	}
	s := searching{walk: walk{ctx: ctx, results: results{bounds: b}}, pattern: pattern, left: b.Bytes}
	s.visit = func(p string) error {
		if !matches(p) {
			return nil
		}
		return s.file(root, p)
	}
	at, info, err := resolve(root, in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	if info.IsDir() {
		err = s.run(root, at)
	} else {
		err = s.one(root, at, in.Path, info)
	}
	if err != nil {
		return tools.Output{}, err
	}
	heading := "no line matches"
	if s.found > 0 {
		heading = fmt.Sprintf("%d %s in %s", s.found, text.Inflect(s.found, "line matches", "lines match"), text.Count(s.files, "file"))
	}
	return s.output(heading, "matches"), nil
}

type searching struct {
	walk
	pattern *regexp.Regexp
	left    int64 // bytes that may still be read
	files   int   // with a match
}

func (s *searching) one(root *os.Root, at, asked string, info fs.FileInfo) error {
	if err := checkRegular(asked, info); err != nil {
		return err
	}
	s.until = time.Now().Add(s.bounds.Time)
	if err := s.file(root, at); !errors.Is(err, errStop) {
		return err
	}
	return nil
}

// file searches a file. One that cannot be read is noted, one that is binary is passed
// over.
func (s *searching) file(root *os.Root, p string) (err error) {
	f, info, err := openRegular(root, p, p)
	if err != nil {
		s.notes.add("%s", sentence(err))
		return nil
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if s.left -= min(info.Size(), maxScan); s.left < 0 {
		s.notes.add("Stopped after %d bytes; the rest was not searched.", s.bounds.Bytes)
		return errStop
	}
	c := newContent(f, info.Size())
	if c.binary {
		return nil
	}
	if info.Size() > maxScan {
		s.notes.add("Of %s only the first %d bytes were searched.", quote(p), maxScan)
	}
	before := s.results
	if err = s.linesOf(c, p); s.found == before.found {
		return err
	}
	if holdsKey(f, info.Size()) {
		s.results = before
		s.notes.add("%s", sentence(&RefusedError{p, ruleSecret}))
		return nil
	}
	s.files++
	return err
}

func (s *searching) linesOf(c *content, p string) error {
	for n := 1; ; n++ {
		line, length, err := c.line(maxSearched)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			s.notes.add("%s", sentence(reason(p, err)))
			return nil
		}
		if n%64 == 0 {
			if err := s.inTime(); err != nil {
				return err
			}
		}
		if length > len(line) {
			s.notes.add("Of lines of more than %d bytes only the beginning was searched.", maxSearched)
		}
		at := s.pattern.FindIndex(line)
		if at == nil {
			continue
		}
		s.add(fmt.Sprintf("%s:%d: %s", legible(text.Clip(p, maxName)), n, legible(text.Around(string(line), at[0], maxShown))))
		if s.full() {
			s.notes.add("Stopped after %d matches; there are more.", len(s.lines))
			s.found--
			return errStop
		}
	}
}

func sentence(err error) string {
	s := err.Error()
	if s[len(s)-1] != '.' {
		s += "."
	}
	return s
}

// maxBraces is how many groups in braces a glob may have: their alternatives multiply.
const maxBraces = 3

func findFiles(b Bounds) tools.Tool {
	return reading(
		"find_files", "Find files of the workspace by name. Files that a .gitignore leaves out are not found.",
		`"pattern":{"type":"string","minLength":1,"maxLength":200,`+
			`"description":"A glob such as *.go, src/**/*_test.go or {a,b}.txt; ** stands for any folders. `+
			`It is matched with paths relative to the workspace; without a slash, with the names of files."},`+
			pathHelp+` Only below this folder.","default":"."}},"required":["pattern"]`,
		b.find,
	)
}

func (b Bounds) find(ctx context.Context, _ tools.Context, root *os.Root, in struct{ Pattern, Path string }) (tools.Output, error) {
	matches, err := compileGlob(in.Pattern)
	if err != nil {
		return tools.Output{}, err
	}
	at, info, err := resolve(root, in.Path)
	if err != nil {
		return tools.Output{}, err
	}
	if !info.IsDir() {
		return tools.Output{}, fmt.Errorf("%s is not a folder", quote(in.Path))
	}
	w := walk{ctx: ctx, results: results{bounds: b}}
	w.visit = func(p string) error {
		if matches(p) {
			w.add(legible(p))
		}
		return nil
	}
	if err := w.run(root, at); err != nil {
		return tools.Output{}, err
	}
	return w.output(fmt.Sprintf("%d %s", w.found, text.Inflect(w.found, "file matches", "files match")), "paths"), nil
}

// compileGlob returns whether a path matches a glob. One without a slash is matched with
// the name of the file alone.
func compileGlob(glob string) (func(p string) bool, error) {
	switch {
	case strings.Count(glob, "{") > maxBraces:
		return nil, fmt.Errorf("the glob has more than %d groups in braces", maxBraces)
	case !doublestar.ValidatePattern(glob):
		return nil, fmt.Errorf("%s is not a valid glob; examples: *.go, src/**/*_test.go, {a,b}.txt", quote(glob))
	}
	if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
	return func(p string) bool { return doublestar.MatchUnvalidated(glob, p) }, nil
}

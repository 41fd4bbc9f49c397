package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/text"
)

const (
	maxSearched = 64 << 10 // bytes of a line in which a pattern is searched
	maxShown    = 300      // bytes of a line that are shown with a match
)

type search struct{ reader }

// Spec implements tools.Tool.
func (search) Spec() agents.ToolSpec {
	return spec(
		"search", "Search the text files of the workspace for lines that match a regular expression. "+
			"Files that a .gitignore leaves out are not searched.",
		argument{
			name: "pattern", required: true,
			schema: `"type":"string","minLength":1,"maxLength":500,` +
				`"description":"A regular expression in RE2 syntax, matched line by line; (?i) ignores case."`,
		},
		argument{name: "path", schema: pathHelp + ` Only this file, or below this folder.","default":"."`},
		argument{
			name:   "glob",
			schema: `"type":"string","maxLength":200,"description":"Only files whose path matches, such as *.go or src/**/*.ts."`,
		},
	)
}

type searchArguments struct {
	Pattern string
	Path    string
	Glob    string
}

// Run implements tools.Tool.
func (t search) Run(ctx context.Context, tc tools.Context, args json.RawMessage) (tools.Output, error) {
	return opened(ctx, tc, args, func(root *os.Root, in searchArguments) (tools.Output, error) {
		pattern, err := regexp.Compile(in.Pattern)
		if err != nil {
			return tools.Output{}, fmt.Errorf("the pattern is not valid in RE2 syntax: %w", err)
		}
		matches := func(string) bool { return true }
		if in.Glob != "" {
			if matches, err = compileGlob(in.Glob); err != nil {
				return tools.Output{}, err
			}
		}
		s := searching{walk: walk{ctx: ctx, bounds: t.bounds}, pattern: pattern, left: t.bounds.Bytes, results: results{bounds: t.bounds}}
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
		return s.output(), nil
	})
}

type searching struct {
	walk
	pattern *regexp.Regexp
	left    int64 // bytes that may still be read
	results results
	files   int // with a match
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
	before := s.results.found
	kept := s.results
	err = s.lines(c, p)
	if s.results.found > before && holdsKey(f, info.Size()) {
		s.results = kept
		s.notes.add("%s", sentence(&RefusedError{p, ruleSecret}))
		return nil
	}
	if s.results.found > before {
		s.files++
	}
	return err
}

func (s *searching) lines(c *content, p string) error {
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
		s.results.add(fmt.Sprintf("%s:%d: %s", legible(text.Clip(p, maxName)), n, legible(text.Around(string(line), at[0], maxShown))))
		if s.results.full() {
			s.notes.add("Stopped after %d matches; there are more.", len(s.results.lines))
			s.results.found--
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

func (s *searching) output() tools.Output {
	r := s.results
	r.notes = s.notes
	heading := "no line matches"
	if r.found > 0 {
		heading = fmt.Sprintf("%d %s in %s", r.found, text.Inflect(r.found, "line matches", "lines match"), text.Count(s.files, "file"))
	}
	return r.output(heading, "matches")
}

// maxBraces is how many groups in braces a glob may have: their alternatives multiply.
const maxBraces = 3

type findFiles struct{ reader }

// Spec implements tools.Tool.
func (findFiles) Spec() agents.ToolSpec {
	return spec(
		"find_files", "Find files of the workspace by name. Files that a .gitignore leaves out are not found.",
		argument{
			name: "pattern", required: true,
			schema: `"type":"string","minLength":1,"maxLength":200,` +
				`"description":"A glob such as *.go, src/**/*_test.go or {a,b}.txt; ** stands for any folders. ` +
				`It is matched with paths relative to the workspace; without a slash, with the names of files."`,
		},
		argument{name: "path", schema: pathHelp + ` Only below this folder.","default":"."`},
	)
}

type findArguments struct {
	Pattern string
	Path    string
}

// Run implements tools.Tool.
func (t findFiles) Run(ctx context.Context, tc tools.Context, args json.RawMessage) (tools.Output, error) {
	return opened(ctx, tc, args, func(root *os.Root, in findArguments) (tools.Output, error) {
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
		r := results{bounds: t.bounds}
		w := walk{ctx: ctx, bounds: t.bounds}
		w.visit = func(p string) error {
			if matches(p) {
				r.add(legible(p))
			}
			return nil
		}
		if err := w.run(root, at); err != nil {
			return tools.Output{}, err
		}
		r.notes = w.notes
		heading := fmt.Sprintf("%d %s", r.found, text.Inflect(r.found, "file matches", "files match"))
		return r.output(heading, "paths"), nil
	})
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

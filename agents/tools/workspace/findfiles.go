package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"roundtable/agents"
	"roundtable/agents/tools"
)

const (
	maxGlob = 200 // bytes
	// maxBraces is how many groups in braces a glob may have: their alternatives multiply.
	maxBraces = 3
)

// findFiles lists the files whose paths match a glob.
type findFiles struct{ bounds Bounds }

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
	return opened(tc, args, func(root *os.Root, in findArguments) (tools.Output, error) {
		matches, err := compileGlob(in.Pattern)
		if err != nil {
			return tools.Output{}, err
		}
		at, info, err := resolve(ctx, root, in.Path)
		if err != nil {
			return tools.Output{}, err
		}
		if !info.IsDir() {
			return tools.Output{}, fmt.Errorf("%s is not a folder", quote(in.Path))
		}
		r := results{bounds: t.bounds}
		w := walk{ctx: ctx, bounds: t.bounds}
		w.visit = func(_ *os.Root, _, p string) error {
			if matches(p) {
				r.add(legible(p))
			}
			return nil
		}
		if err := w.run(root, at); err != nil {
			return tools.Output{}, err
		}
		r.notes = w.notes
		return r.output(count(r.found, "file matches", "files match"), "paths"), nil
	})
}

// compileGlob returns whether a path matches a glob. One without a slash is matched with
// the name of the file alone.
func compileGlob(glob string) (func(p string) bool, error) {
	switch {
	case len(glob) > maxGlob:
		return nil, fmt.Errorf("the glob is longer than %d bytes", maxGlob)
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

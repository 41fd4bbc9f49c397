package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// Tools returns the tools that read a workspace.
func Tools() []tools.Tool { return ToolsWithin(DefaultBounds()) }

// ToolsWithin returns the tools that read a workspace, with other bounds.
func ToolsWithin(b Bounds) []tools.Tool {
	return []tools.Tool{listDir(b), findFiles(b), readFile(b), search(b)}
}

const pathHelp = `"path":{"type":"string","description":"Relative to the workspace, such as src/main.go.`

// reading returns a tool that reads the folder of the calling agent. Schema has its arguments.
func reading[A any](
	name, description, schema string, run func(context.Context, tools.Context, *os.Root, A) (tools.Output, error),
) tools.Tool {
	opened := func(ctx context.Context, tc tools.Context, in A) (out tools.Output, err error) {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		root, err := tc.Workspace.Open()
		if err != nil {
			return tools.Output{}, err
		}
		defer func() { err = errors.Join(err, root.Close()) }()
		if out, err = run(ctx, tc, root, in); err == nil {
			out.Text = tc.Foreign("the workspace", out.Text)
		}
		return out, err
	}
	schema = `{"type":"object","properties":{` + schema + "}"
	return tools.Tool{
		Spec: agents.ToolSpec{Name: name, Description: description, Schema: json.RawMessage(schema)},
		Run:  tools.WithArguments(opened), NeedsWorkspace: true,
	}
}

func listDir(b Bounds) tools.Tool {
	return reading(
		"list_dir", "List a folder of the workspace. Files that a .gitignore leaves out are not shown.",
		pathHelp+` \".\" is the workspace itself.","default":"."}},"required":[]`,
		func(_ context.Context, tc tools.Context, root *os.Root, in struct{ Path string }) (tools.Output, error) {
			return b.list(root, in.Path, tc.Workspace.Info().Note)
		},
	)
}

func (b Bounds) list(root *os.Root, asked, lacks string) (tools.Output, error) {
	at, info, err := resolve(root, asked)
	if err != nil {
		return tools.Output{}, err
	}
	if !info.IsDir() {
		if info.Mode().IsRegular() {
			return tools.Output{}, fmt.Errorf("%s is a file: use read_file", quote(asked))
		}
		return tools.Output{}, &RefusedError{asked, ruleSpecial + kindOf(info.Mode())}
	}
	rules, _ := rulesTo(root, at, true)
	entries, err := fs.ReadDir(root.FS(), at)
	if err != nil {
		return tools.Output{}, reason(asked, err)
	}
	r := results{bounds: b}
	hidden := 0
	for _, e := range entries {
		p := path.Join(at, e.Name())
		if isGit(e.Name()) || !e.IsDir() && secret.File(p) || rules.match(p, e.IsDir()) {
			hidden++
			continue
		}
		if r.full() {
			r.found++
			continue
		}
		r.add(describe(root, p))
	}
	heading := quote(at) + " has " + text.Count(r.found, "entry")
	if hidden > 0 {
		heading += fmt.Sprintf(", and %d more that are not shown (.git, keys or passwords, or left out by a .gitignore)", hidden)
	}
	if at == "." && lacks != "" {
		r.notes.add("%s", lacks)
	}
	return r.output(heading, "entries"), nil
}

func describe(root *os.Root, p string) string {
	name := legible(text.Clip(path.Base(p), maxName))
	info, err := root.Lstat(p)
	switch {
	case err != nil:
		return name + "  (gone)"
	case info.IsDir():
		return name + "/"
	case info.Mode().IsRegular():
		return fmt.Sprintf("%s  %s", name, text.Count(int(info.Size()), "byte"))
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := root.Readlink(p)
		if err != nil {
			return name + "  (link)"
		}
		return name + "  (link to " + quote(to) + ")"
	default:
		return fmt.Sprintf("%s  (%s)", name, kindOf(info.Mode()))
	}
}

// maxName is the most characters of a name or path in a result; no system has longer
// names.
const maxName = 1000

type results struct {
	bounds Bounds
	lines  []string
	size   int
	found  int // with those that have no place
	notes  notes
}

func (r *results) add(line string) {
	r.found++
	line = strings.ReplaceAll(line, "\n", "␊")
	if len(r.lines) >= r.bounds.Results || r.size+len(line)+1 > r.bounds.Text {
		return
	}
	r.size += len(line) + 1
	r.lines = append(r.lines, line)
}

func (r *results) full() bool { return r.found > len(r.lines) }

// output returns the result under a heading that counts what was found, of what there are
// several.
func (r *results) output(heading, several string) tools.Output {
	if r.full() {
		r.notes.add("Only the first %d %s are shown.", len(r.lines), several)
	}
	summary := heading
	if len(r.notes) > 0 {
		summary += ", partial"
		heading += ". PARTIAL RESULT: " + strings.Join(r.notes, " ")
	} else {
		heading += "."
	}
	return tools.Output{Text: strings.Join(append([]string{heading}, r.lines...), "\n"), Summary: summary}
}

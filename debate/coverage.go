package debate

import (
	"path"
	"slices"
	"strings"
)

// Coverage says how much of a file of the evidence voting seats were shown, in prompts and by tools.
type Coverage struct {
	ID      string     `json:"id"`                // of the evidence
	File    string     `json:"file"`              // its name, or that of a file in a diff
	Lines   int        `json:"lines"`             // that count: of a diff those that say what has changed
	Unshown []Citation `json:"unshown,omitempty"` // lines of the evidence that count and that no seat was shown
	Count   int        `json:"count"`             // how many that are
	LeftOut bool       `json:"left_out,omitempty"`
	Reason  string     `json:"reason,omitempty"` // why a part is not shown, or does not count, as the diff says
	Masked  int        `json:"masked,omitempty"` // lines in which values are masked
	Hidden  int        `json:"hidden,omitempty"` // lines with characters that cannot be seen, or that change the order of others
	Folder  bool       `json:"folder,omitempty"` // it came with a folder, of which nobody expects that all is read
}

// Blocks reports whether lines that no seat was shown make a verdict unreliable.
func (c Coverage) Blocks() bool { return c.Count > 0 && !c.LeftOut && !c.Folder }

// DiffSection is the lines of a diff on one file.
type DiffSection struct {
	From, To int // as indices, without the last
	File     string
	OldFile  string // if it is another one
	LeftOut  bool   // prompts leave it out, and it does not count
	Reason   string // why it is left out or not shown, as the diff says
}

// DiffSections returns what a diff says of each file. Left out are lock files, what a diff of
// ours says does not count, and what patterns of the user name.
func DiffSections(content string, lines []DiffLine, patterns []string) []DiffSection {
	text := strings.Split(content, "\n")
	var out []DiffSection
	names := map[string]bool{}
	for i, l := range lines {
		if l.Section == 0 {
			continue
		}
		if n := len(out); n == 0 || lines[out[n-1].From].Section != l.Section {
			out = append(out, DiffSection{From: i, File: l.File, OldFile: l.OldFile})
			names[l.File] = true
		}
		s := &out[len(out)-1]
		s.To = i + 1
		switch l.Op {
		case DiffLeft:
			s.LeftOut, s.Reason = true, strings.TrimPrefix(text[i], DiffNotCounted)
		case DiffUnshown:
			s.Reason = strings.TrimPrefix(text[i], DiffNotShown)
		default: // it is shown
		}
	}
	for i := range out {
		s := &out[i]
		if s.LeftOut {
			continue
		}
		if MatchPath(patterns, s.File) {
			s.LeftOut, s.Reason = true, "left out by the configuration"
		} else if s.Reason == "" && isLockFile(s.File, names) {
			s.LeftOut, s.Reason = true, "a lock file"
		}
	}
	return out
}

// MatchPath reports whether one of the patterns of path.Match names a file: its path, its last element or a folder in it.
func MatchPath(patterns []string, file string) bool {
	for _, name := range append(strings.Split(file, "/"), file) {
		for _, pattern := range patterns {
			if ok, err := path.Match(strings.TrimSuffix(pattern, "/"), name); ok && err == nil {
				return true
			}
		}
	}
	return false
}

// isLockFile reports whether a file is a lock file at the root, or one whose manifest has changed too.
func isLockFile(file string, changed map[string]bool) bool {
	all := manifests[path.Base(file)]
	return len(all) > 0 && (path.Dir(file) == "." ||
		slices.ContainsFunc(all, func(m string) bool { return changed[path.Join(path.Dir(file), m)] }))
}

// manifests are the names of the files that a lock file belongs to, by its name.
var manifests = map[string][]string{
	"go.sum": {"go.mod"}, "Cargo.lock": {"Cargo.toml"}, "Gemfile.lock": {"Gemfile"}, "composer.lock": {"composer.json"},
	"package-lock.json": {"package.json"}, "npm-shrinkwrap.json": {"package.json"}, "yarn.lock": {"package.json"},
	"pnpm-lock.yaml": {"package.json"}, "bun.lock": {"package.json"}, "poetry.lock": {"pyproject.toml"},
	"uv.lock": {"pyproject.toml"}, "Pipfile.lock": {"Pipfile"}, "flake.lock": {"flake.nix"}, "mix.lock": {"mix.exs"},
	"Podfile.lock": {"Podfile"}, "gradle.lockfile": {"build.gradle", "build.gradle.kts"},
}

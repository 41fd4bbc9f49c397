package debate

import (
	"path"
	"slices"
	"strings"
)

// Coverage says how much of a file of the evidence the seats that vote were shown: in
// prompts, and in results of the tools that read evidence.
type Coverage struct {
	ID      string     `json:"id"`                // of the evidence
	File    string     `json:"file"`              // its name, or that of a file in a diff
	Lines   int        `json:"lines"`             // that count: of a diff those that it adds and removes
	Unshown []Citation `json:"unshown,omitempty"` // lines of the evidence that count and that no seat was shown
	Count   int        `json:"count"`             // how many that are
	LeftOut bool       `json:"left_out,omitempty"`
	Folder  bool       `json:"folder,omitempty"` // it came with a folder, of which nobody expects that all is read
}

// Blocks reports whether lines that no seat was shown stand in the way of a verdict that
// is relied on.
func (c Coverage) Blocks() bool { return c.Count > 0 && !c.LeftOut && !c.Folder }

// LeftOut reports whether prompts leave out a file of a diff: what programs write, by the
// names that their files have, and what the user's patterns name.
func LeftOut(file string, patterns []string) bool {
	return slices.ContainsFunc(slices.Concat(generatedFiles(), patterns), func(p string) bool { return MatchPath(p, file) })
}

// MatchPath reports whether a pattern of path.Match names a file: its whole path, its last
// element, or a folder in it.
func MatchPath(pattern, file string) bool {
	pattern = strings.TrimSuffix(pattern, "/")
	for _, name := range append(strings.Split(file, "/"), file) {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}

// generatedFiles returns patterns of files that package managers and generators write.
func generatedFiles() []string {
	return []string{
		"go.sum", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "Cargo.lock", "Gemfile.lock",
		"composer.lock", "poetry.lock", "uv.lock", "Pipfile.lock", "flake.lock", "mix.lock", "Podfile.lock", "gradle.lockfile",
		"node_modules", "vendor", "third_party", "*.min.js", "*.min.css", "*.map", "*.pb.go", "*_pb2.py", "*.snap",
	}
}

package tui_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"roundtable/debate"
	"roundtable/tui"
)

// literals passes all strings in the source of these folders on.
func literals(t *testing.T, found func(words, path string), folders ...string) {
	t.Helper()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				if words, err := strconv.Unquote(lit.Value); err == nil {
					found(words, path)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// sentences returns every text of these folders that reads as a message: words that end
// as a sentence does, with examples in place of verbs.
func sentences(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	verb := regexp.MustCompile(`%[+#]?[.0-9]*[a-zA-Z]`)
	all := map[string]string{}
	literals(t, func(words, path string) {
		whole := strings.HasSuffix(words, ".") || strings.HasSuffix(words, "?")
		if whole && strings.Count(words, " ") > 1 && !strings.Contains(words, "\n") && !strings.Contains(words, "`") {
			all[verb.ReplaceAllString(words, "Ada")] = path
		}
	}, folders...)
	return all
}

// All of a message of the program can be read in a narrow terminal: what does not fit into its row
// is one key away.
func TestNotice_showsEveryMessageWhole(t *testing.T) {
	all := sentences(t, ".", "../store", "../debate", "../internal/config")
	if len(all) < 200 {
		t.Fatalf("only %d messages were found", len(all))
	}
	maps.DeleteFunc(all, func(text, _ string) bool { return len(text) < 50 }) // they fit any row
	synctest.Test(t, func(t *testing.T) {
		script, message := storing(concluded()), ""
		deps := script.deps()
		deps.Start.Session = billing
		deps.Export = func(context.Context, debate.Session, bool, tui.Format) (string, error) {
			return "", errors.New(message)
		}
		r := start(t, 60, 24, deps)
		defer r.stop()
		for text, path := range all {
			message = text
			r.press("e", "", "m")
			if strings.Contains(r.screen(), "! more") {
				r.press("!")
			}
			shown := strings.Join(strings.Fields(r.screen()), "") // a word may be wrapped at its hyphen
			if want := strings.Join(strings.Fields(text), "")[1:]; !strings.Contains(shown, want) {
				t.Errorf("%s: %q is shown as\n%s", path, text, r.screen())
			}
		}
	})
}

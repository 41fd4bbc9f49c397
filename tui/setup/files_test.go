package setup_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"roundtable/debate"
	"roundtable/internal/testing/must"
	"roundtable/internal/testing/viewtest"
	"roundtable/tui/attach"
	"roundtable/tui/screen"
	"roundtable/tui/setup"
)

// memory has files of ten bytes under any name with a dot in it.
type memory struct{}

func (memory) Complete(context.Context, string) ([]string, error) { return nil, nil }

func (memory) Find(_ context.Context, path string) (attach.Found, error) {
	if !strings.Contains(path, ".") {
		return attach.Found{}, errors.New(path + " does not exist")
	}
	return attach.Found{Path: path, Name: path, Kind: debate.EvidenceFile, Size: 10}, nil
}

func (memory) Read(_ context.Context, path string) (attach.Reading, error) {
	return attach.Reading{Evidence: []debate.Evidence{debate.NewEvidence(path, debate.EvidenceFile, "ten bytes\n", "")}}, nil
}

func withFiles(t rapid.TB, w, h int, topic string, paths, mentions []string) *setup.Form {
	f := newForm(w, h)
	service := attach.New(context.Background(), memory{}, nil, screen.NewSaveQueue())
	f.SetFiles(service)
	raw := must.Get(json.Marshal(map[string]any{"topic": topic, "files": paths, "mentions": mentions, "seats": []string{"ada", "brook"}}))(t)
	must.Do(t, f.Restore(string(raw)))
	if cmd := f.LookAtFiles(); cmd != nil {
		cmd().(screen.Then)()
	}
	return f
}

// At any size, whatever their names, the chips fit and what is cut has a mark.
func TestForm_filesFitEverySize(t *testing.T) {
	names := []string{
		"main.go", "a/very/long/path/that/leads/to/a/file/with/a/long/name.txt", "深い/フォルダ/の/長い長い名前/ファイル.txt",
		"no such file", "\x1b[31mred\x1b[0m.txt", "\u202egnp.exe",
	}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 160).Draw(rt, "w"), rapid.IntRange(4, 50).Draw(rt, "h")
		paths := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 6, rapid.ID[string]).Draw(rt, "paths")
		f := withFiles(rt, w, h, "Is @x.md safe?", paths, []string{"x.md"})
		for range rapid.IntRange(0, 6).Draw(rt, "steps") {
			switch rapid.IntRange(0, 3).Draw(rt, "step") {
			case 0:
				f.Next(rapid.SampledFrom([]int{-1, 1}).Draw(rt, "fields"))
			case 1:
				typeInto(f, rapid.SampledFrom([]string{"a", "docs/world 世界.txt"}).Draw(rt, "text"))
			case 2:
				f.HandleKey(press("backspace"))
			case 3:
				w, h = rapid.IntRange(1, 160).Draw(rt, "w"), rapid.IntRange(4, 50).Draw(rt, "h")
				f.SetSize(w, h)
			}
			view := f.View(screen.Frame{})
			viewtest.RequireSize(rt, view, w, h)
			viewtest.RequireMarkedCuts(rt, view, "…", "[main.go · 10 B]", "[@x.md · 10 B]")
			if strings.Contains(view, "\x1b[31mred") || strings.Contains(view, "\u202e") {
				rt.Fatalf("a name reaches the terminal: %q", view)
			}
			if c := f.Cursor(); c != nil && w >= 40 && (c.X < 0 || c.X >= w) {
				rt.Fatalf("the cursor is at %d,%d of %dx%d", c.X, c.Y, w, h)
			}
		}
	})
}

// A draft has the paths of files, and not what is in them.
func TestForm_draftHasPaths(t *testing.T) {
	f := withFiles(t, 80, 21, "Is @x.md safe?", []string{"main.go"}, []string{"x.md"})
	var d struct {
		Files    []string `json:"files"`
		Mentions []string `json:"mentions"`
	}
	must.Do(t, json.Unmarshal([]byte(f.Draft()), &d))
	if strings.Join(append(d.Files, d.Mentions...), " ") != "main.go x.md" {
		t.Errorf("the draft is %s", f.Draft())
	}
	f.Reset()
	misses(t, f, "main.go")
}

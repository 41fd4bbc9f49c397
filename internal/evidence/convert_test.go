//go:build unix

package evidence_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roundtable/internal/evidence"
)

const paper = "%PDF-1.7\n1 0 obj <<>>\nendobj\n"

// onPath puts a program of a shell on an otherwise empty PATH.
func onPath(t *testing.T, name, script string) {
	t.Helper()
	dir := t.TempDir()
	if script != "" {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

func TestRead_takesTheTextOfAPDF(t *testing.T) {
	const prints = `printf 'One writer\n  is enough.  \n\n\fcol a   col b\n\f'` + "\n"
	for _, c := range []struct {
		name   string
		script string // "": pdftotext is not installed
		want   string // the text, or what is refused
	}{
		{"two pages", prints, "— page 1 —\nOne writer\n  is enough.\n— page 2 —\ncol a   col b\n"},
		{"file as its input", `[ "$*" = "-q -layout -enc UTF-8 - -" ] && exec /bin/cat` + "\n", "— page 1 —\n" + paper},
		{"one page is blank", "printf 'a\\f\\f'\n", "— page 1 —\na\n— page 2 —\n\n"},
		{"a scan", "printf ' \\n\\f\\n\\f'\n", "paper is a scan: no text in it. Have"},
		{"not installed", "", "paper is a PDF, and pdftotext is not installed. Install the package poppler-utils"},
		{"locked", "echo 'Command Line Error: Incorrect password' >&2; exit 1\n", "paper is a PDF that pdftotext cannot read: Command Line Error: Incorrect password. Name"},
		{"too much text", "while :; do echo 0123456789abcdef0123456789abcdef0123456789abcdef; done\n", "paper has more than"},
		{"a variable with a key", `[ -z "$OPENAI_API_KEY" ] && echo none` + "\n", "— page 1 —\nnone\n"},
	} {
		onPath(t, "pdftotext", c.script)
		t.Setenv("OPENAI_API_KEY", "sk-1")
		dir := write(t, map[string]string{"paper": paper})
		got, err := read(t, dir, "paper")
		if err != nil {
			if !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s: refused with %v, want %q", c.name, err, c.want)
			}
			continue
		}
		if e := got.Evidence[0]; e.Text != c.want || !strings.HasPrefix(e.Note, "The text of a PDF of ") {
			t.Errorf("%s: got %q (%s), want %q", c.name, e.Text, e.Note, c.want)
		}
	}
}

// A PDF may be larger than a text, from a file or standard input.
func TestRead_takesALargePDF(t *testing.T) {
	onPath(t, "pdftotext", "exec /usr/bin/wc -c\n")
	large := paper + strings.Repeat("x", 20<<20)
	dir := write(t, map[string]string{"large.pdf": large, "larger.pdf": paper + strings.Repeat("x", 50<<20)})
	if got, err := read(t, dir, "large.pdf"); err != nil || !strings.Contains(got.Evidence[0].Text, "20971549") {
		t.Errorf("from a file: %v, %v", got, err)
	}
	got, err := evidence.NewReader(strings.NewReader(large)).Read(t.Context(), evidence.At(dir, "-:large.pdf"))
	if err != nil || !strings.Contains(got.Evidence[0].Text, "20971549") {
		t.Errorf("from standard input: %v, %v", got, err)
	}
	var refused *evidence.Refusal
	if _, err := read(t, dir, "larger.pdf"); !errors.As(err, &refused) || !strings.Contains(err.Error(), "has more than 50 MB") {
		t.Errorf("of more than 50 MB: %v", err)
	}
}

func TestRead_takesTheCellsOfANotebook(t *testing.T) {
	const notebook = `{"nbformat":4,"metadata":{},"cells":[
		{"cell_type":"markdown","source":["# Load\n","It is 42 a second."]},
		{"cell_type":"code","source":"print(rate)\n","outputs":[
			{"output_type":"stream","name":"stdout","text":["42\n"]},
			{"output_type":"execute_result","data":{"text/plain":"42","image/png":"AAAA"}},
			{"output_type":"display_data","data":{"image/png":"iVBORw0KGgo="}},
			{"output_type":"error","ename":"ValueError","evalue":"no","traceback":["\u001b[31mlong"]}]},
		{"cell_type":"raw","source":[]}]}`
	const want4 = "— cell 1, markdown —\n# Load\nIt is 42 a second.\n— cell 2, code —\nprint(rate)\n— output of cell 2 —\n42\n" +
		"— output of cell 2 —\n42\n— output of cell 2 —\n— output of cell 2 —\nValueError: no\n— cell 3, raw —\n"
	for _, c := range []struct{ name, content, want string }{
		{"a.ipynb", notebook, want4},
		{"a.json", `{"cells":[]}`, `{"cells":[]}`},
		{"broken.ipynb", `{"cells":[`, `{"cells":[`},
		{"none.ipynb", `{"cells":[]}`, `{"cells":[]}`},
		{"odd.ipynb", `{"cells":[{"cell_type":7,"source":{"a":1}}]}`, `{"cells":[{"cell_type":7,"source":{"a":1}}]}`},
	} {
		got, err := read(t, write(t, map[string]string{c.name: c.content}), c.name)
		if err != nil || got.Evidence[0].Text != c.want {
			t.Errorf("%s: got %v, %v\nwant %q", c.name, got, err, c.want)
		}
	}
}

func TestRead_refusesRTF(t *testing.T) {
	_, err := read(t, write(t, map[string]string{"a.rtf": `{\rtf1\ansi Hello}`}), "a.rtf")
	if err == nil || !strings.HasPrefix(err.Error(), "a.rtf is RTF") {
		t.Errorf("got %v", err)
	}
}

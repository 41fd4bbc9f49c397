package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"roundtable/debate"
	"roundtable/debate/verdict"
	"roundtable/internal/evidence"
	"roundtable/internal/testing/must"
)

// write puts files into a new folder and returns it. A name that ends in a slash is a
// folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		folder := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			folder = path
		}
		must.Do(t, os.MkdirAll(folder, 0o755))
		if folder == path {
			continue
		}
		must.Do(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return dir
}

// read reads one path.
func read(t *testing.T, dir, path string) (evidence.Found, error) {
	t.Helper()
	return evidence.Read(t.Context(), nil, evidence.At(dir, path))
}

func sentences(found evidence.Found) []string {
	return verdict.EvidenceSentences(debate.Session{Evidence: found.Evidence})
}

// utf16Text returns a text in UTF-16 with a byte order mark.
func utf16Text(text string) string {
	raw := []byte{0xfe, 0xff}
	for _, u := range utf16.Encode([]rune(text)) {
		raw = append(raw, byte(u>>8), byte(u))
	}
	return string(raw)
}

func TestRead_filesBecomeText(t *testing.T) {
	const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
	const context = "*** a/x\n--- b/x\n***************\n*** 1 ****\n! a\n--- 1 ----\n! b\n"
	hash := strings.Repeat("0a", 20)
	for _, c := range []struct {
		name, raw, want, note string
		kind                  debate.EvidenceKind
	}{
		{"plain.txt", "one\ntwo", "one\ntwo", "", debate.EvidenceFile},
		{"crlf.txt", "one\r\ntwo\r\n", "one\ntwo\n", "", debate.EvidenceFile},
		{"bom.txt", "\xef\xbb\xbfone", "one", "", debate.EvidenceFile},
		{"big.txt", utf16Text("Größe 𝛑\r\n"), "Größe 𝛑\n", "Converted from UTF-16.", debate.EvidenceFile},
		{"latin1.txt", "one\nun caf\xe9 noir\n", "one\nun café noir\n", "Converted from Latin-1.", debate.EvidenceFile},
		{"nul.txt", "one thing, two things\x00\n", "one thing, two things␀\n", "", debate.EvidenceFile},
		{"control.txt", "red \x1b[31m\n", "red \x1b[31m\n", "", debate.EvidenceFile},
		{"a.txt", diff, diff, "", debate.EvidenceDiff},
		{"c.patch", "Why\n@@ -1 +1 @@\n", "Why\n@@ -1 +1 @@\n", "", debate.EvidenceDiff},
		{
			"d.txt", "commit " + strings.Repeat("0a", 20) + "\n\n    why\n\n" + diff, "commit " + strings.Repeat("0a", 20) + "\n\n    why\n\n" + diff,
			"", debate.EvidenceDiff,
		},
		{"coloured.txt", "\x1b[1m" + strings.ReplaceAll(diff, "\n", "\x1b[m\n"), diff, "", debate.EvidenceDiff},
		{"context.txt", context, context, "", debate.EvidenceFile},
		{"merge.txt", "commit " + hash + "\n\n    why\n\ndiff --cc m\n", "commit " + hash + "\n\n    why\n\ndiff --cc m\n", "", debate.EvidenceDiff},
		{"return.txt", "ls # \revil()\n", "ls # ␍evil()\n", "", debate.EvidenceFile},
		{"quoted.md", "As in\n\n" + diff, "As in\n\n" + diff, "", debate.EvidenceFile},
	} {
		dir := write(t, map[string]string{c.name: c.raw})
		found, err := read(t, dir, c.name)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := []debate.Evidence{debate.NewEvidence(c.name, c.kind, c.want, c.note)}
		if diff := cmp.Diff(want, found.Evidence); diff != "" || len(found.Secrets)+len(sentences(found)) > 0 {
			t.Errorf("%s: %s, secrets %q, notices %q", c.name, diff, found.Secrets, sentences(found))
		}
	}
}

func TestRead_refusesByNameWithReasonAndAdvice(t *testing.T) {
	const advice = "Name a file that holds text."
	dir := write(t, map[string]string{
		"paper": "%PDF-1.7\n1 0 obj <<>>\n", "letter.rtf": `{\rtf1\ansi Hello}`,
		"empty": "", "blank": " \n\t\n", "binary": "PK\x03\x04\x00\x00", "utf32": "\xff\xfe\x00\x00a\x00\x00\x00", "packed": "\x1f\x8b\x08\xf1\xed\xcb\xc1",
		"half16": "\xff\xfe\x00\xd8", "large": strings.Repeat("x", debate.MaxEvidenceSize+1),
		"none/": "", "file": "x", "wide16": "\xfe\xff" + strings.Repeat("\x4e\x00", debate.MaxEvidenceSize/2-1),
	})
	sparse := must.Get(os.Create(filepath.Join(dir, "sparse")))(t)
	if err := sparse.Truncate(1 << 40); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	must.Do(t, sparse.Close())
	for _, c := range []struct{ path, want string }{
		{"paper", "paper is a PDF. Convert it to text first, for instance with `pdftotext -layout`."},
		{"letter.rtf", "letter.rtf is RTF, which mixes its text with marks. Save it as plain text first."},
		{"empty", "empty is empty. " + advice},
		{"blank", "blank is empty. " + advice},
		{"binary", "binary is binary. Name a text file, or convert it to text first."},
		{"utf32", "utf32 is binary. Name a text file, or convert it to text first."},
		{"packed", "packed is binary. Name a text file, or convert it to text first."},
		{"half16", "half16 is binary. Name a text file, or convert it to text first."},
		{"large", "large has more than 2 MB. Name a part of it, or give the seats its folder as a workspace (--workspace)."},
		{"wide16", "wide16 has more than 2 MB. Name a part of it, or give the seats its folder as a workspace (--workspace)."},
		{"sparse", "sparse has more than 2 MB. Name a part of it, or give the seats its folder as a workspace (--workspace)."},
		{"missing", "missing does not exist. Check the path."},
		{"file/below", "file/below cannot be read: not a directory. Name another file."},
		{"none", "none/ holds no files that git does not ignore. Name the files themselves."},
		{"a\x00b", "ab cannot be read: invalid argument. Name another file."},
		{strings.Repeat("x", 5000), strings.Repeat("x", 199) + "… cannot be read: file name too long. Name another file."},
	} {
		_, err := read(t, dir, c.path)
		var refused *evidence.Refusal
		if !errors.As(err, &refused) {
			t.Errorf("%.20q: got %v, want a refusal", c.path, err)
			continue
		}
		if got := err.Error(); got != c.want {
			t.Errorf("%.20q: got %q, want %q", c.path, got, c.want)
		}
	}
}

func TestRead_standardInput(t *testing.T) {
	ctx := t.Context()
	got, err := evidence.Read(ctx, strings.NewReader("--- a\n+++ b\n@@ -1 +1 @@\n"), evidence.At("", evidence.Stdin))
	want := debate.NewEvidence("standard input", debate.EvidenceDiff, "--- a\n+++ b\n@@ -1 +1 @@\n", "")
	if diff := cmp.Diff([]debate.Evidence{want}, got.Evidence); err != nil || diff != "" {
		t.Errorf("got %v, %s", err, diff)
	}
	got, err = evidence.Read(ctx, strings.NewReader("-----BEGIN PRIVATE KEY-----\nMIIE\n"), evidence.At("", evidence.Stdin))
	if err != nil || got.Evidence[0].Text != "[masked 27 characters]\nMIIE\n" || len(sentences(got)) != 1 {
		t.Errorf("a private key is read as %q, %q, %v", got.Evidence[0].Text, sentences(got), err)
	}
	_, err = evidence.Read(ctx, strings.NewReader(strings.Repeat("x", debate.MaxEvidenceSize+1)), evidence.At("", evidence.Stdin))
	if err == nil || !strings.HasPrefix(err.Error(), "standard input has more than 2 MB.") {
		t.Errorf("too much: got %v", err)
	}
	_, err = evidence.Read(ctx, strings.NewReader(""), evidence.At("", evidence.Stdin))
	if err == nil || !strings.HasPrefix(err.Error(), "standard input is empty.") {
		t.Errorf("nothing: got %v", err)
	}
}

// hooked is a context that calls a function whenever it is asked whether it has ended.
type hooked struct {
	context.Context
	hook func()
}

func (h hooked) Err() error {
	h.hook()
	return h.Context.Err()
}

func TestRead_refusesWhatChangesMeanwhile(t *testing.T) {
	dir := write(t, map[string]string{"grows": strings.Repeat("line\n", 100_000), "rewritten": "1234"})
	path := func(name string) string { return filepath.Join(dir, name) }
	for name, change := range map[string]func() error{
		"grows": func() error {
			f, err := os.OpenFile(path("grows"), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("more\n")
			return errors.Join(err, f.Close())
		},
		"rewritten": func() error { return os.WriteFile(path("rewritten"), []byte("12345"), 0o600) },
	} {
		ctx := hooked{t.Context(), func() {
			if err := change(); err != nil {
				t.Error(err)
			}
		}}
		_, err := evidence.Read(ctx, nil, evidence.At(dir, name))
		if err == nil || err.Error() != name+" changed while it was read. Try again when nothing writes to it, or name a copy." {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRead_cancelled(t *testing.T) {
	dir := write(t, map[string]string{"file": "text", "folder/file": "text"})
	silent, w := io.Pipe() // standard input that never ends
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, path := range []string{"file", "folder", evidence.Stdin} {
		if _, err := evidence.Read(ctx, silent, evidence.At(dir, path)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want context.Canceled", path, err)
		}
	}
}

func TestRead_allTogetherHaveALimit(t *testing.T) {
	files := map[string]string{}
	const begin = "Index: \n-----BEGIN \n" // what the reader searches for: it reads all else slowly
	for i := range 5 {
		files[fmt.Sprintf("p/%d", i)] = begin + strings.Repeat(fmt.Sprint(i), debate.MaxEvidenceSize-1-len(begin))
	}
	dir := write(t, files)
	found, err := read(t, dir, "p")
	total := 0
	for _, e := range found.Evidence {
		total += e.Size
	}
	if err != nil || len(found.Evidence) != 4 || total > debate.MaxEvidenceTotal ||
		!strings.Contains(found.Evidence[0].Text, "\n3 (2,097,151 bytes), not included: it is more than the 8 MB that all evidence may have together\n") {
		t.Errorf("%v, %d pieces of evidence with %d bytes: %q", err, len(found.Evidence), total, sentences(found))
	}
}

// A file of keys is marked if its path and its content say that it is one; the values are masked
// in all files.
func TestRead_masksSecretsAndMarksFilesOfThem(t *testing.T) {
	const (
		key   = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n"
		token = "ghp_" + "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"
		head  = "diff --git a/a.yml b/a.yml\n--- a/a.yml\n+++ b/a.yml\n@@ -1,3 +1,3 @@\n"
		begin = "-----BEGIN PRIVATE KEY-----"
		body  = "MIIEow1BAAKCAQEAy8Dbv8prpJ+0kKhlGeJYozo2t60EG8L0561g13R29LvMR5hy"
	)
	for name, c := range map[string]struct {
		text  string
		keys  bool
		holds string // that is not in the text; ""
	}{
		".env": {"A=1", true, ""}, ".env.local": {"# x\nA=1", true, ""}, "prod.env": {"PASSWORD=Tr0ub4dor3xZ", true, "Tr0ub"},
		".env.example": {"A=", false, ""}, "id_rsa": {key, true, "b3Blb"}, "id_ed25519.pub": {"ssh-ed25519 x", false, ""},
		".npmrc": {"//registry.npmjs.org/:_authToken=x", true, ""}, ".netrc": {"machine example.org login me password x", true, ""},
		".aws/config": {"[default]\naws_secret_access_key = Tr0ub4dor3xZ", true, "Tr0ub"}, "server.KEY": {key, true, "b3Blb"},
		"credentials.json": {`{"type": "x",` + "\n" + `"private_key": "y"}`, true, ""}, "kubeconfig": {"users:\n  client-key-data: eA==", true, ""},
		".docker/config.json": {`{"auths": {}}`, false, ""}, "notes.txt": {key, false, "b3Blb"}, "a.py": {"t = '" + token + "'; evil()", false, token},
		"b.py": {"ask-me-anything-about-the-thing", false, ""}, "environment.md": {"PRIVATE KEY handling", false, ""},
		".env.js": {"A=1", false, ""}, "secrets.yaml": {"run: evil()", false, ""}, "gcloud/x.go": {"A=1", false, ""}, "public.asc": {"A=1", false, ""},
		"a.diff": {"diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1 +1 @@\n-t = '" + token + "'\n+t = '" + token + "'; evil()\n", false, token},
		"b.diff": {"commit " + strings.Repeat("0a", 20) + "\n\n    " + token + "\n\ndiff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n " +
			strings.ReplaceAll(strings.TrimSuffix(key, "\n"), "\n", "\n+") + "\n-x\n", false, "b3Blb"},
		// a line that did not change is masked if the old or the new file has it in a key
		"c.diff": {head + "-" + begin + "\n+x\n " + body + "\n+t = '" + token + "'\n", false, body},
		"d.diff": {head + "-t = '" + token + "'\n-x\n+" + begin + "\n " + body + "\n", false, body},
	} {
		found, err := read(t, write(t, map[string]string{name: c.text}), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := slices.Equal(found.Secrets, []string{name}); got != c.keys {
			t.Errorf("%s: marked %v, want %v", name, got, c.keys)
		}
		got := found.Evidence[0].Text
		hides := strings.Contains(c.text, "evil()") && !strings.Contains(got, "evil()")
		if hides || c.holds != "" && strings.Contains(got, c.holds) || strings.Contains(got, "ghp_") {
			t.Errorf("%s: read %q", name, got)
		}
		if strings.Count(got, "\n") != strings.Count(c.text, "\n") || (c.holds != "") != (len(sentences(found)) > 0) {
			t.Errorf("%s: read %q, said %q", name, got, sentences(found))
		}
	}
}

// A section about a file of keys is taken out of a diff, and counts as one that nobody sees.
func TestRead_takesFilesOfKeysOutOfADiff(t *testing.T) {
	const diff = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-a\n+b\n" +
		"diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1,2 @@\n A=1\n+PASSWORD=Tr0ub4dor3xZ\n" +
		"diff --git a/.env.js b/.env.js\n--- a/.env.js\n+++ b/.env.js\n@@ -1 +1 @@\n-a\n+evil()\n"
	got, err := evidence.Read(t.Context(), strings.NewReader(diff), evidence.At("", "-:pr.diff"))
	want := "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-a\n+b\n" +
		"diff --git a/.env b/.env\nshown to no seat: a file of keys or passwords; as a file of its own it can be included\n" +
		"diff --git a/.env.js b/.env.js\n--- a/.env.js\n+++ b/.env.js\n@@ -1 +1 @@\n-a\n+evil()\n"
	if err != nil || got.Evidence[0].Text != want || !strings.Contains(strings.Join(sentences(got), "\n"), ".env: shown to no seat: a file of keys") {
		t.Errorf("got %v, %q, %v", got.Evidence, sentences(got), err)
	}
}

// What may be read is in the folders, whatever path or link leads there.
func TestWithin_staysInTheFolders(t *testing.T) {
	dir := write(t, map[string]string{
		"one/a": "a", "one/sub/b": "b", "two/c": "c", "one/.env": "KEY=1", "canary": "CANARY", "other/d": "CANARY",
	})
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "two")
	for name, target := range map[string]string{"out": "../canary", "up": "..", "hidden": ".env"} {
		if err := os.Symlink(target, filepath.Join(one, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	must.Do(t, os.Symlink(one, filepath.Join(dir, "linked")))
	folders := []string{filepath.Join(dir, "linked"), two}
	for path, want := range map[string]string{
		"a": "a", "sub/../a": "a", "c": "c", filepath.Join(one, "sub", "b"): "b", filepath.Join(dir, "linked", "a"): "a",
		"../canary": "outside", "sub/../../canary": "outside", filepath.Join(dir, "canary"): "outside", filepath.Dir(dir): "outside", "../one/../canary": "outside",
		"out": "leads out", "up/canary": "leads out", "up/other/d": "leads out", "nothing": "does not exist", "a\x00": "invalid argument",
		"hidden": "secret", ".env": "secret",
	} {
		src, err := evidence.Within(folders, path)
		var found evidence.Found
		if err == nil {
			found, err = evidence.Read(t.Context(), nil, src)
		}
		got := fmt.Sprint(err)
		if err == nil {
			got = found.Evidence[0].Text
		}
		if len(found.Secrets) > 0 {
			got = "secret"
		}
		if !strings.Contains(got, want) || strings.Contains(got, "CANARY") {
			t.Errorf("%q: %s, want %s", path, got, want)
		}
	}
	real := must.Get(filepath.EvalSymlinks(one))(t)
	for path, want := range map[string]string{".": real, "sub": filepath.Join(real, "sub"), "up": "", "..": "", "a": "", "none": "", "\x00": ""} {
		if got, err := evidence.FolderWithin(folders, path); got != want || (err == nil) != (want != "") {
			t.Errorf("the folder %q is %q, %v", path, got, err)
		}
	}
	if _, err := evidence.Within(nil, "a"); err == nil {
		t.Error("without folders a path was taken")
	}
}

// Lines of context and combined diffs have signs of two characters, which hide no key.
func TestRead_masksKeysInDiffsWithoutPlaces(t *testing.T) {
	body := strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 2)
	key := []string{"-----BEGIN PRIVATE KEY-----", body, body, "-----END PRIVATE KEY-----"}
	for sign, head := range map[string]string{
		"! ": "diff -c a b\n*** a\n--- b\n***************\n*** 1,4 ****\n",
		"--": "diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,4 -1,4 +1,1 @@@\n",
		"- ": "diff --cc a\nindex 1,2..3\n--- a/a\n+++ b/a\n@@@ -1,4 -1,4 +1,1 @@@\n",
	} {
		raw := head
		for _, line := range key {
			raw += sign + line + "\n"
		}
		found := must.Get(read(t, write(t, map[string]string{"a.txt": raw}), "a.txt"))(t)
		if len(found.Evidence) != 1 || strings.Contains(found.Evidence[0].Text, body) {
			t.Errorf("%q: %+v", sign, found.Evidence)
		}
	}
}

// Package evidence reads what the user brings to a debate: files, folders, diffs and
// standard input.
//
// What it cannot read as text it refuses by name, with the reason and what to do. It
// never waits for a FIFO or a device, and reads nothing outside of a folder that it was
// told to stay in, even if links change meanwhile. Two readings of the same files give
// the same evidence in the same order.
//
// It imports debate for the values it makes, internal/process for git, internal/secret and
// internal/text. It must not know
// commands, screens, the store or how evidence is sent to models.
package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"roundtable/debate"
	"roundtable/internal/crash"
	"roundtable/internal/secret"
	"roundtable/internal/text"
)

// Stdin is the path of standard input, and StdinName the name of its evidence.
const (
	Stdin     = "-"
	StdinName = "standard input"
)

// Source is a path of the user, and where it may lead.
type Source struct {
	Path string // absolute, or Stdin
	Name string // of the evidence
	Root string // nothing outside of this folder is read; "": the path may be anywhere
}

// At returns the source at a path of a command line, which may be anywhere. Relative
// paths start at dir. "-:pr.diff" is standard input with a name.
func At(dir, path string) Source {
	if name, ok := strings.CutPrefix(path, Stdin+":"); ok && name != "" {
		return Source{Path: Stdin, Name: nameOf(name)}
	}
	if path == Stdin {
		return Source{Path: Stdin, Name: StdinName}
	}
	full := path
	if !filepath.IsAbs(path) {
		full = filepath.Join(dir, path)
	}
	return Source{Path: full, Name: nameOf(path)}
}

func nameOf(path string) string {
	return text.Line(filepath.ToSlash(filepath.Clean(path)))
}

// IsStdin reports whether a path of a command line is standard input, with a name or without.
func IsStdin(path string) bool { return At("", path).Path == Stdin }

// Found is what a source holds.
type Found struct {
	Evidence []debate.Evidence // a folder first, then its files
	Secrets  []string          // names of files of keys or passwords: ask before they are sent
}

// Refusal is the error for a source that cannot be evidence.
type Refusal struct {
	Name   string
	Reason string // a clause, such as "is a FIFO"
	Advice string // what to do, as a sentence
}

// Error says what was refused, why, and what to do.
func (r *Refusal) Error() string { return fmt.Sprintf("%s %s. %s", r.Name, r.Reason, r.Advice) }

// Read reads a source. Standard input may be nil if the source is another one. What cannot be
// evidence is a *Refusal.
func Read(ctx context.Context, stdin io.Reader, src Source) (Found, error) {
	if src.Path == Stdin {
		return readStdin(ctx, stdin, src.Name)
	}
	tree, rel, err := openTree(src)
	if err != nil {
		return Found{}, unreadable(src.Name, err)
	}
	defer tree.Close() //nolint:errcheck // it was only read
	info, err := tree.Stat(rel)
	if err != nil {
		return Found{}, unreadable(src.Name, err)
	}
	if info.IsDir() {
		return readFolder(ctx, src, tree, rel)
	}
	return readFile(ctx, tree, rel, src.Name, realPath(src.Path), info)
}

// Text returns a text that is evidence by itself.
func Text(name, content string) (Found, error) {
	name = text.Clip(text.Line(name), maxName)
	return newEvidence(name, name, []byte(content))
}

// openTree opens the folder that a source must not leave, and returns the path in it. A
// source that may be anywhere is opened at the folder that it really is in.
func openTree(src Source) (*os.Root, string, error) {
	root, path := src.Root, src.Path
	if root == "" {
		info, err := os.Stat(path)
		if err != nil {
			return nil, "", err
		}
		if !info.IsDir() {
			if err := checkKind(src.Name, info); err != nil { // a pipe of the shell has no path of its own
				return nil, "", err
			}
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return nil, "", err
		}
		if root, path = filepath.Dir(real), real; info.IsDir() {
			root = real
		}
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return nil, "", err
	}
	tree, err := os.OpenRoot(root)
	return tree, rel, err
}

// readStdin reads standard input as evidence with a name. It does not wait for it after ctx has
// ended.
func readStdin(ctx context.Context, stdin io.Reader, name string) (Found, error) {
	type result struct {
		raw []byte
		err error
	}
	done := make(chan result, 1)
	crash.Go(func() { // a read of a pipe cannot be interrupted
		raw, err := io.ReadAll(io.LimitReader(stdin, debate.MaxEvidenceSize+1))
		done <- result{raw, err}
	}, func(p *crash.Panic) { done <- result{nil, p} })
	select {
	case <-ctx.Done():
		return Found{}, ctx.Err()
	case got := <-done:
		if got.err != nil {
			return Found{}, unreadable(name, got.err)
		}
		if len(got.raw) > debate.MaxEvidenceSize {
			return Found{}, tooLarge(name)
		}
		return newEvidence(name, name, got.raw)
	}
}

// newEvidence returns what was read at a path as evidence with a name.
func newEvidence(name, path string, raw []byte) (found Found, err error) {
	content, note, err := decode(name, raw)
	if err != nil {
		return found, err
	}
	if len(content) > debate.MaxEvidenceSize { // UTF-8 can be longer
		return found, tooLarge(name)
	}
	kind := debate.EvidenceFile
	if isDiff(name, content) {
		kind = debate.EvidenceDiff
	}
	if (secret.File(name) || secret.File(filepath.ToSlash(path))) && secret.IsKeyFile(content) {
		found.Secrets = []string{name}
	}
	if hidden := masked(kind, content); hidden != content {
		content = hidden
		note = strings.TrimSpace(note + " Values that look like secrets are masked.")
	}
	found.Evidence = []debate.Evidence{debate.NewEvidence(name, kind, content, note)}
	return found, nil
}

func unreadable(name string, err error) error {
	if _, refused := errors.AsType[*Refusal](err); refused {
		return err
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err
	}
	name = text.Clip(name, maxName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Refusal{name, "does not exist", "Check the path."}
	case errors.Is(err, fs.ErrPermission):
		return &Refusal{name, "cannot be read: permission denied", "Change its permissions, or name another file."}
	case strings.Contains(err.Error(), "path escapes"): // of os.Root, which exports no error for that
		return &Refusal{name, "leads out of the folder", "Name the file itself."}
	}
	return &Refusal{name, "cannot be read: " + text.Line(err.Error()), "Name another file."}
}

func tooLarge(name string) error {
	return &Refusal{
		Name: name, Reason: fmt.Sprintf("has more than %s", megabytes(debate.MaxEvidenceSize)),
		Advice: "Name a part of it, or give the seats its folder as a workspace (--workspace).",
	}
}

func megabytes(n int) string { return fmt.Sprintf("%d MB", n>>20) }

// readFile reads a regular file of a tree as evidence with a name. Info is what its path named
// before; the opened file is asked again, since the path may name another one by now.
func readFile(ctx context.Context, tree *os.Root, rel, name, path string, info fs.FileInfo) (Found, error) {
	if err := checkKind(name, info); err != nil { // opening a device can have effects
		return Found{}, err
	}
	raw, err := readUnchanged(ctx, tree, rel, name)
	switch {
	case ctx.Err() != nil:
		return Found{}, ctx.Err()
	case err != nil:
		return Found{}, unreadable(name, err)
	}
	return newEvidence(name, path, raw)
}

func readUnchanged(ctx context.Context, tree *os.Root, rel, name string) ([]byte, error) {
	f, err := tree.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0) // not waiting for the writer of a FIFO
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	before, err := f.Stat()
	if err == nil {
		err = cmp.Or(checkKind(name, before), ctx.Err())
	}
	if err != nil {
		return nil, err
	}
	if before.Size() > debate.MaxEvidenceSize {
		return nil, tooLarge(name)
	}
	raw, err := io.ReadAll(io.LimitReader(f, before.Size()+1)) // one that grows has no end
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) || int64(len(raw)) != before.Size() {
		return nil, &Refusal{
			Name: name, Reason: "changed while it was read", Advice: "Try again when nothing writes to it, or name a copy.",
		}
	}
	return raw, nil
}

func checkKind(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &Refusal{
		Name: name, Reason: "is not a regular file",
		Advice: "Name a file that holds text, or give what a pipe has as standard input: --file -",
	}
}

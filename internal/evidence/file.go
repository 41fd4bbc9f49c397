package evidence

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"roundtable/debate"
)

// readFile reads a regular file of a tree. Info is what its path named before; the
// opened file is asked again, since the path may name another one by now.
func readFile(ctx context.Context, tree *os.Root, rel, name string, info fs.FileInfo) (debate.Evidence, error) {
	if err := checkKind(name, info); err != nil { // opening a device can have effects
		return debate.Evidence{}, err
	}
	f, err := tree.OpenFile(rel, os.O_RDONLY|openWithoutWaiting, 0)
	if err != nil {
		return debate.Evidence{}, unreadable(name, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	raw, err := readUnchanged(ctx, f, name)
	switch {
	case ctx.Err() != nil:
		return debate.Evidence{}, ctx.Err()
	case err != nil:
		return debate.Evidence{}, unreadable(name, err)
	}
	return newEvidence(name, raw)
}

// readUnchanged reads an open file that nobody writes to meanwhile.
func readUnchanged(ctx context.Context, f *os.File, name string) ([]byte, error) {
	before, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkKind(name, before); err != nil {
		return nil, err
	}
	raw, err := readAll(ctx, io.LimitReader(f, before.Size()+1)) // one that grows has no end
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) || int64(len(raw)) != before.Size():
		return nil, &Refusal{
			Name: name, Reason: "changed while it was read", Advice: "Try again when nothing writes to it, or name a copy.",
		}
	}
	return raw, nil
}

// checkKind refuses everything but regular files of a size that can be read.
func checkKind(name string, info fs.FileInfo) error {
	what := ""
	switch mode := info.Mode(); {
	case mode.IsRegular() && info.Size() > MaxFile:
		return tooLarge(name)
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return &Refusal{Name: name, Reason: "is a folder by now", Advice: "Try again."}
	case mode&fs.ModeNamedPipe != 0:
		return &Refusal{Name: name, Reason: "is a pipe", Advice: "Give its content as standard input: --file -"}
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = "not a regular file"
	}
	return &Refusal{Name: name, Reason: "is " + what, Advice: "Name a file that holds text."}
}

// chunk is how much is read between two looks at the context.
const chunk = 64 << 10

// readAll reads to the end.
func readAll(ctx context.Context, r io.Reader) ([]byte, error) {
	var raw []byte
	buffer := make([]byte, chunk)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := r.Read(buffer)
		raw = append(raw, buffer[:n]...)
		if errors.Is(err, io.EOF) {
			return raw, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// isLoop reports whether links lead in a circle. The packages of the standard library
// that resolve links have no error in common.
func isLoop(err error) bool {
	said := fmt.Sprint(cause(err))
	return strings.Contains(said, "too many links") || strings.Contains(said, "too many levels of symbolic links")
}

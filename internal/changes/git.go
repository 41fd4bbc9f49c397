package changes

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"roundtable/internal/process"
	"roundtable/internal/text"
)

// repo is a git repository, with a folder for what must not be written into it.
type repo struct {
	root  string
	tmp   string
	env   []string // of commands, besides gitEnv
	off   []string // arguments that take the programs of filters away
	said  []string // what git wrote to standard error though it succeeded
	blobs *blobs
}

func (r *repo) close() error {
	if r.blobs != nil {
		r.blobs.close()
	}
	return os.RemoveAll(r.tmp)
}

var errMissing = errors.New("an object is not in the repository")

// command returns a git that runs nothing that the repository configures. Without protocols it
// cannot fetch what a partial clone lacks.
func (r *repo) command(ctx context.Context, args []string) *exec.Cmd {
	env := strings.Fields("GIT_ALLOW_PROTOCOL= GIT_NO_REPLACE_OBJECTS=1 GIT_LITERAL_PATHSPECS=1")
	fixed := []string{"-c", "core.quotePath=false", "-c", "core.safecrlf=false"}
	return process.Git(ctx, r.root, append(env, r.env...), slices.Concat(fixed, r.off, args)...)
}

// git runs git and returns what it writes. What it writes to standard error counts only if it
// fails.
func (r *repo) git(ctx context.Context, stdin string, args ...string) (string, error) {
	cmd := r.command(ctx, args)
	cmd.Stdin = strings.NewReader(stdin)
	out, said, err := process.RunGit(ctx, cmd)
	switch {
	case err != nil && strings.Contains(said, "promisor"):
		return "", errMissing
	case err == nil:
		r.heard(said)
	}
	return out, err
}

// heard remembers what git wrote to standard error though it succeeded, the first few lines.
func (r *repo) heard(stderr string) {
	const most = 5
	for line := range strings.Lines(stderr) {
		line = text.Clip(text.Line(line), 300)
		if line != "" && len(r.said) < most && !slices.Contains(r.said, line) && !strings.HasPrefix(line, "hint: ") {
			r.said = append(r.said, line)
		}
	}
}

func (r *repo) line(ctx context.Context, args ...string) (string, error) {
	out, err := r.git(ctx, "", args...)
	return strings.TrimSuffix(strings.TrimSuffix(out, "\n"), "\r"), err
}

// withoutFilters takes the programs of all configured filters away, and returns their names.
func (r *repo) withoutFilters(ctx context.Context) (names []string, err error) {
	out, err := r.git(ctx, "", "config", "--null", "--name-only", "--get-regexp", `^filter\..*\.(clean|smudge|process|required)$`)
	if err != nil && out == "" {
		return nil, nil //nolint:nilerr // there are none
	}
	for key := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		name := strings.TrimPrefix(key[:strings.LastIndexByte(key, '.')], "filter.")
		switch {
		case slices.Contains(names, name):
			continue
		case strings.ContainsAny(name, "=\n"):
			return nil, fmt.Errorf("the name of the filter %q in git's configuration cannot be read", text.Label(name))
		}
		names = append(names, name)
		for _, setting := range []string{"clean=", "smudge=", "process=", "required=false"} {
			r.off = append(r.off, "-c", "filter."+name+"."+setting)
		}
	}
	return names, nil
}

// blobs reads objects, all from one process.
type blobs struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (r *repo) startBlobs(ctx context.Context) error {
	cmd := r.command(ctx, []string{"cat-file", "--batch"})
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.blobs = &blobs{cmd, in, bufio.NewReaderSize(out, 64<<10)}
	return nil
}

func (b *blobs) close() {
	_ = b.in.Close()
	_ = b.cmd.Wait() // nothing is lost: what it wrote was read
}

// read returns the beginning of an object, at most so many bytes, and its size.
func (b *blobs) read(id string, most int64) (data []byte, size int64, err error) {
	if _, err := io.WriteString(b.in, id+"\n"); err != nil {
		return nil, 0, errMissing
	}
	head, err := b.out.ReadString('\n')
	if err != nil { // git ends if it cannot fetch an object
		return nil, 0, errMissing
	}
	var got, kind string
	if n, _ := fmt.Sscan(head, &got, &kind, &size); n < 3 {
		return nil, 0, errMissing
	}
	data = make([]byte, min(size, most))
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, 0, err
	}
	_, err = io.CopyN(io.Discard, b.out, size-int64(len(data))+1)
	return data, size, err
}

package process

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"time"

	"roundtable/internal/text"
)

// EndWithContext has a command end with its whole group when its context does.
func EndWithContext(cmd *exec.Cmd, delay time.Duration) {
	OwnGroup(cmd)
	cmd.Cancel = func() error {
		KillGroup(cmd)
		return nil
	}
	cmd.WaitDelay = delay
}

// Git returns a git that runs nothing that the repository of a folder configures. The variables
// of git itself are left out of its environment, since they name another repository when this
// program is started by a hook; env has further ones.
func Git(ctx context.Context, dir string, env []string, args ...string) *exec.Cmd {
	args = append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1"}
	for _, name := range []string{"PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "USERPROFILE", "SYSTEMROOT", "TEMP"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	cmd.Env = append(cmd.Env, env...)
	EndWithContext(cmd, 2*time.Second)
	return cmd
}

const maxOutput = 1 << 30 // bytes that are read of a git

var errTooMuch = errors.New("it writes more than can be read")

// Bounded is a buffer of limited size. Room is negative once a write has exceeded it.
type Bounded struct {
	Kept bytes.Buffer
	Room int
}

// Write keeps what is written, and fails once there is no room.
func (b *Bounded) Write(p []byte) (int, error) {
	if b.Room -= len(p); b.Room < 0 {
		return 0, errTooMuch
	}
	return b.Kept.Write(p)
}

// RunGit runs a git and returns what it writes. An error has the words of git, on one line.
func RunGit(ctx context.Context, cmd *exec.Cmd) (stdout, stderr string, err error) {
	out, said := Bounded{Room: maxOutput}, Bounded{Room: maxOutput}
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", "", context.Cause(ctx)
	case out.Room < 0 || said.Room < 0:
		return "", "", errTooMuch
	case errors.Is(err, exec.ErrNotFound):
		err = errors.New("git is not installed")
	case err != nil && said.Kept.Len() > 0:
		err = errors.New(text.Clip(text.Line(said.Kept.String()), 500))
	}
	return out.Kept.String(), said.Kept.String(), err
}

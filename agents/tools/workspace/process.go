package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"roundtable/agents/tools"
	"roundtable/internal/crash"
	"roundtable/internal/process"
)

const (
	grace = time.Second // between asking a command to end and killing it
	drain = time.Second // for output of a process that left the group of its command
)

// command is a program to start, in a process group of its own, without input and
// without a terminal.
type command struct {
	argv []string // argv[0] is a path
	env  []string
	dir  string
	stop func() // ends what goes on without the program; may be nil
}

// run runs the program until it ends or ctx is done. In both cases nothing of its process
// group is left. What it wrote before ctx was done is returned with the error.
func (p command) run(ctx context.Context) (tools.CommandResult, error) {
	if err := ctx.Err(); err != nil {
		return tools.CommandResult{}, context.Cause(ctx)
	}
	out, in, err := os.Pipe()
	if err != nil {
		return tools.CommandResult{}, err
	}
	defer out.Close() //nolint:errcheck // it was read to its end, or is given up
	cmd := &exec.Cmd{Path: p.argv[0], Args: p.argv, Env: append([]string{}, p.env...), Dir: p.dir, Stdout: in, Stderr: in}
	process.OwnGroup(cmd)
	// Linux ends the program with the thread that started it, not with the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := errors.Join(cmd.Start(), in.Close()); err != nil {
		return tools.CommandResult{}, fmt.Errorf("start %s: %w", quote(filepath.Base(p.argv[0])), err)
	}
	var output clipped
	read := make(chan struct{})
	crash.Go(func() {
		defer close(read)
		io.Copy(&output, out) //nolint:errcheck // what was read until then is the output
	}, func(*crash.Panic) {})
	ended := make(chan struct{})
	stopped := context.AfterFunc(ctx, func() { p.terminate(cmd, ended) })
	err = cmd.Wait()
	close(ended)
	process.KillGroup(cmd) // of what the program started, if anything is left
	if !stopped() && p.stop != nil {
		p.stop()
	}
	out.SetReadDeadline(time.Now().Add(drain)) //nolint:errcheck // without it, reading ends with the last writer
	<-read
	result := output.result()
	result.Exit = process.ExitCode(cmd.ProcessState)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return result, context.Cause(ctx)
	case err != nil && !errors.As(err, &exit):
		return result, fmt.Errorf("run %s: %w", quote(filepath.Base(p.argv[0])), err)
	}
	return result, nil
}

// terminate asks the group of a command to end, and kills it after a while. A program that
// has to be stopped otherwise passes no request on, and is killed at once.
func (p command) terminate(cmd *exec.Cmd, ended <-chan struct{}) {
	if p.stop != nil {
		process.KillGroup(cmd) // it may have ended by itself
		return
	}
	process.TerminateGroup(cmd)
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-ended: // the group is killed by the one who waited for its end
	case <-t.C:
		process.KillGroup(cmd) // it may have ended by itself
	}
}

// errNoGroups says that a command might leave others behind.
var errNoGroups = errors.New("commands cannot run on this system, which has no process groups")

// unconfined runs commands as the user who runs Roundtable.
type unconfined struct{}

func (unconfined) run(ctx context.Context, dir string, c tools.Command) (tools.CommandResult, error) {
	if !process.HasGroups {
		return tools.CommandResult{}, errNoGroups
	}
	program, err := lookup(dir, c.Argv[0], c.Env)
	if err != nil {
		return tools.CommandResult{}, err
	}
	return command{argv: append([]string{program}, c.Argv[1:]...), env: c.Env, dir: dir}.run(ctx)
}

// lookup returns the path of a program, which is searched for in the PATH of the
// command's environment and not of this process. Relative folders in it are passed over.
func lookup(dir, program string, env []string) (string, error) {
	if strings.ContainsRune(program, filepath.Separator) {
		if !filepath.IsAbs(program) {
			program = filepath.Join(dir, program)
		}
		return program, nil
	}
	for _, folder := range filepath.SplitList(variable(env, "PATH")) {
		if !filepath.IsAbs(folder) {
			continue
		}
		p := filepath.Join(folder, program)
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return p, nil
		}
	}
	return "", fmt.Errorf("there is no program named %s", quote(program))
}

// variable returns the value of an environment variable; the last one counts.
func variable(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(env[i], name+"="); ok {
			return value
		}
	}
	return ""
}

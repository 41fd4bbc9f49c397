package workspace

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/agents/tools"
	"roundtable/internal/crash"
	"roundtable/internal/process"
	"roundtable/internal/text"
)

// newContainer returns what runs commands in the clone of an agent, without network and
// with a root that cannot be written.
func newContainer(o Options, session, clone string) sandbox {
	if o.Container == Bubblewrap {
		return bubblewrap{clone: clone, limits: o.Limits.orDefault()}.run
	}
	return engine{program: o.Container, image: o.Image, session: session, clone: clone, limits: o.Limits.orDefault()}.run
}

// bubblewrap runs commands in namespaces of their own. The command sees the programs of
// the system, its clone and its temporary folder, and nothing else.
type bubblewrap struct {
	clone  string
	limits Limits
}

func (b bubblewrap) run(ctx context.Context, j job) (tools.CommandResult, error) {
	bwrap, err := findProgram("bwrap")
	if err != nil {
		return tools.CommandResult{}, err
	}
	argv, err := b.arguments(j)
	if err != nil {
		return tools.CommandResult{}, err
	}
	return command{argv: append([]string{bwrap}, argv...), env: j.Env, dir: j.dir}.run(ctx)
}

// systemPaths returns the paths of the system that a command can read if they exist. None
// of them holds data of other users, services or hosts.
func systemPaths() []string {
	paths := []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store", "/run/current-system"}
	for _, name := range []string{
		"alternatives", "group", "java", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "nsswitch.conf", "passwd",
	} {
		paths = append(paths, "/etc/"+name)
	}
	return paths
}

// arguments returns the arguments of bwrap. prlimit sets the limits within it, where only
// processes of this container count.
func (b bubblewrap) arguments(j job) ([]string, error) {
	prlimit, err := findProgram("prlimit")
	if err != nil {
		return nil, err
	}
	args := []string{"--unshare-all", "--die-with-parent", "--cap-drop", "ALL"}
	for _, p := range systemPaths() {
		info, err := os.Lstat(p)
		if err != nil {
			continue
		}
		if info.Mode()&os.ModeSymlink != 0 {
			if target, err := os.Readlink(p); err == nil {
				args = append(args, "--symlink", target, p)
			}
			continue
		}
		args = append(args, "--ro-bind", p, p)
	}
	// A command of root could change settings of the host in /proc/sys, whatever its namespaces.
	args = append(args, "--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
	writable := []string{b.clone}
	if j.Home != "" {
		writable = append(writable, j.Home)
	}
	if j.TempDir != "" {
		writable = append(writable, j.TempDir)
		if !below("/tmp", b.clone) && !below("/tmp", j.TempDir) {
			args = append(args, "--symlink", j.TempDir, "/tmp")
		}
	}
	for _, p := range writable {
		args = append(args, "--bind", p, p)
	}
	args = append(args, "--remount-ro", "/", "--chdir", j.dir, "--", prlimit,
		"--as="+strconv.FormatInt(b.limits.Memory, 10),
		"--nproc="+strconv.Itoa(b.limits.Processes),
		"--cpu="+strconv.Itoa(int(b.limits.CPU.Seconds())),
		"--core=0", "--")
	return append(args, j.Argv...), nil
}

func below(folder, p string) bool {
	rel, err := filepath.Rel(folder, p)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// errNotInstalled says how to do without a program.
var errNotInstalled = errors.New("is not installed; install it (bwrap is in bubblewrap, prlimit in util-linux), " +
	"or set container in [tools] to another program")

func findProgram(name string) (string, error) {
	if !process.HasGroups {
		return "", errNoGroups
	}
	p, err := lookup("/", name, os.Environ())
	if err != nil {
		return "", fmt.Errorf("%s %w", name, errNotInstalled)
	}
	return p, nil
}

// engine runs commands in containers of podman or docker.
type engine struct {
	program string // Podman or Docker
	image   string
	session string // folder for a file with the environment
	clone   string
	limits  Limits
}

const stopTime = 2 * time.Second

func (e engine) run(ctx context.Context, j job) (result tools.CommandResult, err error) {
	program, err := findProgram(e.program)
	if err != nil {
		return tools.CommandResult{}, err
	}
	envFile, err := e.writeEnv(j.Env)
	if err != nil {
		return tools.CommandResult{}, err
	}
	defer func() { err = errors.Join(err, os.Remove(envFile)) }()
	name := "roundtable-" + strings.ToLower(rand.Text())
	args, err := e.arguments(name, envFile, j)
	if err != nil {
		return tools.CommandResult{}, err
	}
	p := command{argv: append([]string{program}, args...), env: engineEnv(), dir: j.dir}
	// The container is no child of the program and outlives it.
	p.stop = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		for _, args := range [][]string{{"kill", name}, {"rm", "--force", name}} { // rm alone waits for ten seconds
			cmd := exec.CommandContext(ctx, program, args...)
			cmd.Env = engineEnv()
			cmd.Run() //nolint:errcheck // it may have ended; --rm removes it then
		}
	}
	result, err = p.run(ctx)
	if err == nil && result.Exit == exitEngine {
		return tools.CommandResult{}, fmt.Errorf("%s could not run the command: %s", e.program, text.Line(result.Output))
	}
	return result, err
}

const exitEngine = 125

func (e engine) arguments(name, envFile string, j job) ([]string, error) {
	args := []string{
		"run", "--rm", "--name", name, "--pull", "never",
		"--network", "none", "--read-only", "--cap-drop", "ALL",
		"--security-opt", "no-new-privileges", "--security-opt", "label=disable",
		"--memory", strconv.FormatInt(e.limits.Memory, 10), "--memory-swap", strconv.FormatInt(e.limits.Memory, 10),
		"--pids-limit", strconv.Itoa(e.limits.Processes),
		"--ulimit", fmt.Sprintf("cpu=%d:%[1]d", int(e.limits.CPU.Seconds())), "--ulimit", "core=0:0",
		"--tmpfs", "/tmp:size=64m", "--env-file", envFile, "--workdir", j.dir, "--entrypoint", "",
	}
	args = append(args, "--user", fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid()))
	if e.program == Podman {
		args = append(args, "--http-proxy=false", "--read-only-tmpfs=false")
		if os.Getuid() != 0 {
			args = append(args, "--userns", "keep-id")
		}
	}
	for _, folder := range []string{e.clone, j.TempDir, j.Home} {
		if folder == "" {
			continue
		}
		mount, err := bindMount(folder)
		if err != nil {
			return nil, err
		}
		args = append(args, "--mount", mount)
	}
	return append(append(args, e.image), j.Argv...), nil
}

// bindMount returns the value of --mount, which is a record of CSV.
func bindMount(folder string) (string, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	if err := w.Write([]string{"type=bind", "source=" + folder, "target=" + folder}); err != nil {
		return "", err
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n"), w.Error()
}

// writeEnv writes the environment of a command to a file, since arguments can be read by
// other users of the machine. PATH is the image's own. Proxies, which docker adds from its
// configuration and which may hold a password, are emptied.
func (e engine) writeEnv(env []string) (path string, err error) {
	var lines []string
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY"} {
		lines = append(lines, name+"=", strings.ToLower(name)+"=")
	}
	for _, v := range env {
		if strings.ContainsAny(v, "\r\n") {
			name, _, _ := strings.Cut(v, "=")
			return "", fmt.Errorf("the variable %s has a line break, which %s cannot pass on", quote(name), e.program)
		}
		if !strings.HasPrefix(v, "PATH=") {
			lines = append(lines, v)
		}
	}
	f, err := os.CreateTemp(e.session, "env-*")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	return f.Name(), errors.Join(err, f.Close())
}

func engineEnv() []string {
	return slices.Concat(
		inherited("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "DBUS_SESSION_BUS_ADDRESS"),
		inherited("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"),
		inherited("DOCKER_HOST", "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH", "CONTAINER_HOST"),
	)
}

const (
	grace = time.Second // between asking a command to end and killing it
	drain = time.Second // for output of a process of the command that was not found
)

// command is a program to start, in a process group of its own, without input and
// without a terminal.
type command struct {
	argv []string // argv[0] is a path
	env  []string
	dir  string
	stop func() // ends what outlives the program; may be nil
}

// run runs the program until it ends or ctx is done. In both cases nothing that it started
// is left. What it wrote before ctx was done is returned with the error.
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
	// Linux ends the program with the thread that started it, not with the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	tree := process.NewTree(cmd)
	if err := errors.Join(tree.Start(), in.Close()); err != nil {
		return tools.CommandResult{}, fmt.Errorf("start %s: %w", quote(filepath.Base(p.argv[0])), err)
	}
	var output clipped
	read := make(chan struct{})
	crash.Go(func() {
		defer close(read)
		io.Copy(&output, out) //nolint:errcheck // what was read until then is the output
	}, func(*crash.Panic) {})
	ended := make(chan struct{})
	stopped := context.AfterFunc(ctx, func() { p.terminate(cmd, tree, ended) })
	err = cmd.Wait()
	close(ended)
	p.kill(cmd, tree) // what the program started, if anything is left
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

// kill kills a command with what it started. What a program with a stop function of its
// own leaves behind may serve other containers.
func (p command) kill(cmd *exec.Cmd, tree *process.Tree) {
	if p.stop != nil {
		process.KillGroup(cmd) // it may have ended by itself
		return
	}
	tree.Kill()
}

// terminate asks the group of a command to end, and kills it after a while. A program with
// a stop function of its own does not forward signals and is killed at once.
func (p command) terminate(cmd *exec.Cmd, tree *process.Tree, ended <-chan struct{}) {
	if p.stop != nil {
		p.kill(cmd, tree)
		return
	}
	tree.Terminate()
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-ended: // it is killed by the one who waited for its end
	case <-t.C:
		p.kill(cmd, tree)
	}
}

var errNoGroups = errors.New("commands cannot run on this system, which has no process groups")

// runUnconfined runs a command as the current user, without a container.
func runUnconfined(ctx context.Context, j job) (tools.CommandResult, error) {
	if !process.HasGroups {
		return tools.CommandResult{}, errNoGroups
	}
	program, err := lookup(j.dir, j.Argv[0], j.Env)
	if err != nil {
		return tools.CommandResult{}, err
	}
	return command{argv: append([]string{program}, j.Argv[1:]...), env: j.Env, dir: j.dir}.run(ctx)
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
	path := ""
	for _, v := range env { // the last one counts
		if value, ok := strings.CutPrefix(v, "PATH="); ok {
			path = value
		}
	}
	for _, folder := range filepath.SplitList(path) {
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

const side = 4_950 // bytes of a command's output that are kept at the beginning and at the end

type clipped struct {
	head, tail []byte
	cut        int64
}

// Write implements io.Writer.
func (c *clipped) Write(p []byte) (int, error) {
	n := min(len(p), side-len(c.head))
	c.head, c.tail = append(c.head, p[:n]...), append(c.tail, p[n:]...)
	if over := len(c.tail) - side; over > 0 {
		c.cut += int64(over)
		c.tail = append(c.tail[:0], c.tail[over:]...)
	}
	return len(p), nil
}

func (c *clipped) result() tools.CommandResult {
	between := ""
	if c.cut > 0 {
		between = fmt.Sprintf("\n[%d bytes left out]\n", c.cut)
	}
	output := strings.ReplaceAll(string(c.head)+between+string(c.tail), "\r\n", "\n")
	return tools.CommandResult{Output: legible(strings.ReplaceAll(output, "\r", "\n")), Cut: c.cut}
}

package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"roundtable/agents/tools"
	"roundtable/internal/process"
)

// newContainer returns what runs commands in the clone of an agent, without network and
// with a root that cannot be written.
func newContainer(o Options, session, clone string) sandbox {
	if o.Container == Bubblewrap {
		return bubblewrap{clone: clone, limits: o.Limits.orDefault()}
	}
	return engine{program: o.Container, image: o.Image, session: session, clone: clone, limits: o.Limits.orDefault()}
}

// bubblewrap runs commands in namespaces of their own. The command sees the programs of
// the system, its clone and its temporary folder, and nothing else.
type bubblewrap struct {
	clone  string
	limits Limits
}

func (b bubblewrap) run(ctx context.Context, dir string, c tools.Command) (tools.CommandResult, error) {
	bwrap, err := findProgram("bwrap")
	if err != nil {
		return tools.CommandResult{}, err
	}
	argv, err := b.arguments(dir, c)
	if err != nil {
		return tools.CommandResult{}, err
	}
	return command{argv: append([]string{bwrap}, argv...), env: c.Env, dir: dir}.run(ctx)
}

// Folders and files of the system that a command sees, as far as they exist. Nothing of
// other users, of services or of hosts is among them.
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
func (b bubblewrap) arguments(dir string, c tools.Command) ([]string, error) {
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
	args = append(args, "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
	writable := []string{b.clone}
	if c.TempDir != "" {
		writable = append(writable, c.TempDir)
		if !below("/tmp", b.clone) && !below("/tmp", c.TempDir) {
			args = append(args, "--symlink", c.TempDir, "/tmp")
		}
	}
	for _, p := range writable {
		args = append(args, "--bind", p, p)
	}
	args = append(args, "--remount-ro", "/", "--chdir", dir, "--", prlimit,
		"--as="+strconv.FormatInt(b.limits.Memory, 10),
		"--nproc="+strconv.Itoa(b.limits.Processes),
		"--cpu="+strconv.Itoa(int(b.limits.CPU.Seconds())),
		"--core=0", "--")
	return append(args, c.Argv...), nil
}

// below reports whether a path is in a folder.
func below(folder, p string) bool {
	rel, err := filepath.Rel(folder, p)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// findProgram returns the path of a program that a container needs.
func findProgram(name string) (string, error) {
	if !process.HasGroups {
		return "", errNoGroups
	}
	p, err := lookup("/", name, os.Environ())
	if err != nil {
		return "", missingProgram{name}
	}
	return p, nil
}

// missingProgram is the error of a container whose program is not installed.
type missingProgram struct{ name string }

// Error implements error.
func (m missingProgram) Error() string {
	return fmt.Sprintf("%s is not installed; install %s", m.name, packageOf(m.name))
}

// packageOf names what to install for a program.
func packageOf(program string) string {
	switch program {
	case "bwrap":
		return "bubblewrap, or set container in [tools] to podman or docker"
	case "prlimit":
		return "util-linux, which has it"
	default:
		return program + ", or set container in [tools] to " + Bubblewrap
	}
}

package workspace

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"roundtable/agents/tools"
	"roundtable/internal/text"
)

// engine runs commands in containers of podman or docker.
type engine struct {
	program string // Podman or Docker
	image   string
	session string // folder for a file with the environment
	clone   string
	limits  Limits
}

// stopTime bounds how long the removal of a container may take.
const stopTime = 2 * time.Second

func (e engine) run(ctx context.Context, dir string, c tools.Command) (result tools.CommandResult, err error) {
	program, err := findProgram(e.program)
	if err != nil {
		return tools.CommandResult{}, err
	}
	envFile, err := e.writeEnv(c.Env)
	if err != nil {
		return tools.CommandResult{}, err
	}
	defer func() { err = errors.Join(err, os.Remove(envFile)) }()
	name := "roundtable-" + strings.ToLower(rand.Text())
	args, err := e.arguments(name, envFile, dir, c)
	if err != nil {
		return tools.CommandResult{}, err
	}
	p := command{argv: append([]string{program}, args...), env: engineEnv(), dir: dir}
	// The container is no child of the program, and goes on without it.
	p.stop = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
		defer cancel()
		for _, args := range [][]string{{"kill", name}, {"rm", "--force", name}} { // rm alone waits for ten seconds
			cmd := exec.CommandContext(ctx, program, args...)
			cmd.Env = engineEnv()
			cmd.Run() //nolint:errcheck // it may be gone already; --rm removes it at its end
		}
	}
	result, err = p.run(ctx)
	if err == nil && result.Exit == exitEngine {
		return tools.CommandResult{}, fmt.Errorf("%s could not run the command: %s", e.program, text.Line(result.Output))
	}
	return result, err
}

// exitEngine is the exit code of podman and docker when they themselves failed.
const exitEngine = 125

// arguments returns the arguments of podman or docker.
func (e engine) arguments(name, envFile, dir string, c tools.Command) ([]string, error) {
	args := []string{
		"run", "--rm", "--name", name, "--pull", "never",
		"--network", "none", "--read-only", "--cap-drop", "ALL",
		"--security-opt", "no-new-privileges", "--security-opt", "label=disable",
		"--memory", strconv.FormatInt(e.limits.Memory, 10), "--memory-swap", strconv.FormatInt(e.limits.Memory, 10),
		"--pids-limit", strconv.Itoa(e.limits.Processes),
		"--ulimit", fmt.Sprintf("cpu=%d:%[1]d", int(e.limits.CPU.Seconds())), "--ulimit", "core=0:0",
		"--tmpfs", "/tmp:size=64m", "--env-file", envFile, "--workdir", dir, "--entrypoint", "",
	}
	args = append(args, "--user", fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid()))
	if e.program == Podman {
		args = append(args, "--http-proxy=false", "--read-only-tmpfs=false")
		if os.Getuid() != 0 {
			args = append(args, "--userns", "keep-id")
		}
	}
	for _, folder := range []string{e.clone, c.TempDir} {
		if folder == "" {
			continue
		}
		mount, err := bindMount(folder)
		if err != nil {
			return nil, err
		}
		args = append(args, "--mount", mount)
	}
	return append(append(args, e.image), c.Argv...), nil
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

// engineEnv returns what podman and docker need to know to find their server.
func engineEnv() []string {
	return slices.Concat(
		inherited("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "DBUS_SESSION_BUS_ADDRESS"),
		inherited("XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"),
		inherited("DOCKER_HOST", "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH", "CONTAINER_HOST"),
	)
}

package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"roundtable/agents/tools"
	"roundtable/internal/text"
)

// checkTime bounds how long a check may take.
const checkTime = 20 * time.Second

// Check reports as an error why the mode of the options does not work here: a folder that
// cannot be read, one that is no git repository, a program that is missing or that the
// system does not let run. The error says what to install or to configure.
func Check(ctx context.Context, o Options) error {
	if err := o.validate(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if err := readable(o.Dir); err != nil || o.Mode == Local {
		return err
	}
	if _, err := findRepository(ctx, o.Dir); err != nil || o.Mode == Clone {
		return err
	}
	return checkContainer(ctx, o)
}

func readable(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the workspace: %w", err)
	}
	_, _, err = readDir(context.Background(), root, ".", 1)
	return errors.Join(err, root.Close())
}

// CheckMode is like Check when the folder is not known yet: it looks only at what the
// mode itself needs.
func CheckMode(ctx context.Context, o Options) error {
	if err := o.validateMode(); err != nil || o.Mode == Local {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if _, err := git(ctx, "", "--version"); err != nil || o.Mode == Clone {
		return err
	}
	return checkContainer(ctx, o)
}

// checkContainer runs a command that does nothing as the commands of agents are run.
func checkContainer(ctx context.Context, o Options) (err error) {
	if o.Container == Bubblewrap && runtime.GOOS != "linux" {
		return errors.New("bubblewrap exists for Linux only; set container in [tools] to podman or docker")
	}
	dir, err := os.MkdirTemp("", "roundtable-check-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	env := inherited("PATH")
	result, err := newContainer(o, dir, dir).run(ctx, dir, tools.Command{Argv: []string{"true"}, Env: env})
	var missing missingProgram
	switch {
	case errors.As(err, &missing):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("%s did not run a command within %s", o.Container, checkTime)
	case err == nil && result.Exit == 0:
		return nil
	case err == nil:
		err = errors.New(text.Line(result.Output))
	}
	switch o.Container {
	case Bubblewrap:
		return fmt.Errorf("bubblewrap does not work here: %w. "+
			"Allow user namespaces for bwrap, or set container in [tools] to podman or docker", err)
	default:
		return fmt.Errorf("%s does not work here: %w. Start it, and get the image with: %s pull %s",
			o.Container, err, o.Container, o.Image)
	}
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"roundtable/agents"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/tui/setup"
)

// maxConfig bounds the config file that a panel is added to, in bytes.
const maxConfig = 1 << 20

// savePanel adds a panel to the config file, or writes one with its agents.
func savePanel(a *app) setup.PanelSaver {
	return func(_ context.Context, p setup.NewPanel) (string, error) {
		path, _, err := a.configPath()
		if err != nil {
			return "", err
		}
		raw, err := text.ReadFile(path, maxConfig)
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return "", fmt.Errorf("read the config: %w", err)
		}
		out, err := config.AddPanel(path, raw, config.NewPanel{Name: p.Name, Seats: p.Seats, Chair: p.Chair, Light: p.Light}, p.Agreed)
		switch {
		case errors.Is(err, config.ErrPanelExists):
			return "", &setup.ConsentError{Question: fmt.Sprintf("Replace the agents of the panel %s?", p.Name), Verb: "replace"}
		case err != nil:
			return "", fmt.Errorf("the panel was not saved: %w", err)
		case missing && !p.Agreed:
			return "", &setup.ConsentError{
				Question: fmt.Sprintf("Write a config with %s to %s?", text.Count(len(p.Seats), "agent"), path), Verb: "write it",
			}
		}
		if err := replaceConfig(path, out); err != nil {
			return "", fmt.Errorf("the panel was not saved in %s: %w", path, err)
		}
		return fmt.Sprintf("Saved the panel %s in %s.", p.Name, path), nil
	}
}

// replaceConfig writes the config file, or the one that it is a link to. Its permissions
// stay.
func replaceConfig(path string, content []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	} else if err != nil {
		return withoutPath(err)
	}
	return writeFileAtomic(path, info != nil, func(w io.Writer) error {
		if f, ok := w.(*os.File); ok && info != nil {
			if err := f.Chmod(info.Mode().Perm()); err != nil {
				return err
			}
		}
		_, err := w.Write(content)
		return err
	})
}

// modelLister asks a provider for its models. What failed before is tried again.
func modelLister(c *config.Clients) setup.ModelLister {
	return func(ctx context.Context, provider string) ([]agents.ModelInfo, error) {
		c.Prepare([]agents.Profile{{Provider: provider}})
		return guarded(func() ([]agents.ModelInfo, error) { return c.Models(ctx, provider) })
	}
}

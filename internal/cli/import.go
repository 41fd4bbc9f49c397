package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/config"
	"roundtable/internal/text"
	"roundtable/store"
)

func importCommand(a *app.App) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "import FILE", Short: "Make a debate of a JSON export", Args: argCount(1, 1, "FILE"),
		Long: "Import a debate that `roundtable export --format json` wrote, here or elsewhere; - reads standard input.\n\n" +
			"It keeps its id if that is free here, and can be read, replayed, forked and continued.\n" +
			"Workspaces and the exact requests to models are not part of an export. The same file is imported once only.",
		Example: "  roundtable import roundtable-k7m2x9qd4t.json\n  ssh box roundtable show k7m2 --json | roundtable import -",
		RunE: func(cmd *cobra.Command, args []string) error {
			return importFile(cmd.Context(), a, args[0], asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the new debate as JSON, as in roundtable sessions --json")
	return c
}

// importFile stores the debate of a file, and prints what it became.
func importFile(ctx context.Context, a *app.App, path string, asJSON bool) error {
	raw, err := readDocument(a, path)
	if err != nil {
		return app.Usagef("%s: %v. Nothing was imported; check the path, or write a file with `roundtable export ID -o FILE.json`",
			fileName(path), app.WithoutPath(err))
	}
	known, err := modesHere(a)
	if err != nil {
		return err
	}
	s, err := report.Read(raw, known)
	if err != nil {
		return app.Usagef("%s: %v. Nothing was imported", fileName(path), err)
	}
	st, err := a.OpenStore(ctx)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(raw)
	s.Imported.SHA256, s.Imported.At = hex.EncodeToString(sum[:]), a.Now().UTC()
	if s.ID, err = st.ImportID(ctx, s.ID); err != nil {
		return err
	}
	if err := a.Lock(ctx, st, s.ID); err != nil {
		return err
	}
	s, err = st.Import(ctx, s)
	var again *store.ImportedError
	if errors.As(err, &again) {
		return app.Usagef("%s: %v", fileName(path), again)
	}
	if err != nil {
		return err
	}
	a.Log.Info("imported", "session", s.ID, "from", s.Imported.Session)
	if asJSON {
		return printSession(ctx, a, st, s.ID)
	}
	return a.Print("%s", a.Commands().Hints(importSummary(s)))
}

// modesHere returns the modes of this program and those beside its config.
func modesHere(a *app.App) (report.Modes, error) {
	path, _, err := a.ConfigPath()
	if err != nil {
		return nil, err
	}
	known, _, err := modes.Load(config.ModesBeside(path))
	return func(name string) (debate.Mode, bool) {
		i := slices.IndexFunc(known, func(m debate.Mode) bool { return m.Name == name })
		if i < 0 {
			return debate.Mode{}, false
		}
		return known[i], true
	}, err
}

// fileName returns how messages name the file of an import.
func fileName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return cmp.Or(text.Label(path), `""`)
}

func readDocument(a *app.App, path string) ([]byte, error) {
	from := a.Stdin
	if path == "-" {
		a.WarnOfStdin("an export")
	} else {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		from = f
	}
	raw, err := io.ReadAll(io.LimitReader(from, report.MaxDocument+1))
	switch {
	case err != nil:
		return nil, err
	case len(raw) > report.MaxDocument:
		return nil, fmt.Errorf("more than %d MB", report.MaxDocument>>20)
	case len(bytes.TrimSpace(raw)) == 0:
		return nil, errors.New("it is empty")
	}
	return raw, nil
}

func importSummary(s debate.Session) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Debate %s: %s\n", s.ID, text.Label(s.Name()))
	fmt.Fprintf(&b, "Imported from %s.\n", text.Line(report.ImportOrigin(*s.Imported)))
	if s.ID != s.Imported.Session {
		fmt.Fprintf(&b, "The id %s is taken here, so it has a new one.\n", text.Line(s.Imported.Session))
	}
	fmt.Fprintf(&b, "`roundtable show %[1]s` prints it, `roundtable replay %[1]s` plays it again.\n", s.ID)
	fmt.Fprintf(&b, "What it says was written elsewhere. To continue it sends that to your models, its personas and mode included.\n")
	return b.String()
}

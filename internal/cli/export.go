package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/text"
	"roundtable/store"
	"roundtable/tui"
)

// exportOptions are the flags of `export`.
type exportOptions struct {
	format, file          string
	force, redact, schema bool
}

func (a *app) exportCommand() *cobra.Command {
	var w exportOptions
	c := &cobra.Command{
		Use: "export ID", Short: "Write a whole debate to a file", Args: argCount(0, 1, "ID"),
		Long: "Write a whole debate to a file: as Markdown, as JSON, or as one HTML page that loads nothing.\n" +
			"A debate that is not over can be exported too; the export says at its top what is missing.\n" +
			"Without -o the file is named after the session and lies in this folder. The ending of a file says its format: .md, .json or .html;\n" +
			"any other needs --format. A file that is there stays as it is, unless --force is given.",
		Example: "  roundtable export k7m2 -o debate.html\n  roundtable export k7m2 --format json -o -\n  roundtable export --schema",
		RunE: func(cmd *cobra.Command, args []string) error {
			if w.schema {
				return a.write(string(report.Schema()))
			}
			if len(args) == 0 {
				return usagef("usage: %s ID\nHelp: %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return a.export(cmd.Context(), args[0], w)
		},
	}
	f := c.Flags()
	f.StringVar(&w.format, "format", "", "md, json or html; left out, the ending of the file says it, without one it is md")
	f.StringVarP(&w.file, "output", "o", "", "write to this file, - being standard output")
	f.BoolVar(&w.force, "force", false, "replace the file")
	f.BoolVar(&w.redact, "redact", false, "mask what looks like a key or a password")
	f.BoolVar(&w.schema, "schema", false, "print the JSON schema of the format json")
	return c
}

// chosenFormat returns the format that --format names, or that of the file's extension.
// It is an error if they differ.
func (w exportOptions) chosen() (report.Format, error) {
	named, ending := report.Format(strings.ToLower(w.format)), strings.ToLower(filepath.Ext(w.file))
	meant, known := formatOf(ending)
	switch {
	case named != "" && !slices.Contains(report.Formats(), named):
		return "", usagef("there is no format %q; there are: md, json, html", text.Label(w.format))
	case named != "" && known && named != meant:
		return "", usagef("%s ends as %s, and --format says %s; nothing was written. Leave --format out, or name a file that ends in .%s.", w.file, meant, named, named)
	case named != "":
		return named, nil
	case known:
		return meant, nil
	case ending != "":
		return "", usagef("%s: no format has the ending %s, and nothing was written. The endings are .md, .json and .html; --format md writes Markdown under any other.", w.file, text.Label(ending))
	}
	return report.Markdown, nil
}

// formatOf returns the format for the extension of a file.
func formatOf(ending string) (f report.Format, known bool) {
	switch ending {
	case ".md", ".markdown":
		return report.Markdown, true
	case ".json":
		return report.JSON, true
	case ".html", ".htm":
		return report.HTML, true
	}
	return "", false
}

// export writes a saved session to a file, and prints what it came to.
func (a *app) export(ctx context.Context, id string, w exportOptions) error {
	f, err := w.chosen()
	if err != nil {
		return err
	}
	st, s, err := a.readSession(ctx, id)
	if err != nil {
		return err
	}
	_, held := st.Held(s.ID)
	doc := report.Of(s, report.Options{Live: held, Redact: w.redact})
	raw, err := doc.In(f)
	if err != nil {
		return err
	}
	if w.file == "-" {
		return a.write(string(raw))
	}
	path := w.file
	if path == "" {
		path = report.FileName(s.ID, f)
	}
	if err := writeFileAtomic(path, raw, w.force); errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already; it was not touched. --force replaces it, -o names another file.", path)
	} else if err != nil {
		return fmt.Errorf("write %s: %w. Nothing was written; -o names another file", path, err)
	}
	return a.print("Wrote %s.\n%s\n", path, doc.Banner)
}

// maxCopies is the highest number that exportToFolder appends to a name.
const maxCopies = 999

// exporter returns the interface's export function. While a round runs it exports the
// stored session, as the command does, since streamed text is not part of one yet.
func exporter(st *store.Store) func(context.Context, debate.Session, bool, tui.Format) (string, error) {
	return func(ctx context.Context, s debate.Session, running bool, f tui.Format) (string, error) {
		if running {
			stored, err := st.Session(ctx, s.ID)
			if err != nil {
				return "", fmt.Errorf("read what was written so far: %w. Nothing was exported; e works again when the round is done", err)
			}
			s = stored
		}
		return exportToFolder(ctx, s, running, f)
	}
}

// exportToFolder writes a session to a new file in the current folder and returns its path.
func exportToFolder(_ context.Context, s debate.Session, running bool, f tui.Format) (string, error) {
	format := report.Format(f)
	raw, err := report.Of(s, report.Options{Live: running}).In(format)
	if err != nil {
		return "", err
	}
	first, err := filepath.Abs(report.FileName(s.ID, format))
	if err != nil {
		return "", fmt.Errorf("this folder is gone: %w", err)
	}
	path := first
	for n := 2; ; n++ {
		err = writeFileAtomic(path, raw, false)
		if !errors.Is(err, fs.ErrExist) || n > maxCopies {
			break
		}
		ext := filepath.Ext(first)
		path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(first, ext), n, ext)
	}
	if err != nil {
		return "", fmt.Errorf("write %s: %w. Nothing was written; `roundtable export %s -o FILE` writes it elsewhere", path, err, s.ID)
	}
	return path, nil
}

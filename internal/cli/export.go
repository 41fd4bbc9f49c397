package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/agents"
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
		Use: "export ID", Short: "Export a debate to a file", Args: argCount(0, 1, "ID"),
		Long: "Export a debate as Markdown, as JSON, or as one HTML page that loads nothing. The format adr is a\n" +
			"decision record in Markdown with the headings of MADR.\n\n" +
			"An unfinished debate can be exported too; the export says at the top what is missing.\n" +
			"Without -o the file is named after the session, in the current folder. The extension of the file\n" +
			"(.md, .json or .html) selects the format; any other needs --format. Existing files are only\n" +
			"replaced with --force.",
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
	f.StringVar(&w.format, "format", "", "md, json, html or adr (default: by the extension of the file, else md)")
	f.StringVarP(&w.file, "output", "o", "", "write to this file; - is standard output")
	f.BoolVar(&w.force, "force", false, "replace an existing file")
	f.BoolVar(&w.redact, "redact", false, "mask what looks like a key or a password")
	f.BoolVar(&w.schema, "schema", false, "print the JSON schema of the JSON format")
	return c
}

// chosen returns the format that --format names, or that of the file's extension.
// It is an error if they differ.
func (w exportOptions) chosen() (report.Format, error) {
	named, ending := report.Format(strings.ToLower(w.format)), strings.ToLower(filepath.Ext(w.file))
	meant, known := formatOf(ending)
	switch {
	case named != "" && named != report.ADR && !slices.Contains(report.Formats(), named):
		return "", usagef("there is no format %q; there are: md, json, html, adr", text.Label(w.format))
	case named == report.ADR && meant == report.Markdown:
		return named, nil
	case named != "" && known && named != meant:
		return "", usagef("%s ends in %s, but --format is %s; nothing was written. Omit --format, or name a file that ends in %s.",
			w.file, ending, named, filepath.Ext(report.FileName("", named)))
	case named != "":
		return named, nil
	case known:
		return meant, nil
	case ending != "":
		return "", usagef("%s: no format has the extension %s; nothing was written. Use .md, .json or .html, or give --format.",
			w.file, text.Label(ending))
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
	st, err := a.existingStore(ctx)
	if err != nil {
		return err
	}
	s, err := st.Outline(ctx, id)
	if err != nil {
		return err
	}
	_, held := st.Held(s.ID)
	doc := report.Of(s, report.Options{
		Live: held, Redact: w.redact,
		Response: func(t agents.Turn) (debate.Response, error) { return st.Response(ctx, t) },
	})
	write := func(w io.Writer) error { return doc.Write(w, f) }
	if w.file == "-" {
		return write(a.Stdout)
	}
	path := w.file
	if path == "" {
		path = report.FileName(s.ID, f)
	}
	if err := writeFileAtomic(path, w.force, write); errors.Is(err, fs.ErrExist) {
		return usagef("%s already exists; it was not changed. --force replaces it, -o selects another file.", path)
	} else if err != nil {
		return fmt.Errorf("write %s: %w. Nothing was written; -o selects another file", path, err)
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
				return "", fmt.Errorf("read the saved session: %w. Nothing was exported; press e again when the round is done", err)
			}
			s = stored
		}
		return exportToFolder(ctx, s, running, f)
	}
}

// exportToFolder writes a session to a new file in the current folder and returns its path.
func exportToFolder(_ context.Context, s debate.Session, running bool, f tui.Format) (string, error) {
	format := report.Format(f)
	doc := report.Of(s, report.Options{Live: running})
	first, err := filepath.Abs(report.FileName(s.ID, format))
	if err != nil {
		return "", fmt.Errorf("the current folder does not exist: %w", err)
	}
	path := first
	for n := 2; ; n++ {
		err = writeFileAtomic(path, false, func(w io.Writer) error { return doc.Write(w, format) })
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

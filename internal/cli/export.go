package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/text"
)

type exportOptions struct {
	format, file          string
	force, redact, schema bool
	brief                 bool
}

func exportCommand(a *app.App) *cobra.Command {
	var w exportOptions
	c := &cobra.Command{
		Use: "export ID", Short: "Export a debate to a file", Args: argCount(0, 1, "ID"),
		Long: "Export a debate as Markdown, as JSON, or as one HTML page that loads nothing. Of a review, the format\n" +
			"sarif has the findings for code scanning, and pr as Markdown for a comment on a pull request.\n\n" +
			"An unfinished debate can be exported too; the export says at the top what is missing.\n" +
			"--brief writes one page to read or print, as md or html: the headline, the answer, dissent, votes,\n" +
			"what is weak, and the sources.\n\n" +
			"Without -o the file is named after the debate, in the current folder. The extension of the file\n" +
			"(.md, .json, .html or .sarif) selects the format; another one needs --format. Existing files are only\n" +
			"replaced with --force.",
		Example: "  roundtable export k7m2 -o debate.html\n  roundtable export k7m2 --brief -o brief.html\n" +
			"  roundtable export k7m2 --format json -o -\n  roundtable export --schema",
		RunE: func(cmd *cobra.Command, args []string) error {
			if w.schema {
				return a.Write(string(report.Schema()))
			}
			if len(args) == 0 {
				return app.Usagef("usage: %s ID\nHelp: %s --help", cmd.CommandPath(), cmd.CommandPath())
			}
			return export(cmd.Context(), a, args[0], w)
		},
	}
	f := c.Flags()
	f.StringVar(&w.format, "format", "", "format of the file: md, json, html, sarif or pr (default: by its extension, else md)")
	f.StringVarP(&w.file, "output", "o", "", "write to this file; - is standard output")
	f.BoolVar(&w.brief, "brief", false, "write one page: headline, answer, dissent, votes, what is weak, sources")
	f.BoolVar(&w.force, "force", false, "replace an existing file")
	f.BoolVar(&w.redact, "redact", false, "mask what looks like a key or a password")
	f.BoolVar(&w.schema, "schema", false, "print the JSON schema of the JSON format")
	return c
}

// chosen returns the format that --format names, or else that of the file's extension.
func (w exportOptions) chosen() (report.Format, error) {
	named, ending := report.Format(strings.ToLower(w.format)), strings.ToLower(filepath.Ext(w.file))
	meant := report.Format(strings.TrimPrefix(ending, "."))
	known := meant != report.Comment && slices.Contains(report.AllFormats(), meant)
	switch {
	case named != "" && !slices.Contains(report.AllFormats(), named):
		return "", app.Usagef("there is no format %q; there are: md, json, html, sarif, pr", text.Label(w.format))
	case named != "":
		return named, nil
	case known:
		return meant, nil
	case ending != "":
		return "", app.Usagef("%s: no format has the extension %s; nothing was written. Use .md, .json, .html or .sarif, or give --format.",
			w.file, text.Label(ending))
	}
	return report.Markdown, nil
}

func export(ctx context.Context, a *app.App, id string, w exportOptions) error {
	f, err := w.chosen()
	if err != nil {
		return err
	}
	if w.brief && f != report.Markdown && f != report.HTML {
		return app.Usagef("--brief is md or html, not %s; nothing was written.", f)
	}
	st, err := a.ExistingStore(ctx)
	if err != nil {
		return err
	}
	s, err := st.Session(ctx, id)
	if err != nil {
		return err
	}
	by, held := st.Held(s.ID)
	doc := report.Of(s, report.Options{Live: held, Holder: by, Redact: w.redact, Brief: w.brief, Version: app.Version()})
	if (f == report.SARIF || f == report.Comment) && (doc.Verdict == nil || doc.Conclusion.Review == nil) {
		return app.Usagef("debate %s: %v. Nothing was written.", s.ID, report.ErrNoReview)
	}
	if w.file == "-" {
		return doc.Write(a.Stdout, f)
	}
	path := w.file
	if path == "" {
		path = report.FileName(s.ID, f)
		if w.brief {
			path = strings.Replace(path, ".", "-brief.", 1)
		}
	}
	if err := app.WriteFileAtomic(path, w.force, func(to *os.File) error { return doc.Write(to, f) }); errors.Is(err, fs.ErrExist) {
		return app.Usagef("%s already exists; it was not changed. --force replaces it, -o selects another file.", path)
	} else if err != nil {
		return fmt.Errorf("write %s: %w. Nothing was written; -o selects another file", path, err)
	}
	return a.Print("Wrote %s.\n%s\n", path, doc.Banner)
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/evidence"
	"roundtable/internal/text"
	"roundtable/store"
)

// addFileFlag adds the flag that names evidence, which can be given several times.
func addFileFlag(c *cobra.Command, files *[]string, usage string) {
	addPathFlag(c.Flags(), "file", usage, func(path string) { *files = append(*files, path) })
}

// addPathFlag adds a flag that names a file. An empty path is refused: it is a variable that
// is not set, and would mean the current folder, or the default.
func addPathFlag(f *pflag.FlagSet, name, usage string, set func(path string)) {
	f.Func(name, usage, func(path string) error {
		if path == "" {
			return errors.New("it is empty; give a path")
		}
		set(path)
		return nil
	})
}

// checkStdin refuses a command line that reads standard input more than once. Others are
// what else reads it, by the name of the argument.
func checkStdin(files []string, others map[string]string) error {
	times := 0
	for _, f := range files {
		if f == evidence.Stdin {
			times++
		}
	}
	if times > 1 {
		return usagef("--file - is given %d times; standard input can be read once", times)
	}
	for name, path := range others {
		if path == "-" && times > 0 {
			return usagef("%s and --file - cannot both read standard input", name)
		}
	}
	return nil
}

// readFiles reads the files of a command line as evidence. It warns of secrets and of
// what was left out.
func readFiles(ctx context.Context, a *app, files []string) ([]debate.Evidence, error) {
	if len(files) == 0 {
		return nil, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("the current folder does not exist: %w", err)
	}
	var all []debate.Evidence
	var refused []string
	r := evidence.NewReader(a.Stdin)
	for _, path := range files {
		if path == evidence.Stdin {
			warnOfStdin(a, "evidence")
		}
		found, err := r.Read(ctx, evidence.At(dir, path))
		var no *evidence.Refusal
		switch {
		case errors.As(err, &no):
			refused = append(refused, no.Error())
		case err != nil:
			return nil, err
		}
		all = append(all, found.Evidence...)
		for _, notice := range found.Notices {
			a.warn(notice)
		}
		for _, name := range found.Secrets {
			a.warn(fmt.Sprintf("%s looks like it holds secrets. It is sent to every model of the panel.", name))
		}
	}
	if len(refused) > 0 {
		return nil, usagef("--file: %s\nNothing was changed.", strings.Join(refused, "\n--file: "))
	}
	return all, nil
}

// addFiles adds evidence to a saved session, which it returns, and tells what it added.
func addFiles(ctx context.Context, a *app, st *store.Store, s debate.Session, added []debate.Evidence) (debate.Session, error) {
	if len(added) == 0 {
		return s, nil
	}
	now, err := st.AddEvidence(ctx, s.ID, added...)
	if err != nil {
		return s, err
	}
	for _, e := range now.Evidence[len(s.Evidence):] {
		a.log.Info("evidence", "session", s.ID, "id", e.ID, "kind", string(e.Kind), "size", e.Size)
	}
	if now.Next() == 0 && now.Status() != debate.Interrupted {
		a.warn(fmt.Sprintf("No round is left that would use the evidence; `roundtable continue %s --rounds 1` adds one.", s.ID))
	}
	return now, nil
}

// answerWithEvidence adds evidence to a session, and returns the text of an answer that it
// is. It adds nothing if the answer cannot be recorded.
func answerWithEvidence(ctx context.Context, a *app, st *store.Store, s debate.Session, sub ledger.Submission,
	read []debate.Evidence,
) (debate.Session, string, error) {
	sub.Content = "See the evidence."
	if _, err := (ledger.Ledger{Requests: s.Requests}).Answer(sub); err != nil {
		return s, "", err
	}
	s, err := addFiles(ctx, a, st, s, read)
	if err != nil {
		return s, "", err
	}
	var names []string
	folder := ""
	for _, e := range read {
		if folder != "" && strings.HasPrefix(e.Name, strings.TrimPrefix(folder, "./")) {
			continue // the folder stands for it
		}
		if folder = ""; e.Kind == debate.EvidenceFolder {
			folder = e.Name
		}
		i := slices.IndexFunc(s.Evidence, func(o debate.Evidence) bool { return o.Name == e.Name && o.SHA256 == e.SHA256 })
		names = append(names, fmt.Sprintf("[%s] (%s)", s.Evidence[i].ID, text.Line(e.Name)))
	}
	return s, "See " + text.List(names) + ".", nil
}

// allEvidence is the value of --evidence without one.
const allEvidence = "all"

// showEvidence prints a list of the evidence of a session, or what a citation such as F1
// or F1:10-20 names.
func showEvidence(ctx context.Context, a *app, id, cited string, asJSON bool) error {
	_, s, err := a.readSession(ctx, id)
	if err != nil {
		return err
	}
	if cited == allEvidence {
		return listEvidence(a, s, asJSON)
	}
	all := cite.Evidence("[" + cited + "]")
	if len(all) != 1 {
		return usagef("--evidence %s: give an id with or without lines, such as F1 or F1:10-20", text.Label(cited))
	}
	c := all[0]
	if why := cite.Resolve(c, s, 0).Why(); why != "" {
		return usagef("%s `roundtable show %s --evidence` lists all evidence", why, s.ID)
	}
	e, _ := cite.FindEvidence(s.Evidence, c.ID)
	if c.From == 0 {
		c.From, c.To = 1, e.Lines()
	}
	content, _ := e.Excerpt(c.From, c.To)
	if asJSON {
		return a.printJSON(struct {
			debate.Evidence
			From int    `json:"from"`
			To   int    `json:"to"`
			Text string `json:"text"`
		}{e, c.From, c.To, content})
	}
	return a.write(text.NumberLines(text.SanitizeLines(content)+"\n", c.From) + "\n")
}

// listEvidence prints a line for each piece of evidence.
func listEvidence(a *app, s debate.Session, asJSON bool) error {
	if asJSON {
		return a.printJSON(append([]debate.Evidence{}, s.Evidence...))
	}
	if len(s.Evidence) == 0 {
		return a.print("No evidence. `roundtable continue %s --file PATH` adds some.\n", s.ID)
	}
	for _, e := range s.Evidence {
		if err := a.print("%s\n", report.EvidenceLine(e)); err != nil {
			return err
		}
	}
	return nil
}

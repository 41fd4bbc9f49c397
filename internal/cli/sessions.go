package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/app"
	"roundtable/internal/text"
	"roundtable/store"
)

func sessionsCommand(a *app.App) *cobra.Command {
	var l app.Filter
	var asJSON, all bool
	var copyTo string
	c := &cobra.Command{
		Use: "sessions", Short: "List debates, last changed first", Args: argCount(0, 0, ""),
		Long: "List debates, last changed first: at a terminal the newest 20, unless --all is given.\n\n" +
			"--search looks for words in titles, topics, statements, answers and verdicts. Those that have all of\n" +
			"the words are shown below their debate, five of each, with the first word as >word<.\n" +
			"--copy writes all debates to a new database, which `roundtable --db FILE` opens here or elsewhere. Copying\n" +
			"the file of an open database by other means can lose what was written last.",
		Example: "  roundtable sessions --since 2w\n  roundtable sessions --search \"read replica\" --json\n" +
			"  roundtable sessions --copy debates.db",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if copyTo != "" {
				return copyDatabase(cmd.Context(), a, copyTo)
			}
			return sessions(cmd.Context(), a, l, asJSON, all)
		},
	}
	f := c.Flags()
	f.StringVar(&l.Search, "search", "", "only debates that contain these words, with the words in their place")
	f.StringVar(&l.Mode, "mode", "", "only debates in this mode")
	f.StringVar(&l.Status, "status", "", "only debates with this status: "+strings.Join(debate.StateNames(), ", "))
	f.StringVar(&l.Since, "since", "", "only debates changed since: 12h, 7d, 2w or 2026-01-31")
	f.StringVar(&l.Eval, "eval", "", "only the debates of this evaluation, which are left out otherwise")
	f.IntVar(&l.Limit, "limit", 0, "maximum number of debates; 0 is all")
	f.BoolVar(&all, "all", false, "list all debates at a terminal, too")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	addPathFlag(f, "copy", "write a copy of the database to this new file, and list nothing", func(path string) { copyTo = path })
	return c
}

func copyDatabase(ctx context.Context, a *app.App, path string) error {
	st, err := a.ExistingStore(ctx)
	if err != nil {
		return err
	}
	if err := app.CopyDatabase(ctx, st, path); errors.Is(err, fs.ErrExist) {
		return app.Usagef("--copy %s: there is a file already; name a new one", text.Label(path))
	} else if err != nil {
		return fmt.Errorf("--copy %s: %w", text.Label(path), err)
	}
	return a.Print("Copied all debates to %s\n", text.Line(path))
}

type sessionLine struct {
	report.Listed
	Matches []store.Match `json:"matches,omitempty"` // the first ones of a search
	Found   int           `json:"found,omitempty"`   // all of them
}

func printSession(ctx context.Context, a *app.App, st *store.Store, id string) error {
	found, err := st.Sessions(ctx, store.Query{ID: id})
	if err != nil || len(found) == 0 {
		return cmp.Or(err, debate.ErrNoSession)
	}
	return printJSON(a, report.ListedOf(found[0]))
}

const newest = 20

func sessions(ctx context.Context, a *app.App, l app.Filter, asJSON, whole bool) error {
	q, err := l.Query(a.Now())
	if err != nil {
		return err
	}
	all, err := findSessions(ctx, a, q)
	if err != nil {
		return err
	}
	if asJSON {
		lines := []sessionLine{}
		for _, s := range all {
			lines = append(lines, sessionLine{report.ListedOf(s.SessionSummary), s.Matches, s.Total})
		}
		return printJSON(a, lines)
	}
	if len(all) == 0 && l == (app.Filter{}) {
		return a.Print("No debates yet. `roundtable new` starts one.\n")
	}
	if len(all) == 0 {
		return a.Print("No debates match. `roundtable sessions` lists all.\n")
	}
	width, shown := app.Columns(a.Stdout), all
	if width > 0 && !whole && l.Limit == 0 {
		shown = all[:min(len(all), newest)]
	}
	for _, s := range shown {
		if err := a.Print("%s\n%s", sessionRow(s.SessionSummary, a.Now(), width), formatMatches(s)); err != nil {
			return err
		}
	}
	if len(shown) < len(all) {
		return a.Print("%d of %d; `roundtable sessions --all` lists all.\n", len(shown), len(all))
	}
	return nil
}

// findSessions finds none where there is no database yet and the user named none.
func findSessions(ctx context.Context, a *app.App, q store.Query) ([]store.Found, error) {
	if none, err := a.NoDatabase(); none || err != nil {
		return nil, err
	}
	st, err := a.ExistingStore(ctx)
	if err != nil {
		return nil, err
	}
	return st.Matches(ctx, q)
}

// maxVerdict is how many characters of a verdict stand after a title.
const maxVerdict = 160

// sessionRow is a line, or at a terminal of a width a shorter one and one with the verdict.
func sessionRow(s debate.SessionSummary, now time.Time, width int) string {
	state, name := s.State().Word(), s.Listed()
	if s.State() == debate.StateWaiting {
		state = fmt.Sprintf("%s (%d)", state, s.Required)
	}
	if s.WaitUntil.After(now) {
		name += " (" + debate.WaitText(now.Local(), s.WaitUntil) + ")"
	}
	if s.Settled != debate.ResultNone {
		name += strings.TrimSuffix(" (outcome "+string(s.Settled)+", "+text.Line(s.SettledBy.Note()), ", ") + ")"
	}
	if by := s.Holder.String(); by != "" {
		name += " (" + by + ")"
	}
	if width > 0 {
		row := fmt.Sprintf("%s  %-13s  %s  ", s.ID, state, s.Updated.Local().Format("2006-01-02"))
		row += text.Truncate(name, width-text.Width(row))
		if s.Line != "" {
			row += "\n            " + text.Truncate(text.Line(s.Line.Within(width-12)), width-12)
		}
		return row
	}
	row := fmt.Sprintf("%s  %-13s  %d/%d  %s  %-15s  %s", s.ID, state, s.Round, s.Rounds, s.Updated.Local().Format("2006-01-02 15:04"),
		text.Line(s.Mode), name)
	if s.Line == "" {
		return row
	}
	return row + " → " + text.Clip(text.Line(s.Line.Within(maxVerdict)), maxVerdict)
}

func renameCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "rename ID TITLE", Short: "Rename a debate", Args: argCount(2, 2, "ID TITLE"),
		Example: "  roundtable rename k7m2 \"Which database\"",
		RunE: func(cmd *cobra.Command, args []string) error {
			title, err := app.CheckText("title", args[1], maxTitle)
			if err != nil {
				return err
			}
			st, s, err := a.LockSession(cmd.Context(), args[0])
			s.Title = text.Line(title)
			if err == nil {
				err = st.Rename(cmd.Context(), s.ID, s.Title)
			}
			if err != nil {
				return err
			}
			return a.Print("Renamed %s: %s\n", s.ID, text.Line(s.Name()))
		},
	}
}

const maxTitle = 300

func deleteCommand(a *app.App) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete a debate", Args: argCount(1, 1, "ID"),
		Long: "Delete a debate. `roundtable undelete ID` brings it back within a day; after that every byte of it is\n" +
			"removed from the database when Roundtable starts next. Forks, exports and your own copies are not touched.",
		Example: "  roundtable delete k7m2\n  roundtable delete k7m2 --yes",
		RunE: func(cmd *cobra.Command, args []string) error {
			st, s, err := a.LockSession(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			question := fmt.Sprintf("Delete %s (%s)?", s.ID, text.Label(s.Name()))
			if ok, err := confirm(cmd.Context(), a, yes, question); !ok {
				return err
			}
			if err := st.Delete(cmd.Context(), s.ID); err != nil {
				return err
			}
			hint := "`roundtable undelete " + s.ID + "` brings it back within a day. Forks, exports and copies keep theirs."
			return a.Print("Deleted %s: %s\n%s\n", s.ID, text.Label(s.Name()), a.Commands().Hints(hint))
		},
	}
	addYesFlag(c, &yes)
	return c
}

func undeleteCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "undelete [ID]", Short: "Bring back a deleted debate, or list those that can be", Args: argCount(0, 1, "[ID]"),
		Long:    "Bring back a debate that was deleted within the last day. Without ID, list those that can be brought back.",
		Example: "  roundtable undelete\n  roundtable undelete k7m2",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listDeleted(cmd.Context(), a)
			}
			st, err := a.ExistingStore(cmd.Context())
			if err != nil {
				return err
			}
			id, err := st.ResolveDeleted(cmd.Context(), args[0])
			if errors.Is(err, debate.ErrNoSession) {
				return app.Usagef("no debate that was deleted within the last day has the id %s; `roundtable undelete` lists them",
					text.Label(args[0]))
			}
			if err != nil {
				return err
			}
			if err := st.Undelete(cmd.Context(), id); err != nil {
				return err
			}
			s, err := st.Session(cmd.Context(), id)
			if err != nil {
				return err
			}
			return a.Print("Brought back %s: %s\n", s.ID, text.Label(s.Name()))
		},
	}
}

func listDeleted(ctx context.Context, a *app.App) error {
	st, err := a.ExistingStore(ctx)
	if err != nil {
		return err
	}
	all, err := st.Sessions(ctx, store.Query{Deleted: true})
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return a.Print("No debate was deleted within the last day.\n")
	}
	width := app.Columns(a.Stdout)
	for _, s := range all {
		if err := a.Print("%s\n", sessionRow(s, a.Now(), width)); err != nil {
			return err
		}
	}
	return nil
}

func formatMatches(found store.Found) string {
	var b strings.Builder
	for _, m := range found.Matches {
		fmt.Fprintf(&b, "    %s: %s\n", text.Line(app.MatchPlace(found.SessionSummary, m)), text.Line(m.Before+">"+m.Hit+"<"+m.After))
	}
	if more := found.Total - len(found.Matches); more > 0 {
		fmt.Fprintf(&b, "    and %d more\n", more)
	}
	return b.String()
}

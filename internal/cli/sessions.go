package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"roundtable/debate"
	"roundtable/debate/modes"
	"roundtable/internal/text"
	"roundtable/store"
)

// listOptions are the flags of `sessions`.
type listOptions struct {
	search, mode, status, since string
	limit                       int
	json                        bool
}

func (a *app) sessionsCommand() *cobra.Command {
	var l listOptions
	c := &cobra.Command{
		Use: "sessions", Short: "List debates, last changed first", Args: argCount(0, 0, ""),
		Long: "List debates, last changed first.\n\n" +
			"--search looks for words in titles, topics, statements, answers and verdicts. Those that have all of\n" +
			"the words are shown below their debate, the first five of each, as >word<.",
		RunE: func(cmd *cobra.Command, _ []string) error { return a.sessions(cmd.Context(), l) },
	}
	f := c.Flags()
	f.StringVar(&l.search, "search", "", "only debates that contain these words, with the words in their place")
	f.StringVar(&l.mode, "mode", "", "only debates in this mode")
	f.StringVar(&l.status, "status", "", "only debates with this status: "+strings.Join(debate.StateNames(), ", "))
	f.StringVar(&l.since, "since", "", "only debates changed since: 12h, 7d or 2026-01-31")
	f.IntVar(&l.limit, "limit", 0, "maximum number of debates; 0 is all")
	f.BoolVar(&l.json, "json", false, "print JSON")
	return c
}

// query returns the store's query for the flags.
func (l listOptions) query(now time.Time) (store.Query, error) {
	for _, name := range debate.StateNames() {
		if l.status == debate.State(name).Word() { // as the list shows it
			l.status = name
		}
	}
	q := store.Query{Text: l.search, Mode: l.mode, State: l.status, Limit: l.limit}
	if l.status != "" && !slices.Contains(debate.StateNames(), l.status) {
		return q, usagef("there is no status %q%s", text.Label(l.status), text.DidYouMean(l.status, debate.StateNames()))
	}
	if l.limit < 0 {
		return q, usagef("the limit must be 0 or more, not %d", l.limit)
	}
	if l.since == "" {
		return q, nil
	}
	var err error
	q.Since, err = parseSince(l.since, now)
	return q, err
}

// parseSince parses a duration before now, or a date.
func parseSince(raw string, now time.Time) (time.Time, error) {
	if day, err := time.ParseInLocation(time.DateOnly, raw, now.Location()); err == nil {
		return day, nil
	}
	if days, ok := strings.CutSuffix(raw, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < 100_000 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if span, err := time.ParseDuration(raw); err == nil && span >= 0 {
		return now.Add(-span), nil
	}
	return time.Time{}, usagef("--since %q is neither a duration such as 12h or 7d nor a date such as 2026-01-31", text.Label(raw))
}

// checkMode returns an error if no built-in mode has the name. It is called only when
// nothing was found, since sessions may be of the user's modes, even deleted ones.
func checkMode(name string) error {
	all, err := modes.Builtin()
	if err != nil || name == "" || slices.ContainsFunc(all, func(m debate.Mode) bool { return m.Name == name }) {
		return err
	}
	_, err = modes.Find(all, name)
	return usagef("%v", err)
}

// sessionLine is a session of the list as JSON.
type sessionLine struct {
	ID       string              `json:"id"`
	Topic    string              `json:"topic"`
	Question debate.QuestionKind `json:"question,omitempty"`
	Mode     string              `json:"mode"`
	Status   debate.Status       `json:"status"`
	State    debate.State        `json:"state"`
	Round    int                 `json:"round"`
	Rounds   int                 `json:"rounds"`
	Pending  int                 `json:"pending"` // open required requests
	Updated  time.Time           `json:"updated"`
	Cause    string              `json:"cause,omitempty"` // why a round failed or stays open
	Fork     *sessionFork        `json:"fork,omitempty"`
	Matches  []matchLine         `json:"matches,omitempty"` // the first ones of a search
	Found    int                 `json:"found,omitempty"`   // all of them
}

// sessionFork says where a fork comes from.
type sessionFork struct {
	ID    string `json:"id"`
	Round int    `json:"round"`
}

func lineOf(s debate.SessionSummary) sessionLine {
	l := sessionLine{
		ID: s.ID, Topic: s.Topic, Question: s.Question, Mode: s.Mode, Status: s.Status, State: s.State(), Round: s.Round, Rounds: s.Rounds,
		Pending: s.Required, Updated: s.Updated.UTC(),
	}
	if s.Open != nil {
		l.Cause = s.Open.Cause()
	}
	if o := s.Origin; o.Session != "" {
		l.Fork = &sessionFork{o.Session, o.Round}
	}
	return l
}

func (a *app) sessions(ctx context.Context, l listOptions) error {
	q, err := l.query(a.now())
	if err != nil {
		return err
	}
	all, err := a.findSessions(ctx, q)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		if err := checkMode(l.mode); err != nil {
			return err
		}
	}
	words := strings.Fields(text.Fold(l.search))
	if l.json {
		lines := []sessionLine{}
		for _, s := range all {
			line := lineOf(s.SessionSummary)
			line.Matches, line.Found = matchLines(s, words), s.Total
			lines = append(lines, line)
		}
		return a.printJSON(lines)
	}
	if len(all) == 0 && l == (listOptions{}) {
		return a.print("No debates yet. `roundtable new` starts one.\n")
	}
	if len(all) == 0 {
		return a.print("No debates match. `roundtable sessions` lists all.\n")
	}
	for _, s := range all {
		if err := a.print("%s\n%s", sessionRow(s.SessionSummary), formatMatches(s, words)); err != nil {
			return err
		}
	}
	return nil
}

// findSessions returns the sessions that match a query, with the texts that match its
// words; none if there is no database yet and the user did not name one.
func (a *app) findSessions(ctx context.Context, q store.Query) ([]store.Found, error) {
	path, named, err := a.dbPath()
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && !named {
		return nil, nil
	}
	st, err := a.existingStore(ctx)
	if err != nil {
		return nil, err
	}
	found, err := st.Matches(ctx, q)
	for i, f := range found {
		if f.Status == debate.Interrupted {
			_, found[i].Running = st.Held(f.ID)
		}
	}
	return found, err
}

// sessionRow returns a line of the list: id, state, rounds, time, mode and title.
func sessionRow(s debate.SessionSummary) string {
	state, name := s.State().Word(), text.Clip(text.Line(s.Name()), 100)
	if s.State() == debate.StateWaiting {
		state = fmt.Sprintf("%s (%d)", state, s.Required)
	}
	if fork := s.Origin.String(); fork != "" {
		name += " (" + fork + ")"
	}
	return fmt.Sprintf("%s  %-13s  %d/%d  %s  %-15s  %s", s.ID, state, s.Round, s.Rounds, s.Updated.Local().Format("2006-01-02 15:04"),
		text.Line(s.Mode), name)
}

func (a *app) renameCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rename ID TITLE", Short: "Rename a debate", Args: argCount(2, 2, "ID TITLE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkUTF8("the title", args[1]); err != nil {
				return err
			}
			title := text.Line(args[1])
			if len([]rune(title)) > maxTitle {
				return usagef("the title has %d characters; the limit is %d", len([]rune(title)), maxTitle)
			}
			return a.changeSession(cmd.Context(), args[0], func(st *store.Store, s debate.Session) error {
				if err := st.Rename(cmd.Context(), s.ID, title); err != nil {
					return err
				}
				s.Title = title
				return a.print("Renamed %s: %s\n", s.ID, text.Line(s.Name()))
			})
		},
	}
}

// maxTitle is the maximum length of a title, in characters.
const maxTitle = 300

func (a *app) deleteCommand() *cobra.Command {
	return &cobra.Command{
		Use: "delete ID", Short: "Delete a debate", Args: argCount(1, 1, "ID"),
		Long: "Delete a debate. It is removed from the disk when Roundtable starts next.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeSession(cmd.Context(), args[0], func(st *store.Store, s debate.Session) error {
				if err := st.Delete(cmd.Context(), s.ID); err != nil {
					return err
				}
				return a.print("Deleted %s: %s\n", s.ID, text.Line(s.Name()))
			})
		},
	}
}

// changeSession locks a saved session and calls do.
func (a *app) changeSession(ctx context.Context, id string, do func(*store.Store, debate.Session) error) error {
	st, s, err := a.lockSession(ctx, id)
	if err != nil {
		return err
	}
	return do(st, s)
}

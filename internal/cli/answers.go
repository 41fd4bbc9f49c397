package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/app"
	"roundtable/internal/text"
)

const maxAnswersFile = 4 << 20

// preparedAnswers is a file of answers, each for one request. Nil has none.
type preparedAnswers struct {
	path    string
	entries []answerEntry
}

type answerEntry struct {
	Request     string  `json:"request"`
	RequestID   string  `json:"requestId"`  // the same as request
	SnakeID     string  `json:"request_id"` // and this
	Query       string  `json:"query"`
	Answer      *string `json:"answer"`
	Unavailable *string `json:"unavailable"`
	Source      string  `json:"source"`
	used        bool
}

// loadAnswers reads a file of answers; "-" is standard input, and "" has none.
func loadAnswers(a *app.App, path string) (*preparedAnswers, error) {
	switch path {
	case "":
		return nil, nil
	case "-":
		a.WarnOfStdin("answers")
	}
	raw, err := readInput(path, a.Stdin, maxAnswersFile)
	if err != nil {
		return nil, app.Usagef("read the answers: %v", err)
	}
	return parseAnswers(raw, fileName(path))
}

func fileName(path string) string {
	if path == "-" {
		return "standard input"
	}
	return cmp.Or(text.Label(path), `""`)
}

func parseAnswers(raw []byte, path string) (*preparedAnswers, error) {
	a := &preparedAnswers{path: path}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(&a.entries)
	if _, more := d.Token(); err == nil && (a.entries == nil || !errors.Is(more, io.EOF)) {
		err = errors.New("it has to be one list")
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		err = fmt.Errorf("%s where none belongs", wrong.Value)
	}
	if err != nil {
		return nil, app.Usagef("%s: not a JSON list of answers: %s. An answer is {\"request\": \"C1\", \"answer\": \"...\"}.",
			path, strings.TrimPrefix(err.Error(), "json: "))
	}
	seen := map[string]int{}
	for i := range a.entries {
		e := &a.entries[i]
		e.Request = strings.ToUpper(strings.TrimSpace(cmp.Or(e.Request, e.RequestID, e.SnakeID))) // as in `answer`
		if err := e.check(); err != nil {
			return nil, app.Usagef("%s: entry %d: %v", path, i+1, err)
		}
		key := cmp.Or(e.Request, ledger.Key(e.Query))
		if first, twice := seen[key]; twice {
			return nil, app.Usagef("%s: entry %d is for the same question as entry %d", path, i+1, first)
		}
		seen[key] = i + 1
	}
	return a, nil
}

func (e answerEntry) check() error {
	switch {
	case (e.Request == "") == (strings.TrimSpace(e.Query) == ""):
		return errors.New("needs either request or query")
	case (e.Answer == nil) == (e.Unavailable == nil):
		return errors.New("needs either answer or unavailable")
	}
	asked := ledger.Request{ID: cmp.Or(e.Request, "a question")}
	_, err := ledger.Ledger{Requests: []ledger.Request{asked}}.Answer(e.submission(asked.ID))
	return err
}

// matches ignores case, spaces and final punctuation of a query.
func (e answerEntry) matches(r ledger.Request) bool {
	return e.Request == r.ID || e.Request == "" && ledger.Key(e.Query) == ledger.Key(r.Query)
}

func (e answerEntry) submission(request string) ledger.Submission {
	if e.Unavailable != nil {
		return submission(app.ByCommand("answers file"), request, ledger.Unavailable, *e.Unavailable, e.Source)
	}
	return submission(app.ByCommand("answers file"), request, ledger.Answered, *e.Answer, e.Source)
}

func submission(by ledger.Author, request string, outcome ledger.Outcome, content, source string) ledger.Submission {
	return ledger.Submission{
		Request: request, Outcome: outcome, Content: text.Clean(content), Source: text.Line(source),
		By: by,
	}
}

// Match returns the answer to an open request. It returns each answer once.
func (a *preparedAnswers) Match(r ledger.Request) (ledger.Submission, bool) {
	if a == nil || !r.Open() {
		return ledger.Submission{}, false
	}
	for i, e := range a.entries {
		if !e.used && e.matches(r) {
			a.entries[i].used = true
			return e.submission(r.ID), true
		}
	}
	return ledger.Submission{}, false
}

// all returns the answers to requests of a session; one for none or a released one is an error.
func (a *preparedAnswers) all(s debate.Session) ([]ledger.Submission, error) {
	if a == nil {
		return nil, nil
	}
	var subs []ledger.Submission
	for i, e := range a.entries {
		var r ledger.Request
		for _, asked := range slices.Backward(s.Requests) {
			if r.ID == "" && e.matches(asked) {
				r = asked
			}
		}
		switch {
		case r.ID == "" || r.State == ledger.Withdrawn:
			return nil, app.Usagef("%s: entry %d (%s) is for no question of this debate; nothing was recorded", a.path, i+1, e.name())
		case r.State == ledger.Released:
			return nil, app.Usagef("%s: entry %d: the answer to %s was already sent; nothing was recorded. "+
				"`roundtable answer %s %s --correct` changes it",
				a.path, i+1, r.ID, s.ID, r.ID)
		}
		a.entries[i].used = true
		subs = append(subs, e.submission(r.ID))
	}
	return subs, nil
}

func (e answerEntry) name() string {
	return cmp.Or(text.Label(e.Request), fmt.Sprintf("%q", text.Label(e.Query)))
}

// Leftovers names in a sentence the entries that no request asked for; "" if there are
// none.
func (a *preparedAnswers) Leftovers() string {
	if a == nil {
		return ""
	}
	var names []string
	for _, e := range a.entries {
		if !e.used {
			names = append(names, e.name())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("No seat asked for %s of %s.", strings.Join(names, ", "), text.Line(a.path))
}

package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/evidence"
	"roundtable/internal/text"
	"roundtable/store"
	"roundtable/tui/attach"
)

// ReadFiles reads the files of a command line as evidence. It warns of secrets and of
// what was left out.
func (a *App) ReadFiles(ctx context.Context, files []string) ([]debate.Evidence, error) {
	if len(files) == 0 {
		return nil, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("the current folder does not exist: %w", err)
	}
	var all []debate.Evidence
	var refused []string
	for _, path := range files {
		if path == evidence.Stdin {
			a.WarnOfStdin("evidence")
		}
		found, err := evidence.Read(ctx, a.Stdin, evidence.At(dir, path))
		var no *evidence.Refusal
		switch {
		case errors.As(err, &no):
			refused = append(refused, no.Error())
		case err != nil:
			return nil, err
		}
		all = append(all, found.Evidence...)
		for _, notice := range verdict.EvidenceSentences(debate.Session{Evidence: found.Evidence}) {
			a.Warn(notice)
		}
		for _, name := range found.Secrets {
			a.Warn(name + " is a file of keys or passwords. It is sent to every model of the panel, " +
				"with the values masked that look like secrets.")
		}
	}
	by := a.Answerer("command")
	if by.Client == "" { // else an assistant has chosen it
		by = ledger.ByPerson("command")
	}
	for i := range all {
		all[i].Author = by
	}
	if len(refused) > 0 {
		return nil, Usagef("--file: %s\nNothing was changed.", strings.Join(refused, "\n--file: "))
	}
	return all, nil
}

// AddFiles adds evidence to a saved session, which it returns, and tells what it added.
func (a *App) AddFiles(ctx context.Context, st *store.Store, s debate.Session, added []debate.Evidence) (debate.Session, error) {
	if len(added) == 0 {
		return s, nil
	}
	now, err := st.AddEvidence(ctx, s.ID, added...)
	if err != nil {
		return s, err
	}
	for _, e := range now.Evidence[len(s.Evidence):] {
		a.Log.Info("evidence", "session", s.ID, "id", e.ID, "kind", string(e.Kind), "size", e.Size)
	}
	if now.LacksRound() {
		a.Warn(fmt.Sprintf("No round is left that would use the evidence; `roundtable continue %s --rounds 1` adds one.", s.ID))
	}
	return now, nil
}

// AnswerWithEvidence adds evidence to a session, and returns the text of an answer that it
// is. It adds nothing if the answer cannot be recorded.
func (a *App) AnswerWithEvidence(ctx context.Context, st *store.Store, s debate.Session, sub ledger.Submission,
	read []debate.Evidence,
) (debate.Session, string, error) {
	sub.Content = "See the evidence."
	if _, err := (ledger.Ledger{Requests: s.Requests}).Answer(sub); err != nil {
		return s, "", err
	}
	s, err := a.AddFiles(ctx, st, s, read)
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

type attachedFiles struct {
	env       Environ
	workspace string // of the configuration or the command line; "": none
	by        ledger.Author
}

const maxCompletions = 200

// outside is why the user is asked about a file.
const outside = "is outside this folder"

// finder finds paths from the working directory and in the workspace.
func (f attachedFiles) finder() (evidence.Finder, error) {
	dir, err := os.Getwd()
	home, _ := f.env("HOME")
	return evidence.Finder{Dir: dir, Home: home, Workspace: f.workspace}, err
}

func (f attachedFiles) match(path string) (evidence.Match, error) {
	find, err := f.finder()
	if err != nil {
		return evidence.Match{}, err
	}
	return find.Find(path)
}

// Complete returns the paths that begin as typed.
func (f attachedFiles) Complete(_ context.Context, typed string) ([]string, error) {
	find, err := f.finder()
	if err != nil {
		return nil, err
	}
	return find.Complete(typed, maxCompletions)
}

// Find returns what a path names.
func (f attachedFiles) Find(ctx context.Context, path string) (attach.Found, error) {
	m, err := f.match(path)
	if err != nil {
		return attach.Found{}, err
	}
	found := attach.Found{Path: path, Name: m.Name, Kind: debate.EvidenceFile, Size: m.Size}
	if m.Folder {
		found.Kind, found.Size = debate.EvidenceFolder, 0
	}
	switch {
	case m.Secret:
		found.Ask = "may hold secrets"
	case m.Outside():
		found.Ask = outside
	case m.Folder: // others are not read before the user agrees
		read, _ := evidence.Read(ctx, nil, m.Source) // a refusal is told when it is attached
		for _, e := range read.Evidence {
			found.Size += int64(e.Size)
		}
	}
	return found, nil
}

// Read reads a path as evidence.
func (f attachedFiles) Read(ctx context.Context, path string) (attach.Reading, error) {
	m, err := f.match(path)
	if err != nil {
		return attach.Reading{}, err
	}
	read, err := evidence.Read(ctx, nil, m.Source)
	for i := range read.Evidence {
		read.Evidence[i].Author = f.by
	}
	reading := attach.Reading{
		Evidence: read.Evidence, Secrets: read.Secrets,
		Notices: verdict.EvidenceSentences(debate.Session{Evidence: read.Evidence}),
	}
	if m.Outside() { // a link may have led elsewhere when the path was found
		reading.Outside = outside
	}
	return reading, err
}

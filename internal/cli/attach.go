package cli

import (
	"context"
	"os"

	"roundtable/debate"
	"roundtable/internal/evidence"
	"roundtable/tui/attach"
)

// attachedFiles finds and reads the files that are attached in the interface.
type attachedFiles struct {
	env       environ
	workspace string // of the configuration or the command line; "": none
}

// maxCompletions is the largest number of paths that a typed one is completed to.
const maxCompletions = 200

// outside is why the user is asked about a file.
const outside = "is outside this folder"

// finder returns what finds paths from the working directory of this process, and in the
// workspace.
func (f attachedFiles) finder() (evidence.Finder, error) {
	dir, err := os.Getwd()
	home, _ := f.env("HOME")
	return evidence.Finder{Dir: dir, Home: home, Workspace: f.workspace}, err
}

// Complete returns the paths that begin as typed.
func (f attachedFiles) Complete(ctx context.Context, typed string) ([]string, error) {
	find, err := f.finder()
	if err != nil {
		return nil, err
	}
	return find.Complete(ctx, typed, maxCompletions)
}

// Find returns what a path names.
func (f attachedFiles) Find(ctx context.Context, path string) (attach.Found, error) {
	find, err := f.finder()
	if err != nil {
		return attach.Found{}, err
	}
	m, err := find.Find(ctx, path)
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
	}
	return found, nil
}

// Read reads a path as evidence.
func (f attachedFiles) Read(ctx context.Context, path string) (attach.Reading, error) {
	find, err := f.finder()
	if err != nil {
		return attach.Reading{}, err
	}
	m, err := find.Find(ctx, path)
	if err != nil {
		return attach.Reading{}, err
	}
	read, err := evidence.NewReader(nil).Read(ctx, m.Source)
	reading := attach.Reading{Evidence: read.Evidence, Secrets: read.Secrets, Notices: read.Notices}
	if m.Outside() { // a link may have led elsewhere when the path was found
		reading.Outside = outside
	}
	return reading, err
}

package form

import (
	"roundtable/debate/control"
	"roundtable/debate/ledger"
)

// Saved tells the form that the drafts that it has are on disk.
func (f *Screen) Saved() { f.savedDrafts(f.Unsaved(), nil) }

// Recorded tells the form that a request is stored, as if it had sent it.
func (f *Screen) Recorded(request string) {
	f.recorded([]ledger.Submission{{Request: request}}, []control.Commit{func() control.Told { return control.Told{} }}, false, nil)
}

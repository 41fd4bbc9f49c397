package form

import (
	"time"

	"roundtable/debate"
)

// DraftChange is a draft to be stored. An empty one is to be removed.
type DraftChange struct {
	Request string
	Draft   debate.Draft
}

const (
	// quiet is how long a change waits for the next one, so that not every key is
	// stored.
	saveDelay = 400 * time.Millisecond
	// patience is how long a change is thought to be on its way before it is
	// handed out once more.
	saveTimeout = 2 * time.Second
)

// saving says how far a draft has been stored.
type draftSave struct {
	dirty      bool      // it is not stored as it is
	dirtySince time.Time // the first change that is not stored; zero: store it at once
	sentAt     time.Time // when it was handed out; zero: it was not
	sent       debate.Draft
	stored     bool // the store has, or may have, a draft
}

// change notes a keystroke.
func (s *draftSave) markDirty(now time.Time) {
	if !s.dirty {
		s.dirty, s.dirtySince = true, now
	}
}

// clear asks for the draft's removal, if the store may have one.
func (s *draftSave) discard() {
	*s = draftSave{dirty: s.stored || !s.sentAt.IsZero(), stored: s.stored}
}

// Dirty returns the drafts that have to be stored by now, in the order of the
// requests. Asked after keys and every half second while [Form.Unsaved], it is
// never a second behind.
func (f *Form) Dirty(now time.Time) []DraftChange {
	var out []DraftChange
	for _, r := range f.session.Requests {
		it := f.items[r.ID]
		d, s := it.draft(), &it.save
		again := !s.sentAt.IsZero() && d == s.sent
		switch {
		case !s.dirty:
		case again && now.Sub(s.sentAt) < saveTimeout:
		case !again && now.Sub(s.dirtySince) < saveDelay && f.focused.request == r.ID:
		default:
			s.sentAt, s.sent = now, d
			d.At = now
			out = append(out, DraftChange{Request: r.ID, Draft: d})
		}
	}
	return out
}

// Unsaved reports whether there are drafts to be stored, now or soon.
func (f *Form) Unsaved() bool {
	for _, it := range f.items {
		if it.save.dirty {
			return true
		}
	}
	return false
}

// Saved says that the draft last returned by Dirty for a request is stored.
func (f *Form) Saved(request string) {
	it := f.items[request]
	if it == nil || it.save.sentAt.IsZero() {
		return
	}
	typedOn := it.draft() != it.save.sent
	it.save = draftSave{dirty: typedOn, dirtySince: it.save.sentAt, stored: it.save.sent != debate.Draft{}}
}

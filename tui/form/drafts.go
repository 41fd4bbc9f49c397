package form

import (
	"time"

	"roundtable/debate"
)

// DraftChange is a draft to store; an empty one is to be removed.
type DraftChange struct {
	Request string
	Draft   debate.Draft
}

const (
	// saveDelay is how long a change waits for further ones, so that not every key is
	// stored.
	saveDelay = 400 * time.Millisecond
	// saveTimeout is how long to wait for a draft to be stored before it is returned
	// again.
	saveTimeout = 2 * time.Second
)

// draftSave is the state of saving an item's draft.
type draftSave struct {
	dirty      bool      // the current draft is not stored
	dirtySince time.Time // when the first change was made that is not stored; zero to store it at once
	sentAt     time.Time // when the draft was last returned to be stored; zero if it was not
	sent       debate.Draft
	stored     bool // the store has, or may have, a draft of the request
}

// markDirty notes a change of the text.
func (s *draftSave) markDirty(now time.Time) {
	if !s.dirty {
		s.dirty, s.dirtySince = true, now
	}
}

// discard has the stored draft removed, if there may be one.
func (s *draftSave) discard() {
	*s = draftSave{dirty: s.stored || !s.sentAt.IsZero(), stored: s.stored}
}

// Dirty returns the drafts to store now, in the order of the requests. If it is called
// after every key, and every half second while [Form.Unsaved], no change stays unsaved
// for more than a second.
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

// Unsaved reports whether any draft is to be stored, now or soon.
func (f *Form) Unsaved() bool {
	for _, it := range f.items {
		if it.save.dirty {
			return true
		}
	}
	return false
}

// Saved reports that the draft last returned by Dirty for a request is stored.
func (f *Form) Saved(request string) {
	it := f.items[request]
	if it == nil || it.save.sentAt.IsZero() {
		return
	}
	changed := it.draft() != it.save.sent
	it.save = draftSave{dirty: changed, dirtySince: it.save.sentAt, stored: it.save.sent != debate.Draft{}}
}

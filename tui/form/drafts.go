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
	quiet = 400 * time.Millisecond
	// patience is how long a change is thought to be on its way before it is
	// handed out once more.
	patience = 2 * time.Second
)

// saving says how far a draft has been stored.
type saving struct {
	due    bool      // it is not stored as it is
	since  time.Time // the first change that is not stored; zero: store it at once
	at     time.Time // when it was handed out; zero: it was not
	handed debate.Draft
	known  bool // the store has, or may have, a draft
}

// change notes a keystroke.
func (s *saving) change(now time.Time) {
	if !s.due {
		s.due, s.since = true, now
	}
}

// clear asks for the draft's removal, if the store may have one.
func (s *saving) clear() { *s = saving{due: s.known || !s.at.IsZero(), known: s.known} }

// Dirty returns the drafts that have to be stored by now, in the order of the
// requests. Asked after keys and every half second while [Form.Unsaved], it is
// never a second behind.
func (f *Form) Dirty(now time.Time) []DraftChange {
	var out []DraftChange
	for _, r := range f.session.Requests {
		it := f.items[r.ID]
		d, s := it.stored(), &it.save
		again := !s.at.IsZero() && d == s.handed
		switch {
		case !s.due:
		case again && now.Sub(s.at) < patience:
		case !again && now.Sub(s.since) < quiet && f.at.request == r.ID:
		default:
			s.at, s.handed = now, d
			d.At = now
			out = append(out, DraftChange{Request: r.ID, Draft: d})
		}
	}
	return out
}

// Unsaved reports whether there are drafts to be stored, now or soon.
func (f *Form) Unsaved() bool {
	for _, it := range f.items {
		if it.save.due {
			return true
		}
	}
	return false
}

// Saved says that the draft last returned by Dirty for a request is stored.
func (f *Form) Saved(request string) {
	it := f.items[request]
	if it == nil || it.save.at.IsZero() {
		return
	}
	typedOn := it.stored() != it.save.handed
	it.save = saving{due: typedOn, since: it.save.at, known: it.save.handed != debate.Draft{}}
}

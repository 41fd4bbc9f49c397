package form

import (
	"slices"

	"roundtable/debate/ledger"
)


// field is a place that the focus can be at.
type field uint8

const (
	aRow     field = iota // of a settled, folded request
	anAnswer              // or the reason why there is none
	aSource
	theReleased // the folded released answers
	theRelease
	theEnd
)

// stop is one step of tab.
type stop struct {
	request string
	field   field
}

// types reports whether keys are text there.
func (s stop) types() bool { return s.field == anAnswer || s.field == aSource }

// listed returns the requests in the order in which they are drawn: required
// ones first, then by arrival; released ones, if they are listed, last.
func (f *Form) listed() []*item {
	var required, optional, released []*item
	for _, r := range f.session.Requests {
		it := f.items[r.ID]
		switch {
		case it.gone() && !it.touched && it.ID != f.at.request || f.filter == Open && it.settled() || f.filter == Required && it.Priority != ledger.Required:
		case it.State == ledger.Released:
			if f.filter == All {
				released = append(released, it)
			}
		case it.Priority == ledger.Required:
			required = append(required, it)
		default:
			optional = append(optional, it)
		}
	}
	list := append(required, optional...)
	if f.released {
		list = append(list, released...)
	}
	return list
}

// frozen counts the released answers.
func (f *Form) frozen() int {
	n := 0
	for _, r := range f.session.Requests {
		if r.State == ledger.Released {
			n++
		}
	}
	return n
}

// folded reports whether a request is one stop: it is settled, and nobody edits it.
func (f *Form) folded(it *item) bool { return it.settled() && !it.open && !it.touched }

// stops returns where tab goes, in order.
func (f *Form) stops() []stop {
	var out []stop
	for _, it := range f.listed() {
		switch {
		case f.folded(it):
			out = append(out, stop{it.ID, aRow})
		case it.unavailable:
			out = append(out, stop{it.ID, anAnswer})
		default:
			out = append(out, stop{it.ID, anAnswer}, stop{it.ID, aSource})
		}
	}
	if f.frozen() > 0 && !f.released && f.filter == All {
		out = append(out, stop{field: theReleased})
	}
	out = append(out, stop{field: theRelease})
	if f.gate() {
		out = append(out, stop{field: theEnd})
	}
	return out
}

// gate reports whether the debate stands still and waits for the user.
func (f *Form) gate() bool { return !f.opts.Running && !f.opts.Final }

// move goes to the next stop, or the previous one, around the ends.
func (f *Form) move(step int) {
	stops := f.stops()
	i := slices.Index(stops, f.at)
	f.focus(stops[((i+step)%len(stops)+len(stops))%len(stops)])
}

// focus goes to a stop. A settled request that was unfolded and not edited folds
// again behind it.
func (f *Form) focus(to stop) {
	if it := f.items[f.at.request]; it != nil && f.at.request != to.request {
		it.open = false
	}
	f.at, f.confirm, f.view.reveal, f.view.still = to, false, true, false
	if it := f.items[to.request]; it != nil {
		f.last, it.seen = to.request, true
	}
	f.load()
}

// enter goes to a request, unfolded if need be.
func (f *Form) enter(id string) {
	it := f.items[id]
	f.released = f.released || it.State == ledger.Released
	if !slices.Contains(f.listed(), it) {
		f.filter = All
	}
	f.focus(stop{id, anAnswer})
	it.open = true
}

// focusFirst goes to what blocks, else to what is open, else to the release.
func (f *Form) focusFirst() {
	open := f.session.Unanswered()
	if f.opts.Final {
		open = nil
	}
	for _, it := range f.listed() {
		if slices.ContainsFunc(open, func(r ledger.Request) bool { return r.ID == it.ID }) {
			f.focus(stop{it.ID, anAnswer})
			return
		}
	}
	for _, it := range f.listed() {
		if !it.settled() {
			f.focus(stop{it.ID, anAnswer})
			return
		}
	}
	f.focus(stop{field: theRelease})
}

// refocus finds another place when that of the focus is gone: the same request
// as it is now, else the first that blocks.
func (f *Form) refocus() {
	for _, s := range f.stops() {
		if s.request != "" && s.request == f.at.request {
			f.focus(s)
			return
		}
	}
	f.focusFirst()
}

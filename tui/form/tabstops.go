package form

import (
	"slices"

	"roundtable/debate"
	"roundtable/debate/ledger"
)

// field is a part of the form that can have the focus.
type field uint8

const (
	fieldRow    field = iota // the row of a settled, folded request
	fieldAnswer              // the answer, or the reason why there is none
	fieldSource
	fieldJoin     // the row that joins a request to the one that it seems to repeat
	fieldReleased // the row that stands for the released answers
	fieldRelease  // the start row
	fieldEnd
)

// tabStop is a field of a request, or of the form if request is "".
type tabStop struct {
	request string
	field   field
}

// isText reports whether the field is a text field.
func (s tabStop) isText() bool { return s.field == fieldAnswer || s.field == fieldSource }

// visibleItems returns the listed requests in the order in which they are drawn:
// required ones, optional ones, released ones, each by arrival.
func (f *Form) visibleItems() []*item {
	var required, optional, released []*item
	for _, r := range f.session.Requests {
		it := f.items[r.ID]
		switch {
		case it.withdrawn() && !it.edited && it.ID != f.focused.request || f.filter == Open && it.settled() ||
			f.filter == Required && it.Priority != ledger.Required:
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
	if f.showReleased {
		list = append(list, released...)
	}
	return list
}

// releasedCount returns the number of released answers.
func releasedCount(s debate.Session) int {
	n := 0
	for _, r := range s.Requests {
		if r.State == ledger.Released {
			n++
		}
	}
	return n
}

// tabStops returns the places that tab goes through, in order.
func (f *Form) tabStops() []tabStop {
	var out []tabStop
	for _, it := range f.visibleItems() {
		switch {
		case it.folded():
			out = append(out, tabStop{it.ID, fieldRow})
		case it.unavailable:
			out = append(out, tabStop{it.ID, fieldAnswer})
		default:
			out = append(out, tabStop{it.ID, fieldAnswer}, tabStop{it.ID, fieldSource})
		}
		if it.joinable() {
			out = append(out, tabStop{it.ID, fieldJoin})
		}
	}
	if releasedCount(f.session) > 0 && !f.showReleased && f.filter == All {
		out = append(out, tabStop{field: fieldReleased})
	}
	out = append(out, tabStop{field: fieldRelease})
	if f.releasable() {
		out = append(out, tabStop{field: fieldEnd})
	}
	return out
}

// releasable reports whether ctrl+s starts a round: none is running, and a further one
// can follow.
func (f *Form) releasable() bool { return !f.opts.Running && !f.opts.Final }

// moveFocus moves by a number of tab stops and wraps around.
func (f *Form) moveFocus(step int) {
	stops := f.tabStops()
	i := slices.Index(stops, f.focused)
	f.setFocus(stops[((i+step)%len(stops)+len(stops))%len(stops)])
}

// moveRequest moves to another request, to the start row after the last one, and around.
func moveRequest(f *Form, step int) {
	var stops []tabStop
	for _, s := range f.tabStops() {
		if s.field == fieldRow || s.field == fieldAnswer || s.field == fieldRelease {
			stops = append(stops, s)
		}
	}
	n := len(stops)
	i := slices.IndexFunc(stops, func(s tabStop) bool { return s.request == f.focused.request })
	f.setFocus(stops[((i+step)%n+n)%n])
}

// setFocus focuses a tab stop. A settled request that was expanded but not edited is
// folded again when the focus leaves it.
func (f *Form) setFocus(to tabStop) {
	if it := f.items[f.focused.request]; it != nil && f.focused.request != to.request {
		it.expanded = false
	}
	f.focused, f.scroll.reveal, f.scroll.locked = to, true, false
	if it := f.items[to.request]; it != nil {
		f.lastRequest, it.seen = to.request, true
	}
	f.loadEditor()
}

// openItem focuses a request, and expands and lists it if needed.
func (f *Form) openItem(id string) {
	it := f.items[id]
	f.showReleased = f.showReleased || it.State == ledger.Released
	if !slices.Contains(f.visibleItems(), it) {
		f.filter = All
	}
	f.setFocus(tabStop{id, fieldAnswer})
	it.expanded = true
}

// focusFirst focuses the first request that blocks the next round, else the first open
// one, else the release row.
func (f *Form) focusFirst() {
	open := f.session.Unanswered()
	if f.opts.Final {
		open = nil
	}
	for _, it := range f.visibleItems() {
		if slices.ContainsFunc(open, func(r ledger.Request) bool { return r.ID == it.ID }) {
			f.setFocus(tabStop{it.ID, fieldAnswer})
			return
		}
	}
	for _, it := range f.visibleItems() {
		if !it.settled() {
			f.setFocus(tabStop{it.ID, fieldAnswer})
			return
		}
	}
	f.setFocus(tabStop{field: fieldRelease})
}

// ensureFocus moves the focus if its tab stop is gone.
func (f *Form) ensureFocus() {
	if !slices.Contains(f.tabStops(), f.focused) {
		f.refocus()
	}
}

// refocus moves the focus to another tab stop of its request, else to the first
// request.
func (f *Form) refocus() {
	for _, s := range f.tabStops() {
		if s.request != "" && s.request == f.focused.request {
			f.setFocus(s)
			return
		}
	}
	f.focusFirst()
}

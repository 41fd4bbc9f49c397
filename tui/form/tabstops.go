package form

import (
	"slices"

	"roundtable/debate/ledger"
)

// field is a place that the focus can be at.
type field uint8

const (
	fieldRow     field = iota // of a settled, folded request
	fieldAnswer              // or the reason why there is none
	fieldSource
	fieldReleased // the folded released answers
	fieldRelease
	fieldEnd
)

// stop is one step of tab.
type tabStop struct {
	request string
	field   field
}

// types reports whether keys are text there.
func (s tabStop) isText() bool { return s.field == fieldAnswer || s.field == fieldSource }

// listed returns the requests in the order in which they are drawn: required
// ones first, then by arrival; released ones, if they are listed, last.
func (f *Form) visibleItems() []*item {
	var required, optional, released []*item
	for _, r := range f.session.Requests {
		it := f.items[r.ID]
		switch {
		case it.withdrawn() && !it.edited && it.ID != f.focused.request || f.filter == Open && it.settled() || f.filter == Required && it.Priority != ledger.Required:
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

// frozen counts the released answers.
func (f *Form) releasedCount() int {
	n := 0
	for _, r := range f.session.Requests {
		if r.State == ledger.Released {
			n++
		}
	}
	return n
}

// folded reports whether a request is one stop: it is settled, and nobody edits it.
func (f *Form) folded(it *item) bool { return it.settled() && !it.expanded && !it.edited }

// stops returns where tab goes, in order.
func (f *Form) tabStops() []tabStop {
	var out []tabStop
	for _, it := range f.visibleItems() {
		switch {
		case f.folded(it):
			out = append(out, tabStop{it.ID, fieldRow})
		case it.unavailable:
			out = append(out, tabStop{it.ID, fieldAnswer})
		default:
			out = append(out, tabStop{it.ID, fieldAnswer}, tabStop{it.ID, fieldSource})
		}
	}
	if f.releasedCount() > 0 && !f.showReleased && f.filter == All {
		out = append(out, tabStop{field: fieldReleased})
	}
	out = append(out, tabStop{field: fieldRelease})
	if f.releasable() {
		out = append(out, tabStop{field: fieldEnd})
	}
	return out
}

// gate reports whether the debate stands still and waits for the user.
func (f *Form) releasable() bool { return !f.opts.Running && !f.opts.Final }

// move goes to the next stop, or the previous one, around the ends.
func (f *Form) moveFocus(step int) {
	stops := f.tabStops()
	i := slices.Index(stops, f.focused)
	f.setFocus(stops[((i+step)%len(stops)+len(stops))%len(stops)])
}

// focus goes to a stop. A settled request that was unfolded and not edited folds
// again behind it.
func (f *Form) setFocus(to tabStop) {
	if it := f.items[f.focused.request]; it != nil && f.focused.request != to.request {
		it.expanded = false
	}
	f.focused, f.confirmEnd, f.view.reveal, f.view.locked = to, false, true, false
	if it := f.items[to.request]; it != nil {
		f.lastRequest, it.seen = to.request, true
	}
	f.loadEditor()
}

// enter goes to a request, unfolded if need be.
func (f *Form) openItem(id string) {
	it := f.items[id]
	f.showReleased = f.showReleased || it.State == ledger.Released
	if !slices.Contains(f.visibleItems(), it) {
		f.filter = All
	}
	f.setFocus(tabStop{id, fieldAnswer})
	it.expanded = true
}

// focusFirst goes to what blocks, else to what is open, else to the release.
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

// ensureFocus moves the focus if its place is gone.
func (f *Form) ensureFocus() {
	if !slices.Contains(f.tabStops(), f.focused) {
		f.refocus()
	}
}

// refocus finds another place when that of the focus is gone: the same request
// as it is now, else the first that blocks.
func (f *Form) refocus() {
	for _, s := range f.tabStops() {
		if s.request != "" && s.request == f.focused.request {
			f.setFocus(s)
			return
		}
	}
	f.focusFirst()
}

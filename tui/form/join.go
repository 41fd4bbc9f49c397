package form

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// join asks to join the focused request to the one that it seems to repeat. What was
// typed for it is added to what was typed for the other.
func (f *Form) join(now time.Time) Outcome {
	it := f.items[f.focused.request]
	switch {
	case it == nil:
		return f.notice("Nothing to join here: press tab to reach a request.")
	case it.twin == "":
		return f.notice(fmt.Sprintf("%s looks like no other open request.", it.ID))
	case len(f.sending) > 0:
		return None{}
	}
	into := it.twin
	target := f.items[into]
	if it.edited && !target.takeDraft(it) {
		return f.notice(fmt.Sprintf("The texts for %s and %s are too long together: an answer has at most %s characters.",
			it.ID, into, text.Number(ledger.MaxAnswer)))
	}
	if it.edited {
		f.itemEdited(target, now)
		it.restore("", "", false)
		it.edited = false
		it.save.discard()
	}
	f.openItem(into)
	f.scroll.free = true
	return Join{Request: it.ID, Into: into}
}

// takeDraft adds what was typed for another request. It returns false, and changes
// nothing, if the text would be too long.
func (it *item) takeDraft(other *item) bool {
	added := strings.TrimSpace(other.text())
	if strings.TrimSpace(it.answer+it.reason+it.source) == "" {
		it.restore(other.text(), other.source, other.unavailable)
		return true
	}
	joined := it.text()
	if added != "" && !strings.Contains(joined, added) {
		joined = strings.TrimSpace(strings.TrimRight(joined, "\n ") + "\n\n" + added)
	}
	if utf8.RuneCountInString(joined) > ledger.MaxAnswer {
		return false
	}
	source := it.source
	if source == "" {
		source = other.source
	}
	it.restore(joined, source, it.unavailable)
	return true
}

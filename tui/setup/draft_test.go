package setup_test

import (
	"strings"
	"testing"

	"roundtable/tui/setup"
)

// A draft restores text and choices, also if the options become known later, but no
// choices that no longer exist.
func TestForm_restoresItsDraft(t *testing.T) {
	f := newForm(80, 21)
	if f.Draft() != "" {
		t.Errorf("an empty form has the draft %s", f.Draft())
	}
	f.Prefill("Given?", "", 0)
	if f.Draft() != "" {
		t.Errorf("what was given is kept as typed: %s", f.Draft())
	}
	f.Reset()
	f.Paste("Rust\nor Go?")
	focusOn(f, "Mode")
	f.Change(1)
	focusOn(f, "Kind")
	f.Change(1) // yes or no
	focusOn(f, "Ends")
	if err := f.Toggle(); err != nil {
		t.Fatal(err)
	}
	kept := f.Draft()
	if !strings.Contains(kept, `"question":"yes-no"`) {
		t.Errorf("the kind of question is not in %s", kept)
	}
	for _, late := range []bool{false, true} {
		again := setup.NewForm(colors(), nil)
		again.SetSize(80, 21)
		if !late {
			again.SetOptions(testOptions())
		}
		if err := again.Restore(kept); err != nil {
			t.Fatal(err)
		}
		if late {
			if again.Draft() != kept {
				t.Errorf("before there is an offer it is\n%s\nwant\n%s", again.Draft(), kept)
			}
			again.SetOptions(testOptions())
		}
		if again.Draft() != kept || again.Topic() != "Rust\nor Go?" {
			t.Errorf("%s\nwant\n%s", again.Draft(), kept)
		}
	}
	if err := f.Restore("{"); err == nil {
		t.Error("half a draft is no draft")
	}
}

package form

import (
	"roundtable/debate/ledger"
)

// Outcome is the result of a key: one of the types below.
type Outcome interface{ outcome() }

// The outcomes. Each submission of Answer and Release is to be recorded on its own and
// reported with [Form.Recorded]. The first error, or that of starting the round, is to
// be reported with [Form.Refused].
type (
	// None asks for nothing. The form may not have handled the key.
	None struct{}
	// Answer asks to record answers.
	Answer struct{ Submissions []ledger.Submission }
	// Release asks to record answers, if any, and then to start the round.
	Release struct{ Submissions []ledger.Submission }
	// Join asks to join a request to the one that it seems to repeat. What fails is to be
	// reported with [Form.Refused].
	Join struct{ Request, Into string }
	// EndNow asks to end the debate now. The user has not confirmed it yet.
	EndNow struct{}
	// Close asks to close the form. All drafts are kept.
	Close struct{}
	// Editor asks to edit a text in an external editor and to return it with
	// [Form.Edited]. About is what the user may want to read meanwhile.
	Editor struct{ Request, Text, About string }
	// Notice is a message to the user.
	Notice struct{ Text string }
)

func (None) outcome()    {}
func (Answer) outcome()  {}
func (Release) outcome() {}
func (Join) outcome()    {}
func (EndNow) outcome()  {}
func (Close) outcome()   {}
func (Editor) outcome()  {}
func (Notice) outcome()  {}

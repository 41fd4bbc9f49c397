package form

import (
	"roundtable/debate/ledger"
)


// Outcome is what a key has come to: one of the types below.
type Outcome interface{ outcome() }

// The outcomes. Of Answer and Release each submission is to be recorded on its
// own and reported with [Form.Recorded]; the first that fails, or a release that
// fails, with [Form.Refused].
type (
	// None asks for nothing. The form need not have taken the key: what it never
	// takes is for whoever holds it.
	None struct{}
	// Answer asks to record answers.
	Answer struct{ Submissions []ledger.Submission }
	// Release asks to record answers, if any, and then to start the round.
	Release struct{ Submissions []ledger.Submission }
	// EndNow asks to end the debate with what is there; the user has confirmed it.
	EndNow struct{}
	// Close asks to close the form. Every draft stays.
	Close struct{}
	// Editor asks to write a text elsewhere and bring it back with [Form.Edited].
	Editor struct{ Request, Text string }
	// Notice is something to tell the user.
	Notice struct{ Text string }
)

func (None) outcome()    {}
func (Answer) outcome()  {}
func (Release) outcome() {}
func (EndNow) outcome()  {}
func (Close) outcome()   {}
func (Editor) outcome()  {}
func (Notice) outcome()  {}

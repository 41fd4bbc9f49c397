package cli

import (
	"errors"
	"strings"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/debate/verdict"
	"roundtable/internal/headless"
	"roundtable/internal/text"
)

// requiredSide is the side that --require names; "" without the flag.
type requiredSide string

// Set sets the side.
func (r *requiredSide) Set(value string) error {
	value = strings.TrimSpace(value)
	if value == "" {
		return errors.New("it is empty; give a side, such as yes")
	}
	*r = requiredSide(value)
	return checkUTF8("the side", value)
}

// String returns the side.
func (r *requiredSide) String() string { return string(*r) }

// Type names the value in the help.
func (r *requiredSide) Type() string { return "side" }

// check returns an error if no verdict of the session can have the side.
func (r requiredSide) check(s debate.Session) error {
	if r == "" {
		return nil
	}
	if err := verdict.CheckSide(s, string(r)); err != nil {
		return usagef("--require: %v", err)
	}
	return nil
}

// judge adds to a result with a verdict whether that has the side.
func (r requiredSide) judge(e headless.Result) headless.Result {
	if r != "" && e.Session.Verdict != nil {
		e.Required = &headless.Requirement{Side: string(r), Met: verdict.HasSide(e.Session, string(r))}
	}
	return e
}

// requirementError is returned for a verdict that does not have the required side.
type requirementError struct{ result headless.Result }

// Error says what was required and what the debate came to.
func (e *requirementError) Error() string {
	s, reason := e.result.Session, ""
	if v := s.Verdict; v.Rules != 0 && v.Side == nil {
		reason = ", since no side is held by more than half of the voters"
	}
	return "--require " + text.Label(e.result.Required.Side) + " is not met" + reason + ": " + report.Headline(*s.Verdict, s) +
		".\n`roundtable show " + s.ID + "` prints the debate."
}

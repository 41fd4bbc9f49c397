package headless

import (
	"roundtable/debate"
	"roundtable/debate/report"
)

func (j *JSONReporter) approvalAsked(ev debate.ApprovalAsked) {
	j.writeLine("approval.requested", ev.At, struct {
		report.Turn
		Call string               `json:"call"`
		Tool string               `json:"tool"`
		Argv []string             `json:"argv"`
		Dir  string               `json:"dir"`
		Mode debate.WorkspaceMode `json:"mode"`
	}{report.TurnOf(ev.Turn), ev.CallID, ev.Tool, ev.Argv, ev.Dir, ev.Mode})
}

func (j *JSONReporter) approvalDecided(ev debate.ApprovalDecided) {
	j.writeLine("approval.settled", ev.At, struct {
		report.Turn
		Call    string   `json:"call"`
		Outcome string   `json:"outcome"`
		Argv    []string `json:"argv,omitempty"`
		Reason  string   `json:"reason,omitempty"`
	}{report.TurnOf(ev.Turn), ev.CallID, approvalOutcome(ev.Approval), ev.Approval.Argv, ev.Approval.Reason})
}

// approvalOutcome names what the user decided on a command.
func approvalOutcome(a debate.Approval) string {
	switch {
	case !a.Allows():
		return string(debate.ApprovalDenied)
	case len(a.Argv) > 0:
		return "edited"
	default:
		return string(a.Choice)
	}
}

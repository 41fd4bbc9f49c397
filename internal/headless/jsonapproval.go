package headless

import (
	"roundtable/debate"
	"roundtable/debate/report"
)

func (j *JSONReporter) approvalAsked(ev debate.ApprovalAsked) {
	j.writeLine("approval.asked", ev.At, struct {
		report.Turn
		Call string               `json:"call"`
		Argv []string             `json:"argv"`
		Dir  string               `json:"dir"`
		Mode debate.WorkspaceMode `json:"mode"`
	}{report.TurnOf(ev.Turn), ev.CallID, ev.Argv, ev.Dir, ev.Mode})
}

func (j *JSONReporter) approvalDecided(ev debate.ApprovalDecided) {
	decision := debate.ApprovalDenied
	if ev.Approval.Allows() {
		decision = ev.Approval.Choice
	}
	j.writeLine("approval.decided", ev.At, struct {
		report.Turn
		Call     string                `json:"call"`
		Decision debate.ApprovalChoice `json:"decision"`
		Reason   string                `json:"reason,omitempty"`
	}{report.TurnOf(ev.Turn), ev.CallID, decision, ev.Approval.Reason})
}

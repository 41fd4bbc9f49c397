package verdict

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

func toolsUsed(s debate.Session, after, upTo agents.Turn) []string {
	var out []string
	for _, r := range s.History[after.Round-1 : upTo.Round] {
		for _, x := range r.Latest() {
			early := x.Turn.Round == after.Round && x.Turn.Step <= after.Step
			late := x.Turn.Round == upTo.Round && x.Turn.Step > upTo.Step
			if x.Turn.Agent != upTo.Agent || early || late || !x.HasStatement() {
				continue
			}
			for _, p := range x.Passages {
				for _, t := range p.Tools {
					if isSource(t) && !slices.Contains(out, t.Name) {
						out = append(out, t.Name)
					}
				}
			}
		}
	}
	return out
}

// isSource reports whether a tool call returned something from outside of the debate. A
// question to the user is answered later, a statement is what a member said, and a list of
// names says nothing of what is in them.
func isSource(t debate.ToolRecord) bool {
	notSources := []string{agents.RequestContextName, "list_evidence", "list_dir", "find_files"}
	if t.Name == agents.ReadEvidenceName && agents.StatementID(t.Args) != "" {
		return false
	}
	return t.State == debate.ToolDone && t.Result.Status == agents.ToolOK && t.Result.Text != "" && !slices.Contains(notSources, t.Name)
}

func markSeen(seen map[string]bool, item string) bool {
	if seen[item] {
		return false
	}
	seen[item] = true
	return true
}

func revision(s debate.Session, id string, round int) int {
	n := 0
	q, _ := s.Request(id)
	for _, d := range q.Delivered {
		if d.Round <= round {
			n = d.Revision
		}
	}
	return n
}

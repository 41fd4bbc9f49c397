package engine

import (
	"roundtable/agents"
	"roundtable/agents/tools"
	"roundtable/debate/prompt"
)

// evidence is what the user brought, as the tools of a round may know it.
type evidence struct{ snap prompt.Snapshot }

// Evidence returns the evidence of the round, which every turn may see.
func (e evidence) Evidence(agents.Turn) []tools.Evidence {
	out := make([]tools.Evidence, len(e.snap.Evidence))
	for i, x := range e.snap.Evidence {
		out[i] = tools.Evidence{ID: x.ID, Name: x.Name, Kind: string(x.Kind), Text: x.Text}
	}
	return out
}

// evidenceTools are the tools that read evidence.
func evidenceTools() []string {
	return []string{tools.ListEvidenceName, tools.ReadEvidenceName, tools.SearchEvidenceName}
}

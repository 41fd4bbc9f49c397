package mcpserver

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/debate/report"
	"roundtable/internal/text"
)

// part is a part of a session as it is exported, with the names of names.
type part map[string]any

// names are the members of exports that the tools call otherwise, by the part that has them.
var names = map[reflect.Type]map[string]string{
	reflect.TypeFor[report.Request]():  {"request": "requestId", "agents": "agentIds", "asked": "timestamp"},
	reflect.TypeFor[report.Response](): {"agent": "agentId"},
	reflect.TypeFor[report.Listed]():   {"id": "sessionId", "round": "currentRound", "rounds": "totalRounds"},
	reflect.TypeFor[report.FollowUp](): {"agent": "agentId", "text": "answer"},
}

// partOf returns a part of a document, without the members that are left out.
func partOf(v any, without ...string) part {
	var members map[string]json.RawMessage
	raw, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(raw, &members)
	}
	if err != nil {
		panic(fmt.Errorf("encode a %T: %w", v, err)) // the types are ours
	}
	p, called := part{}, names[reflect.TypeOf(v)]
	for name, value := range members {
		if slices.Contains(without, name) {
			continue
		}
		if other, ok := called[name]; ok {
			name = other
		}
		p[name] = value
	}
	return p
}

func requestOf(q report.Request) part {
	p := partOf(q)
	if len(q.Agents) > 0 {
		p["agentId"] = q.Agents[0]
	}
	if q.State == ledger.AfterVerdict {
		p["afterVerdict"] = true
	}
	return p
}

// outlined are the members that responses in results lack: get_response_detail has them.
var outlined = []string{
	"passages", "text", "statement", "snapshot", "saw", "prompt_version", "fitting", "usage", "finish", "began", "ended",
}

// responsesOf returns the newest attempt of each turn of a round, with its statement, in outline.
func responsesOf(doc report.Report, round report.Round) []part {
	out := []part{}
	for i, x := range round.Responses {
		again := func(later report.Response) bool { return later.Agent == x.Agent && later.Step == x.Step }
		if slices.ContainsFunc(round.Responses[i+1:], again) {
			continue
		}
		p := partOf(x, outlined...)
		for name, value := range partOf(x.Statement, "body") {
			p[name] = value
		}
		p["agentName"], p["text"] = text.Line(doc.Who(x.Agent)), x.Statement.Body
		out = append(out, p)
	}
	return out
}

func consensusOf(s debate.Session, round int) part {
	v := report.AfterRound(s, round)
	return part{"round": round, "result": v.Result, "votes": append([]debate.SeatVote{}, v.Votes...)}
}

func verdictOf(doc report.Report) part {
	if doc.Verdict == nil {
		return nil
	}
	p := partOf(*doc.Verdict, "report", "spent", "spent_after_first_votes")
	p["text"] = doc.Verdict.Report.Text
	return p
}

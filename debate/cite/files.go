package cite

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/text"
)

// StatementWrong returns the citations of a response that name nothing.
func StatementWrong(s debate.Session, x debate.Response) []Cited {
	var out []Cited
	by := By(x.Statement)
	for _, c := range by.Evidence {
		out = append(out, Resolve(c, s, x.Turn.Round))
	}
	if len(by.Files) > 0 {
		read := append(filesRead(s), readingsOf(x)...) // a session may not have the response yet
		for _, c := range by.Files {
			if hasWorkspace(s, read) {
				out = append(out, read.resolve(c, x.Turn.Round, x.Turn.Agent))
			}
		}
	}
	return slices.DeleteFunc(out, func(c Cited) bool { return c.Problem == "" })
}

// readHeading matches the first line of a result of read_file. Nothing of a file is before it.
var readHeading = text.Regexp(`(?m)^".*", lines (\d+)-(\d+) of \d+\.(?: .*)? SHA-256 ([0-9a-f]{32})\.$`)

// Read returns the lines of files of the workspace that calls of tools returned, in their order.
func Read(calls []debate.ToolRecord) []debate.FileLines {
	var out []debate.FileLines
	for _, call := range calls {
		var in struct{ Path string }
		m := readHeading().FindStringSubmatch(call.Result.Text)
		returned := !call.Own && call.Name == agents.ReadFileName && call.Result.Status == agents.ToolOK
		if !returned || m == nil || json.Unmarshal([]byte(call.Args), &in) != nil || path.Clean(in.Path) == "." {
			continue
		}
		from, errFrom := strconv.Atoi(m[1])
		to, errTo := strconv.Atoi(m[2])
		if errFrom == nil && errTo == nil {
			out = append(out, debate.FileLines{Path: debate.CleanCitedPath(in.Path), From: from, To: to, Hash: m[3]})
		}
	}
	return out
}

type reading struct {
	debate.FileLines
	round int
	by    agents.ID
}

type readings []reading

func hasWorkspace(s debate.Session, read readings) bool {
	return s.Workspace.Dir != "" || len(read) > 0
}

func filesRead(s debate.Session) readings {
	var out readings
	for x := range s.Said() {
		out = append(out, readingsOf(x)...)
	}
	return out
}

func readingsOf(x debate.Response) readings {
	return text.Each(x.Statement.Read, func(f debate.FileLines) reading { return reading{f, x.Turn.Round, x.Turn.Agent} })
}

// resolve returns what a citation names: lines of one version that seats had read by then, the
// citing seat's last one if it can be.
func (all readings) resolve(c debate.Citation, round int, by agents.ID) Cited {
	for _, own := range []bool{true, false} {
		for _, r := range slices.Backward(all) {
			if r.Path == c.ID && r.round <= round && (r.by == by) == own && all.haveLines(c, r.Hash, round) {
				return Cited{Citation: c, Name: c.ID, SHA256: r.Hash}
			}
		}
	}
	return Cited{Citation: c, Name: c.ID, Problem: NotRead}
}

func (all readings) haveLines(c debate.Citation, hash string, round int) bool {
	next := c.From
	for again := true; again && next <= c.To; {
		again = false
		for _, r := range all {
			if r.Path == c.ID && r.Hash == hash && r.round <= round && r.From <= next && next <= r.To {
				next, again = r.To+1, true
			}
		}
	}
	return next > c.To && c.From <= c.To
}

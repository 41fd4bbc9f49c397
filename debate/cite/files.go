package cite

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roundtable/agents"
	"roundtable/debate"
)

// Files returns the lines of files of the workspace that a text cites, as in
// [src/main.go:12-40], each once.
func Files(text string) []debate.Citation { return citedFiles(debate.CitationGroups(text)) }

// StatementFiles returns the lines of files of the workspace that a statement cites, each
// once.
func StatementFiles(s debate.Statement) []debate.Citation { return citedFiles(statementGroups(s)) }

func citedFiles(groups []debate.CitationGroup) []debate.Citation {
	return citations(groups, func(g debate.CitationGroup) []debate.Citation { return g.Files })
}

// StatementWrong returns the citations of a response that name nothing.
func StatementWrong(s debate.Session, x debate.Response) []Cited {
	var out []Cited
	for _, c := range StatementEvidence(x.Statement) {
		out = append(out, Resolve(c, s, x.Turn.Round))
	}
	if files := StatementFiles(x.Statement); len(files) > 0 {
		read := append(filesRead(s), readingsOf(x)...) // a session may not have the response yet
		for _, c := range files {
			if hasWorkspace(s, read) {
				out = append(out, read.resolve(c, x.Turn.Round, x.Turn.Agent))
			}
		}
	}
	return slices.DeleteFunc(out, func(c Cited) bool { return c.Problem == "" })
}

// readHeading matches the first line of a result of read_file, and readLine a line of the
// file, in which exports replace tabs by two blanks. Nothing of a file is before the heading.
var (
	readHeading = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^".*", lines (\d+)-(\d+) of \d+\.(?: .*)? SHA-256 ([0-9a-f]{32})\.$`)
	})
	readLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *(\d+)(?:\t|  )(.*)$`) })
)

// Read returns the lines of files of the workspace that calls of tools returned, in their order.
func Read(calls []debate.ToolRecord) []debate.FileLines {
	var out []debate.FileLines
	for _, call := range calls {
		if f, _, ok := readBy(call); ok {
			out = append(out, f)
		}
	}
	return out
}

func readBy(call debate.ToolRecord) (f debate.FileLines, rest string, ok bool) {
	if call.Own || call.Name != agents.ReadFileName || call.Result.Status != agents.ToolOK {
		return f, "", false
	}
	var in struct{ Path string }
	at := readHeading().FindStringSubmatchIndex(call.Result.Text)
	if at == nil || json.Unmarshal([]byte(call.Args), &in) != nil {
		return f, "", false
	}
	group := func(i int) string { return call.Result.Text[at[2*i]:at[2*i+1]] }
	from, errFrom := strconv.Atoi(group(1))
	to, errTo := strconv.Atoi(group(2))
	f = debate.FileLines{Path: debate.CleanCitedPath(in.Path), From: from, To: to, Hash: group(3)}
	return f, call.Result.Text[at[1]:], errFrom == nil && errTo == nil && path.Clean(in.Path) != "."
}

type reading struct {
	debate.FileLines
	round int
	by    agents.ID
	text  string // the result of the call; "" if it is not at hand
}

type readings []reading

func hasWorkspace(s debate.Session, read readings) bool {
	return s.Workspace.Dir != "" || len(read) > 0
}

func filesRead(s debate.Session) readings {
	var out readings
	for _, r := range s.History {
		for _, x := range r.Latest() {
			if x.HasStatement() {
				out = append(out, readingsOf(x)...)
			}
		}
	}
	return out
}

func readingsOf(x debate.Response) (out readings) {
	if len(x.Statement.Read) == 0 {
		return nil
	}
	texts := map[debate.FileLines]string{}
	for _, p := range x.Passages {
		for _, call := range p.Tools {
			if f, rest, ok := readBy(call); ok {
				texts[f] = rest
			}
		}
	}
	for _, f := range x.Statement.Read {
		out = append(out, reading{f, x.Turn.Round, x.Turn.Agent, texts[f]})
	}
	return out
}

// resolve returns what a citation names among the lines that seats had read by the end of
// a round: in the version of the file that the citing seat read last, or else another one.
func (all readings) resolve(c debate.Citation, round int, by agents.ID) Cited {
	out := Cited{Citation: c, Name: c.ID}
	var own, others []string // hashes, the last one first
	for _, r := range slices.Backward(all) {
		switch {
		case r.Path != c.ID || r.round > round:
		case r.by == by:
			own = append(own, r.Hash)
		default:
			others = append(others, r.Hash)
		}
	}
	for _, hash := range append(own, others...) {
		lines, known := all.lines(c, hash, round)
		if !known {
			continue
		}
		out.SHA256 = hash
		out.ChangedSince = all.changedSince(c.ID, hash)
		out.setText(strings.Join(lines, "\n"), len(lines) > 0 && len(lines) < c.To-c.From+1)
		return out
	}
	out.Problem = NotRead
	return out
}

// changedSince reports whether a seat read another version later; seats that speak at once may have versions of their own.
func (all readings) changedSince(path, hash string) bool {
	var last reading
	changed := false
	for _, r := range all {
		switch {
		case r.Path != path:
		case r.Hash == hash:
			last, changed = r, false
		case last.Path != "" && (r.round > last.round || r.by == last.by):
			changed = true
		}
	}
	return changed
}

// lines returns the first lines that a citation names of one version of a file, and whether
// seats had read all that it names by the end of a round. They are empty if the session
// does not hold its texts.
func (all readings) lines(c debate.Citation, hash string, round int) (lines []string, known bool) {
	found := map[int]string{}
	next := c.From
	for again := true; again && next <= c.To; {
		again = false
		for _, r := range all {
			if r.Path == c.ID && r.Hash == hash && r.round <= round && r.From <= next && next <= r.To {
				r.add(found, c)
				next, again = r.To+1, true
			}
		}
	}
	for n := c.From; n <= min(c.To, c.From+MaxCitedLines-1); n++ {
		line, ok := found[n]
		if !ok {
			break
		}
		lines = append(lines, line)
	}
	return lines, next > c.To && c.From <= c.To
}

func (r reading) add(to map[int]string, c debate.Citation) {
	n := r.From
	for line := range strings.SplitSeq(r.text, "\n") {
		m := readLine().FindStringSubmatch(line)
		if m == nil || m[1] != strconv.Itoa(n) {
			continue
		}
		if n >= c.From && n <= c.To {
			to[n] = m[2]
		}
		n++
	}
}

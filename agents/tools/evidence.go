package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/internal/text"
)

// The names of the tools that read the user's evidence.
const (
	ListEvidenceName   = "list_evidence"
	SearchEvidenceName = "search_evidence"
)

// Limits of what one call shows of evidence.
const (
	maxReadLines = 2000
	maxReadBytes = 64 << 10 // with the numbers of lines
	maxHits      = 200
	maxHitLine   = 300 // bytes
	maxHitBytes  = 32 << 10
)

// ListEvidence lists what the user brought to the debate.
func ListEvidence() Tool {
	return Tool{Run: listEvidence, Spec: agents.ToolSpec{
		Name:        ListEvidenceName,
		Description: "List the evidence that the user brought to this debate, with ids, names, kinds and sizes.",
		Schema:      json.RawMessage(`{"type":"object","properties":{}}`),
	}}
}

// listEvidence lists the evidence that the turn may see.
func listEvidence(_ context.Context, tc Context, _ json.RawMessage) (Output, error) {
	list, err := tc.evidence()
	if err != nil {
		return Output{}, err
	}
	var lines []string
	size := 0
	for _, e := range list {
		line := e.label()
		if size += len(line) + 1; size > maxReadBytes {
			lines = append(lines, fmt.Sprintf("and %d more", len(list)-len(lines)))
			break
		}
		lines = append(lines, line)
	}
	return Output{Text: tc.Foreign("evidence", strings.Join(lines, "\n")), Summary: names(list)}, nil
}

// Statement is a statement that the caller may see and whose prompt does not have all of it.
type Statement struct {
	ID    string // its round and its speaker, such as "R1:Bob"
	Block string // fenced data that cannot end its own fence
}

// ReadEvidence returns lines of the user's evidence, or a statement that the caller's prompt
// does not have in full.
func ReadEvidence() Tool {
	return Tool{Run: readEvidence, Spec: agents.ToolSpec{
		Name: agents.ReadEvidenceName,
		Description: "Read lines of the evidence that the user brought to this debate. Each line comes with its number, by which it is " +
			"cited: [F1:12] or [F1:120-140]. A statement that is shortened in your prompt or left out of it is read whole.",
		Schema: json.RawMessage(`{"type":"object","properties":{` +
			`"id":{"type":"string","maxLength":100,"description":"The id of the evidence, such as F1, ` +
			`or lines of it as they are cited, such as F1:10-20. Of a statement, its round and its speaker, such as R1:Bob."},` +
			`"offset":{"type":"integer","minimum":1,"description":"The first line, counted from 1. Default: 1."},` +
			`"limit":{"type":"integer","minimum":1,"maximum":2000,"description":"How many lines at most. Default: 2000."}},` +
			`"required":["id"]}`),
	}}
}

// readEvidence returns the lines that were asked for, up to the limits, or the statement.
func readEvidence(_ context.Context, tc Context, args json.RawMessage) (Output, error) {
	if id := agents.StatementID(string(args)); id != "" {
		return tc.statement(id)
	}
	in := struct {
		ID     string `json:"id"`
		Offset int    `json:"offset"`
		Limit  int    `json:"limit"`
	}{Offset: 1, Limit: maxReadLines}
	if err := json.Unmarshal(args, &in); err != nil {
		return Output{}, fmt.Errorf("arguments of %s: %w", agents.ReadEvidenceName, err)
	}
	id, cited, named := strings.Cut(strings.Trim(in.ID, "[] "), ":")
	if named { // as it is cited
		var to int
		if n, err := fmt.Sscanf(strings.Replace(cited, "-", " ", 1), "%d %d", &in.Offset, &to); n == 0 {
			return Output{}, fmt.Errorf("the id %q is not one such as F1 or F1:10-20: %w", abbreviate(in.ID), err)
		}
		if in.Limit = max(1, to-in.Offset+1); in.Offset < 1 {
			return Output{}, fmt.Errorf("the id %q begins before line 1", abbreviate(in.ID))
		}
	}
	e, err := tc.evidenceNamed(id)
	if err != nil {
		return Output{}, err
	}
	lines := e.lines()
	if len(lines) == 0 {
		return Output{Text: e.ID + " is empty.", Summary: e.ID + " is empty"}, nil
	}
	if in.Offset > len(lines) {
		return Output{}, fmt.Errorf("%s has %s; the offset %d is after the last one", e.ID, text.Count(len(lines), "line"), in.Offset)
	}
	shown, last, cut := readLines(lines, in.Offset, min(in.Limit, maxReadLines))
	out := fmt.Sprintf("Lines %d to %d of %d.", in.Offset, last, len(lines))
	if cut > 0 {
		out += fmt.Sprintf(" The last %d bytes of line %d are left out.", cut, last)
	}
	if last < len(lines) {
		out += fmt.Sprintf(" The next line is %d.", last+1)
	}
	return Output{
		Text:    out + "\n" + tc.Foreign("evidence "+e.label(), shown),
		Summary: fmt.Sprintf("%s:%d-%d of %s", e.ID, in.Offset, last, text.Count(len(lines), "line")),
	}, nil
}

// readLines returns lines with their numbers, the number of the last one, and how many
// bytes that one lacks. It returns one line at least.
func readLines(lines []string, from, limit int) (shown string, last, cut int) {
	var b strings.Builder
	for last = from; last <= len(lines) && last < from+limit; last++ {
		line := text.NumberLines(lines[last-1]+"\n", last)
		if b.Len()+len(line)+1 > maxReadBytes {
			break
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	if b.Len() > 0 {
		return b.String(), last - 1, 0
	}
	line := lines[from-1]
	end := maxReadBytes - 20 // for the number
	for !utf8.RuneStart(line[end]) {
		end--
	}
	return text.NumberLines(line[:end], from), from, len(line) - end
}

// SearchEvidence finds lines of the user's evidence.
func SearchEvidence() Tool {
	return Tool{Run: WithArguments(searchEvidence), Spec: agents.ToolSpec{
		Name: SearchEvidenceName,
		Description: "Search the evidence that the user brought to this debate for a regular expression (RE2). Each line found " +
			"comes with its citation, such as F1:12.",
		Schema: json.RawMessage(`{"type":"object","properties":{` +
			`"pattern":{"type":"string","minLength":1,"maxLength":1000,` +
			`"description":"A regular expression in RE2 syntax; (?i) at its beginning ignores case."},` +
			`"id":{"type":"string","maxLength":20,"description":"Search only the evidence with this id."}},` +
			`"required":["pattern"]}`),
	}}
}

// searchEvidence returns the lines that match.
func searchEvidence(ctx context.Context, tc Context, in struct{ Pattern, ID string }) (Output, error) {
	pattern, err := regexp.Compile(in.Pattern)
	if err != nil {
		return Output{}, fmt.Errorf("the pattern is no regular expression in RE2 syntax: %w", err)
	}
	list, err := tc.evidence()
	if err == nil && in.ID != "" {
		var one Evidence
		one, err = tc.evidenceNamed(in.ID)
		list = []Evidence{one}
	}
	if err != nil {
		return Output{}, err
	}
	hits, more, err := search(ctx, list, pattern)
	if err != nil {
		return Output{}, err
	}
	found := text.Count(len(hits), "line")
	if len(hits) == 0 {
		return Output{Text: "No line of " + names(list) + " matches.", Summary: "no line found"}, nil
	}
	out := found + " found."
	if more {
		out = fmt.Sprintf("The first %s found; there are more. Search with a narrower pattern, or in one id.", found)
		found = "first " + found
	}
	return Output{Text: out + "\n" + tc.Foreign("lines found in the evidence", strings.Join(hits, "\n")), Summary: found + " found"}, nil
}

// Lines are lines of evidence, counted from 1.
type Lines struct {
	ID       string
	From, To int
}

// ShownLines returns the lines of evidence that the result of a call of ReadEvidence or
// SearchEvidence shows whole; nil for other tools.
func ShownLines(name, args, result string) []Lines {
	var out []Lines
	add := func(id, number string) {
		n, err := strconv.Atoi(number)
		last := len(out) - 1
		switch {
		case err != nil:
		case last >= 0 && out[last].ID == id && out[last].To == n-1:
			out[last].To = n
		default:
			out = append(out, Lines{id, n, n})
		}
	}
	switch name {
	case agents.ReadEvidenceName:
		var in struct {
			ID string `json:"id"`
		}
		if json.Unmarshal([]byte(args), &in) != nil { // then it failed
			return nil
		}
		id, _, _ := strings.Cut(evidenceID(in.ID), ":")
		cut := cutLinePattern().FindStringSubmatch(result)
		for _, m := range readLinePattern().FindAllStringSubmatch(result, -1) {
			if cut == nil || cut[1] != m[1] {
				add(id, m[1])
			}
		}
	case SearchEvidenceName:
		for _, m := range hitPattern().FindAllStringSubmatch(result, -1) {
			if !strings.HasPrefix(m[3], "… ") && !strings.HasSuffix(m[3], " …") {
				add(m[1], m[2])
			}
		}
	}
	return out
}

// The lines of results. No line of evidence looks like one, since its number stands before it.
var (
	readLinePattern = text.Regexp(`(?m)^(\d+)\|`)
	cutLinePattern  = text.Regexp(`^Lines \d+ to \d+ of \d+\. The last \d+ bytes of line (\d+) are left out`)
	hitPattern      = text.Regexp(`(?m)^(F\d+):(\d+)\| (.*)$`)
)

func evidenceID(named string) string { return strings.ToUpper(strings.Trim(named, "[] ")) }

func search(ctx context.Context, list []Evidence, pattern *regexp.Regexp) (hits []string, more bool, err error) {
	size := 0
	for _, e := range list {
		for i, line := range e.lines() {
			if i%1000 == 0 && ctx.Err() != nil {
				return nil, false, ctx.Err()
			}
			at := pattern.FindStringIndex(line)
			if at == nil {
				continue
			}
			hit := fmt.Sprintf("%s:%d| %s", e.ID, i+1, text.Around(line, at[0], maxHitLine))
			if size += len(hit); len(hits) == maxHits || size > maxHitBytes {
				return hits, true, nil
			}
			hits = append(hits, hit)
		}
	}
	return hits, false, nil
}

func (c Context) evidence() ([]Evidence, error) {
	if c.from.Evidence != nil {
		if list := c.from.Evidence.Evidence(c.Turn); len(list) > 0 {
			return list, nil
		}
	}
	return nil, fmt.Errorf("the user has brought no evidence to this debate")
}

func (c Context) statement(id string) (Output, error) {
	var ids []string
	if c.from.Statements != nil {
		for _, s := range c.from.Statements.Shortened(c.Turn) {
			if strings.EqualFold(s.ID, id) {
				return Output{Text: s.Block, Summary: s.ID}, nil
			}
			ids = append(ids, s.ID)
		}
	}
	if len(ids) == 0 {
		return Output{}, fmt.Errorf("your prompt has all statements that you may see in full")
	}
	return Output{}, fmt.Errorf("your prompt does not have these statements in full: %s; %q is none of them", strings.Join(ids, ", "),
		abbreviate(id))
}

func (c Context) evidenceNamed(id string) (Evidence, error) {
	list, err := c.evidence()
	if err != nil {
		return Evidence{}, err
	}
	plain := evidenceID(id)
	i := slices.IndexFunc(list, func(e Evidence) bool { return e.ID == plain })
	if i < 0 {
		return Evidence{}, fmt.Errorf("there is no evidence %q; there is: %s", abbreviate(id), names(list))
	}
	return list[i], nil
}

func (e Evidence) lines() []string {
	if e.Text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(e.Text, "\n"), "\n")
}

func (e Evidence) label() string {
	return fmt.Sprintf("[%s] %s, %s, %s, %d bytes", e.ID, text.Clip(text.Line(e.Name), maxEvidenceName), e.Kind,
		text.Count(len(e.lines()), "line"), len(e.Text))
}

const maxEvidenceName = 200

// names returns the ids of evidence, such as "F1, F2", the first of many.
func names(list []Evidence) string {
	const most = 20
	ids := text.Each(list[:min(len(list), most)], func(e Evidence) string { return e.ID })
	out := strings.Join(ids, ", ")
	if len(list) > most {
		out += fmt.Sprintf(" and %d more", len(list)-most)
	}
	return out
}

// Package statement reads what a model wrote: it finds the JSON block of a statement,
// repairs it where it breaks the rules of JSON, reads labels and figures, and separates
// the prose, also while it streams.
//
// It imports values and internal/text. It knows no session, and what a statement means for
// a round is decided in debate.
package statement

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

var statementMembers = []string{
	"position", "confidence", "vote", "low", "high", "citations", "context_used", "reasoning", "ranking", "changed_by", "findings",
	"judgements", "concerns", "replies",
}

// maxQuotedLength is how many characters notes quote of what a model wrote.
const maxQuotedLength = 40

// Parse splits a speaker's text into its prose and its structured part: the
// last JSON object that has readable members of a statement. It may be anywhere, with or
// without fences, and it is repaired where it breaks the rules of JSON. What was repaired
// or could not be read has a note.
func Parse(raw string) debate.Statement { return parse(raw, nil) }

func parse(raw string, shown []string) debate.Statement {
	f := findBlocks(raw, statementMembers)
	f.markShown(shown)
	s := reader{debate.Statement{Body: strings.TrimSpace(string(f.prose))}}
	if n := len(f.blocks); n > 0 {
		i := f.chosen()
		switch {
		case i < n-1 && countNames(f.blocks[n-1].members, statementMembers) == 0:
			s.AddNote("it has %d summaries; the last one could not be read, an earlier one was", n)
		case n > 1:
			s.AddNote("it has %d summaries; number %d was read", n, i+1)
		}
		if note := f.blocks[i].note(); note != "" {
			s.AddNote("%s", note)
		}
		s.ListCut = f.blocks[i].listCut
		s.setFields(f.blocks[i].members)
	}
	return s.Statement
}

type reader struct{ debate.Statement }

func (s *reader) setFields(fields map[string]json.RawMessage) {
	s.Position = s.readText("position", fields["position"])
	if s.Body == "" { // the model put everything into the block
		s.Body = s.readText("reasoning", fields["reasoning"])
	}
	s.Confidence = s.readConfidence(fields["confidence"])
	s.Vote = s.readVote(fields["vote"])
	s.Low, s.High = s.readBound("low", fields["low"]), s.readBound("high", fields["high"])
	s.ChangedBy = readChangedBy(fields["changed_by"])
	s.Citations = s.readList("citations", fields["citations"])
	s.Ranking = s.readList("ranking", fields["ranking"])
	s.Findings = readEach(s, "findings", "title", fields["findings"], maxFindings, s.readFinding)
	s.Judgements = readEach(s, "judgements", "finding", fields["judgements"], maxJudgements, s.readJudgement)
	s.Concerns = readEach(s, "concerns", "title", fields["concerns"], maxConcerns, s.readConcern)
	s.Replies = readEach(s, "replies", "concern", fields["replies"], maxJudgements, s.readReply)
	for _, c := range s.readList("context_used", fields["context_used"]) {
		g, ok := debate.ParseCitationGroup(strings.Trim(c, "[] "))
		switch {
		case !ok:
			s.AddNote("context_used %q is not a question", text.Head(c, maxQuotedLength))
		case len(g.Requests) == 0:
			s.Citations = append(s.Citations, c)
		}
		for _, id := range g.Requests {
			if !slices.Contains(s.ContextUsed, id) {
				s.ContextUsed = append(s.ContextUsed, id)
			}
		}
	}
}

func (s *reader) readText(name string, raw json.RawMessage) string {
	word := strings.TrimSpace(stringOf(raw))
	if word == "" && !isEmpty(raw) {
		s.AddNote("%s is not text", name)
	}
	return word
}

// readChangedBy reads what moved a member: "" for null, which says nothing did, nil if not stated.
func readChangedBy(raw json.RawMessage) *string {
	if len(raw) == 0 {
		return nil
	}
	by := ""
	if list := stringList(raw); len(list) > 0 {
		by = list[0]
	}
	switch strings.ToLower(strings.Trim(by, ". ")) {
	case "null", "none", "nothing", "nobody", "n/a", "-":
		by = ""
	}
	return &by
}

func isEmpty(raw json.RawMessage) bool {
	var word string
	return len(raw) == 0 || string(raw) == "null" || json.Unmarshal(raw, &word) == nil && strings.TrimSpace(word) == ""
}

// maxVote is how many characters of a vote are kept. No vote that can be counted has more.
const maxVote = 80

// readVote reads a vote as it is written: a text, a number, true or false.
func (s *reader) readVote(raw json.RawMessage) string {
	if isEmpty(raw) {
		return ""
	}
	if raw[0] == '{' || raw[0] == '[' {
		s.AddNote("vote is neither a text nor a number")
		return ""
	}
	return text.Head(text.Line(wordOf(raw)), maxVote)
}

func (s *reader) readBound(name string, raw json.RawMessage) *float64 {
	if isEmpty(raw) {
		return nil
	}
	v, ok := finiteNumber(wordOf(raw))
	if !ok {
		s.AddNote("%s %s is not a number", name, text.Head(wordOf(raw), maxQuotedLength))
		return nil
	}
	return &v
}

// readConfidence reads 0 to 1, also as a string; over 10, or with a percent sign, it is a percentage.
func (s *reader) readConfidence(raw json.RawMessage) *float64 {
	if isEmpty(raw) {
		return nil
	}
	word := wordOf(raw)
	number, percent := strings.CutSuffix(word, "%")
	v, ok := finiteNumber(number)
	switch {
	case ok && (percent || v > 10) && v >= 0 && v <= 100:
		if read := strconv.FormatFloat(v, 'g', -1, 64) + "%"; word != read {
			s.AddNote("confidence %s was read as %s", text.Head(word, maxQuotedLength), read)
		}
		v /= 100
	case !ok || percent || v < 0 || v > 1:
		s.AddNote("confidence %s is not a number from 0 to 1", text.Head(word, maxQuotedLength))
		return nil
	}
	return &v
}

// wordOf returns a text without space around it, and other values as JSON.
func wordOf(raw json.RawMessage) string {
	if word := strings.TrimSpace(stringOf(raw)); word != "" {
		return word
	}
	return string(raw)
}

func finiteNumber(word string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

func stringOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func (s *reader) readList(name string, raw json.RawMessage) []string {
	out := stringList(raw)
	if len(out) == 0 && !isEmpty(raw) && string(raw) != "[]" {
		s.AddNote("%s is not a list of texts", name)
	}
	return out
}

func stringList(raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var out []string
	for _, item := range list {
		if !isEmpty(item) && item[0] != '{' && item[0] != '[' {
			out = append(out, wordOf(item))
		}
	}
	return out
}

// ParseTurn returns the statement of a turn from the texts of its completions. Many
// models write their statement, then call a tool, and end with a sentence or nothing. So
// the last text is the statement only if it has at least half the words of the longest
// before it, and the JSON block if any of them has one. Otherwise all of them are. A block
// that repeats what the speaker was shown is a quotation if there is another.
func ParseTurn(texts, shown []string) debate.Statement {
	last := parse(texts[len(texts)-1], shown)
	longest, hasBlock := 0, false
	for _, t := range texts[:len(texts)-1] {
		st := parse(t, shown)
		longest, hasBlock = max(longest, len(strings.Fields(st.Body))), hasBlock || st.HasBlock()
	}
	if 2*len(strings.Fields(last.Body)) >= longest && (last.HasBlock() || !hasBlock) {
		return last
	}
	whole := parse(debate.JoinTexts(texts), shown)
	whole.AllPassages = true
	return whole
}

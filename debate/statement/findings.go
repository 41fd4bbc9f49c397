package statement

import (
	"encoding/json"
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

const maxFindings = 12

const maxConcerns = 5

const (
	maxJudgements   = debate.MaxSeats * maxFindings
	maxFindingTitle = 160 // characters, as are the other two
	maxFindingWhere = 200
	maxFindingText  = 1200
)

// listMembers are the lists of which complete entries are read if the text ends in them.
var listMembers = []string{"findings", "judgements", "concerns", "replies"}

// completeEntries returns a list without its last entry if the text ends in that.
func completeEntries(raw json.RawMessage, inEntry bool) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	if inEntry && len(list) > 0 {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return nil // nothing is known of a list without a complete entry
	}
	out, _ := json.Marshal(list) // it was JSON before
	return out
}

// readEach reads the entries of a list. A single object is a list of one, and a text is an
// object with the given member. Without an entry that can be read the result is nil, unless
// the list is empty; without one that cannot the list is complete.
func readEach[T any](
	s *reader, name, member string, raw json.RawMessage, most int, read func(members map[string]json.RawMessage) (T, bool),
) (out []T) {
	if isEmpty(raw) {
		return nil
	}
	var list []json.RawMessage
	switch err := json.Unmarshal(raw, &list); {
	case err != nil && raw[0] != '{':
		s.AddNote("%s is not a list", name)
		return nil
	case err != nil:
		list = []json.RawMessage{raw}
	case len(list) == 0:
		return []T{}
	}
	if len(list) > most {
		s.AddNote("only %d of %d %s were read", most, len(list), name)
		s.ListCut = true
	}
	for _, one := range list[:min(len(list), most)] {
		m := readMembers(one)
		if m == nil && !isEmpty(one) {
			m = map[string]json.RawMessage{member: one}
		}
		if entry, ok := read(m); ok {
			out = append(out, entry)
		} else {
			s.ListCut = true
		}
	}
	return out
}

func (s *reader) readFinding(m map[string]json.RawMessage) (f debate.Finding, ok bool) {
	f = debate.Finding{
		Title: text.Clip(text.Line(stringOf(m["title"])), maxFindingTitle), Where: readWhere(m["where"]),
		Why: clipText(m["why"]), Fix: clipText(m["fix"]),
	}
	if f.Title == "" {
		s.AddNote("a finding without a title was ignored")
		return f, false
	}
	f.Severity = s.readSeverity(f.Title, m["severity"])
	return f, true
}

func readWhere(raw json.RawMessage) string {
	return text.Clip(text.Line(strings.Join(stringList(raw), ", ")), maxFindingWhere)
}

func clipText(raw json.RawMessage) string {
	return text.Clip(strings.TrimSpace(stringOf(raw)), maxFindingText)
}

// readSeverity reads a severity, also by other words; one not stated is medium, and not passed over.
func (s *reader) readSeverity(title string, raw json.RawMessage) debate.Severity {
	word := strings.ToLower(strings.Trim(wordOf(raw), " .!\""))
	switch word {
	case "high", "medium", "low":
		return debate.Severity(word)
	}
	read := debate.SeverityMedium
	switch word {
	case "critical", "severe", "major", "blocker", "fatal", "error", "important":
		read = debate.SeverityHigh
	case "minor", "trivial", "nit", "info", "informational", "cosmetic", "style", "note":
		read = debate.SeverityLow
	}
	s.AddNote("severity %q of %q was read as %s", text.Head(word, maxQuotedLength), text.Head(title, maxQuotedLength), read)
	return read
}

func (s *reader) readJudgement(m map[string]json.RawMessage) (j debate.Judgement, ok bool) {
	j = debate.Judgement{Finding: findingID(m["finding"]), Why: clipText(m["why"]), SameAs: findingID(m["same_as"])}
	if j.Finding == "" {
		s.AddNote("%s names no finding", text.Join(" of ", "a judgement", text.Head(wordOf(m["finding"]), maxQuotedLength)))
		return j, false
	}
	j.True, j.WorthFixing = s.readOpinion(j.Finding, "true", m["true"]), s.readOpinion(j.Finding, "worth_fixing", m["worth_fixing"])
	return j, true
}

var findingIDPattern = text.Regexp(`^[Hh]?\s*0*([1-9]\d{0,3})$`)

func findingID(raw json.RawMessage) string {
	if isEmpty(raw) {
		return ""
	}
	if m := findingIDPattern().FindStringSubmatch(strings.Trim(wordOf(raw), " []().:*\"'`")); m != nil {
		return "H" + m[1]
	}
	return ""
}

// readOpinion reads yes, no or cannot tell, also as true and false; "" for anything else.
func (s *reader) readOpinion(finding, name string, raw json.RawMessage) debate.Opinion {
	if isEmpty(raw) {
		return ""
	}
	word := wordOf(raw)
	switch strings.ToLower(strings.Trim(word, " .")) {
	case "yes", "true":
		return debate.OpinionYes
	case "no", "false":
		return debate.OpinionNo
	case "cannot tell", "can't tell", "unsure", "unknown", "unclear", "undecided":
		return debate.OpinionUnsure
	}
	s.AddNote("%s of %s is %s, which is not yes, no or cannot tell", name, finding, text.Head(word, maxQuotedLength))
	return ""
}

func (s *reader) readConcern(m map[string]json.RawMessage) (o debate.Objection, ok bool) {
	o = debate.Objection{
		Title: text.Clip(text.Line(stringOf(m["title"])), maxFindingTitle), Where: readWhere(m["where"]),
		Quote: clipText(m["quote"]), Why: clipText(m["why"]), Settles: clipText(m["settles"]),
	}
	if o.Title == "" {
		s.AddNote("a concern without a title was ignored")
	}
	return o, o.Title != ""
}

func (s *reader) readReply(m map[string]json.RawMessage) (r debate.Reply, ok bool) {
	r = debate.Reply{Concern: findingID(m["concern"]), Reason: clipText(m["reason"])}
	switch word := strings.ToLower(strings.Trim(wordOf(m["does"]), " .\"")); word {
	case "accept", "accepts", "accepted":
		r.Does = debate.Accepts
	case "reject", "rejects", "rejected":
		r.Does = debate.Rejects
	case "ask", "asks", "asked":
		r.Does = debate.AsksUser
	}
	if ok = r.Concern != "" && r.Does != debate.NotReplied; !ok {
		s.AddNote("a reply to %s could not be read", text.Head(wordOf(m["concern"]), maxQuotedLength))
	}
	return r, ok
}

package statement

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

	"roundtable/debate"
	"roundtable/internal/text"
)

// MaxFindings is how many findings of one list are read.
const MaxFindings = 12

const (
	maxJudgements   = debate.MaxSeats * MaxFindings
	maxFindingTitle = 160 // characters, as are the other two
	maxFindingWhere = 200
	maxFindingText  = 1200
)

// listMembers are the lists of which complete entries are read if the text ends in them.
var listMembers = []string{"findings", "judgements"}

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

// readEntries returns the objects of a list. A single object is a list of one, and a text
// is an object with the given member. It is nil if there is no list.
func (s *reader) readEntries(name, member string, raw json.RawMessage, most int) []map[string]json.RawMessage {
	if isEmpty(raw) {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		if raw[0] != '{' {
			s.AddNote("%s is not a list", name)
			return nil
		}
		list = []json.RawMessage{raw}
	}
	if len(list) > most {
		s.AddNote("only %d of %d %s were read", most, len(list), name)
		s.ListCut = true
	}
	out := []map[string]json.RawMessage{}
	for _, one := range list[:min(len(list), most)] {
		m := readMembers(one)
		if m == nil && !isEmpty(one) {
			m = map[string]json.RawMessage{member: one}
		}
		out = append(out, m)
	}
	return out
}

// readFindings reads the defects that a member reports. An entry without a title is
// ignored with a note, and the list is then incomplete.
func (s *reader) readFindings(raw json.RawMessage) {
	list := s.readEntries("findings", "title", raw, MaxFindings)
	if list == nil {
		return
	}
	found := []debate.Finding{}
	for _, m := range list {
		f := debate.Finding{
			Title: text.Clip(text.Line(stringOf(m["title"])), maxFindingTitle), Where: readWhere(m["where"]),
			Why: clipText(m["why"]), Fix: clipText(m["fix"]),
		}
		if f.Title == "" {
			s.AddNote("a finding without a title was ignored")
			s.ListCut = true
			continue
		}
		f.Severity = s.readSeverity(f.Title, m["severity"])
		found = append(found, f)
	}
	if len(found) > 0 || len(list) == 0 {
		s.Findings = found
	}
}

// readWhere reads a place, or a list of places.
func readWhere(raw json.RawMessage) string {
	return text.Clip(text.Line(strings.Join(stringList(raw), ", ")), maxFindingWhere)
}

func clipText(raw json.RawMessage) string {
	return text.Clip(strings.TrimSpace(stringOf(raw)), maxFindingText)
}

// readSeverity reads a severity, also by words that others use for it. One that is not
// stated is medium, so that the finding is not passed over.
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

// readJudgements reads what a member says of the findings of others. An entry that names
// no finding is ignored with a note, and the list is then incomplete.
func (s *reader) readJudgements(raw json.RawMessage) {
	list := s.readEntries("judgements", "finding", raw, maxJudgements)
	if list == nil {
		return
	}
	said := []debate.Judgement{}
	for _, m := range list {
		j := debate.Judgement{Finding: findingID(m["finding"]), Why: clipText(m["why"]), SameAs: findingID(m["same_as"])}
		if j.Finding == "" {
			s.AddNote("a judgement of %s names no finding", text.Head(wordOf(m["finding"]), maxQuotedLength))
			s.ListCut = true
			continue
		}
		j.True, j.WorthFixing = s.readOpinion(j.Finding, "true", m["true"]), s.readOpinion(j.Finding, "worth_fixing", m["worth_fixing"])
		said = append(said, j)
	}
	if len(said) > 0 || len(list) == 0 {
		s.Judgements = said
	}
}

var findingIDPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[Hh]?\s*0*([1-9]\d{0,3})$`) })

// findingID reads the id of a finding, "" for anything else.
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
	side, isBool := booleanSide(raw)
	if !isBool {
		side = YesOrNo(word)
	}
	switch bare := BareLabel(word); {
	case side != debate.Undecided:
		return debate.Opinion(side)
	case bare == "true":
		return debate.OpinionYes
	case bare == "false":
		return debate.OpinionNo
	case bare == "canttell" || bare == "cannottell" || bare == "unsure" || bare == "unknown" || bare == "unclear" || IsNeutral(word):
		return debate.OpinionUnsure
	}
	s.AddNote("%s of %s is %s, which is not yes, no or cannot tell", name, finding, text.Head(word, maxQuotedLength))
	return ""
}

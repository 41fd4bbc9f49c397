package statement

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"

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
	_ = json.Unmarshal(raw, &list) // it was JSON before
	if inEntry && len(list) > 0 {
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return nil // nothing is known of a list without a complete entry
	}
	out, _ := json.Marshal(list) // it was JSON before
	return out
}

// entry is one of a list: a finding, a judgement, a concern or a reply.
type entry struct {
	Title, Where, Severity, Why, Fix texts
	Finding, True                    texts
	WorthFixing                      texts `json:"worth_fixing"`
	SameAs                           texts `json:"same_as"`
	Concern, Does, Reason            texts
	Quote, Settles                   texts
}

// readEach reads the entries of a list. A single object is a list of one. Without an entry that
// can be read the result is nil, unless the list is empty; without one that cannot the list is
// complete.
func readEach[T any](s *reader, name string, members map[string]json.RawMessage, most int, read func(entry) (T, bool)) (out []T) {
	raw := members[name]
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	} else if len(list) == 0 {
		return []T{}
	}
	if len(list) > most {
		s.AddNote("only %d of %d %s were read", most, len(list), name)
		s.ListCut = true
	}
	for _, one := range list[:min(len(list), most)] {
		var e entry
		err := json.Unmarshal(one, &e)
		x, ok := read(e)
		if ok = ok && err == nil; ok {
			out = append(out, x)
		} else {
			s.AddNote("%s in its %s could not be read", text.Head(string(one), maxQuotedLength), name)
			s.ListCut = true
		}
	}
	return out
}

func title(t texts) string { return text.Clip(text.Line(t.String()), maxFindingTitle) }

func where(t texts) string { return text.Clip(text.Line(t.String()), maxFindingWhere) }

func words(t texts) string { return text.Clip(t.String(), maxFindingText) }

func plain(t texts) string { return strings.ToLower(strings.Trim(t.String(), " .!")) }

func (s *reader) readFinding(e entry) (debate.Finding, bool) {
	f := debate.Finding{Title: title(e.Title), Where: where(e.Where), Why: words(e.Why), Fix: words(e.Fix)}
	if f.Title != "" {
		f.Severity = s.readSeverity(f.Title, plain(e.Severity))
	}
	return f, f.Title != ""
}

// readSeverity reads a severity, also by other words; one not stated is medium, and not passed over.
func (s *reader) readSeverity(title, word string) debate.Severity {
	read := debate.SeverityMedium
	switch word {
	case "high", "medium", "low":
		return debate.Severity(word)
	case "critical", "severe", "major", "blocker", "fatal", "error", "important":
		read = debate.SeverityHigh
	case "minor", "trivial", "nit", "info", "informational", "cosmetic", "style", "note":
		read = debate.SeverityLow
	}
	s.AddNote("severity %q of %q was read as %s", text.Head(word, maxQuotedLength), text.Head(title, maxQuotedLength), read)
	return read
}

func (s *reader) readJudgement(e entry) (debate.Judgement, bool) {
	j := debate.Judgement{
		Finding: findingID(e.Finding), True: opinion(e.True), WorthFixing: opinion(e.WorthFixing), Why: words(e.Why), SameAs: findingID(e.SameAs),
	}
	return j, j.Finding != ""
}

var findingIDPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[Hh]?\s*0*([1-9]\d{0,3})$`) })

func findingID(t texts) string {
	if m := findingIDPattern().FindStringSubmatch(strings.Trim(t.String(), " []().:*\"'`")); m != nil {
		return "H" + m[1]
	}
	return ""
}

// opinion reads yes, no or cannot tell, also as true and false; "" for anything else.
func opinion(t texts) debate.Opinion {
	switch plain(t) {
	case "yes", "true":
		return debate.OpinionYes
	case "no", "false":
		return debate.OpinionNo
	case "cannot tell", "can't tell", "unsure", "unknown", "unclear", "undecided":
		return debate.OpinionUnsure
	}
	return ""
}

func (s *reader) readConcern(e entry) (debate.Objection, bool) {
	o := debate.Objection{Title: title(e.Title), Where: where(e.Where), Quote: words(e.Quote), Why: words(e.Why), Settles: words(e.Settles)}
	return o, o.Title != ""
}

func (s *reader) readReply(e entry) (debate.Reply, bool) {
	r := debate.Reply{Concern: findingID(e.Concern), Reason: words(e.Reason)}
	switch plain(e.Does) {
	case "accept", "accepts", "accepted":
		r.Does = debate.Accepts
	case "reject", "rejects", "rejected":
		r.Does = debate.Rejects
	case "ask", "asks", "asked":
		r.Does = debate.AsksUser
	}
	return r, r.Concern != "" && r.Does != debate.NotReplied
}

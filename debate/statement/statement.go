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
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

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
// last JSON object that has readable members of a statement, with or without fences. It is
// repaired where it breaks the rules of JSON, and what was repaired or could not be read has a note.
func Parse(raw string) debate.Statement { return parse(raw, nil) }

func parse(raw string, shown []string) debate.Statement {
	f := findBlocks(raw, statementMembers, workFor(raw))
	f.markShown(shown)
	s := reader{debate.Statement{Body: strings.TrimSpace(f.bare().text)}}
	if n := len(f.blocks); n > 0 {
		i := f.chosen()
		if n > 1 {
			s.AddNote("it has %d summaries; number %d was read", n, i+1)
		}
		s.Notes = append(s.Notes, f.blocks[i].notes()...)
		s.ListCut = f.blocks[i].listCut
		s.setMembers(f.blocks[i].members)
	} else if f.broken {
		s.AddNote("its summary could not be read")
	}
	return s.Statement
}

type reader struct{ debate.Statement }

// texts are a text, a number, true or false, or a list of those; what is neither is left out.
type texts []string

// UnmarshalJSON reads any JSON.
func (t *texts) UnmarshalJSON(raw []byte) error {
	*t = nil
	switch raw[0] {
	case '[':
		var list []texts
		err := json.Unmarshal(raw, &list)
		*t = slices.Concat(list...)
		return err
	case '"':
		var word string
		err := json.Unmarshal(raw, &word)
		if word = strings.TrimSpace(word); word != "" {
			*t = texts{word}
		}
		return err
	case '{', 'n': // null
		return nil
	}
	*t = texts{string(raw)}
	return nil
}

func (t texts) String() string { return strings.Join(t, ", ") }

func textsOf(raw json.RawMessage) (t texts) {
	_ = json.Unmarshal(raw, &t) // it was JSON before, and nothing is no text
	return t
}

// maxVote is how many characters of a vote are kept. No vote that can be counted has more.
const maxVote = 80

func (s *reader) setMembers(members map[string]json.RawMessage) {
	of := func(name string) texts { return textsOf(members[name]) }
	s.Position = of("position").String()
	if s.Body == "" { // the model put everything into the block
		s.Body = of("reasoning").String()
	}
	s.Confidence = s.readConfidence(of("confidence").String())
	s.Vote = text.Head(text.Line(of("vote").String()), maxVote)
	s.Low, s.High = s.readBound("low", of("low").String()), s.readBound("high", of("high").String())
	if raw := members["changed_by"]; len(raw) > 0 {
		s.ChangedBy = readChangedBy(textsOf(raw))
	}
	s.Citations, s.Ranking = of("citations"), of("ranking")
	s.Findings = readEach(s, "findings", members, maxFindings, s.readFinding)
	s.Judgements = readEach(s, "judgements", members, maxJudgements, s.readJudgement)
	s.Concerns = readEach(s, "concerns", members, maxConcerns, s.readConcern)
	s.Replies = readEach(s, "replies", members, maxJudgements, s.readReply)
	for _, c := range of("context_used") {
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

// readChangedBy reads what moved a member: "" for null and the like, which say that nothing did.
func readChangedBy(said texts) *string {
	by := ""
	if len(said) > 0 {
		by = said[0]
	}
	switch strings.ToLower(strings.Trim(by, ". ")) {
	case "null", "none", "nothing", "nobody", "n/a", "-":
		by = ""
	}
	return &by
}

func (s *reader) readBound(name, word string) *float64 {
	if word == "" {
		return nil
	}
	v, ok := finiteNumber(word)
	if !ok {
		s.AddNote("%s %s is not a number", name, text.Head(word, maxQuotedLength))
		return nil
	}
	return &v
}

// readConfidence reads 0 to 1, also as a string; over 10, or with a percent sign, it is a percentage.
func (s *reader) readConfidence(word string) *float64 {
	if word == "" {
		return nil
	}
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

func finiteNumber(word string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
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
		Finding: findingID(e.Finding), True: opinion(e.True), WorthFixing: opinion(e.WorthFixing), Why: words(e.Why),
		SameAs: findingID(e.SameAs),
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

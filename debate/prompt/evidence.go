package prompt

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// Evidence is a piece of evidence as the speakers of a round get it.
type Evidence struct {
	debate.Evidence
	Round int // with which it came
}

func evidenceOf(s debate.Session, m debate.Manifest) ([]Evidence, error) {
	var out []Evidence
	for _, r := range s.History[:m.Round] {
		ids := r.Manifest.Evidence // it begins with those of the round before
		for _, id := range ids[min(len(out), len(ids)):] {
			e, ok := cite.FindEvidence(s.Evidence, id)
			if !ok {
				return nil, fmt.Errorf("round %d of session %s rests on %s, which is not there", m.Round, s.ID, id)
			}
			out = append(out, Evidence{e, r.Number})
		}
	}
	return out, nil
}

// Sizes of the excerpts of evidence that is not shown in full, in bytes.
const (
	headSize    = 4 << 10
	tailSize    = 2 << 10
	minHeadSize = 256 // less is not shown at all
	maxListed   = 100 // of what is not shown
)

// reservedShare is the part of the tokens for evidence that is kept for excerpts and
// lists, as its divisor.
const reservedShare = 8

type evidenceRoom struct {
	each     int // bytes of one piece shown in full
	total    int // bytes of all pieces shown in full
	excerpts int // bytes of heads and tails
	tokens   int
	reserve  int // tokens that only excerpts and lists may take
}

// maxTokenSize is more bytes than the tokens of a text have on average. What is larger
// than the room by this measure need not be counted.
const maxTokenSize = 16

// roomForEvidence returns what the prompts of a speaker have for evidence. It depends on
// nothing that changes from round to round. A limit of 0 means no limit.
func roomForEvidence(fit debate.FitOptions, speaker agents.Profile, limit int) evidenceRoom {
	tokens := fit.EvidenceTokens(speaker)
	if limit > 0 {
		tokens = min(tokens, limit)
	}
	each, total := fit.EvidenceCaps()
	return evidenceRoom{each: each, total: total, excerpts: budget.EvidenceExcerpts, tokens: tokens, reserve: tokens / reservedShare}
}

// WithEvidenceLimit returns the snapshot with evidence of at most so many tokens, see
// debate.ContextFit.Evidence.
func (snap Snapshot) WithEvidenceLimit(tokens int) Snapshot {
	if tokens != snap.evidenceLimit {
		snap.evidenceLimit, snap.evidenceParts = tokens, nil
	}
	return snap
}

// withEvidenceFor returns the snapshot with the parts that show its evidence to a
// speaker. What came with a round is chosen without regard to what came later, so that
// it stays the same.
func (snap Snapshot) withEvidenceFor(speaker agents.Profile, f fence) Snapshot {
	if len(snap.Evidence) == 0 || snap.evidenceParts != nil {
		return snap
	}
	room := roomForEvidence(snap.Fit, speaker, snap.evidenceLimit)
	snap.evidenceParts = map[int]debate.Part{}
	introduction := "Evidence that %s brought. " + linesRule + " Cite what you rely on by id and lines in square brackets, " +
		"such as [F1:120-140]."
	for rest := snap.Evidence; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(e Evidence) bool { return e.Round != rest[0].Round })
		if n < 0 {
			n = len(rest)
		}
		snap.evidenceParts[rest[0].Round] = room.part(f, fmt.Sprintf(introduction, bringers(rest[:n]...)), rest[:n])
		introduction = "More evidence of %s, with numbered lines as before."
		rest = rest[n:]
	}
	return snap
}

func (room *evidenceRoom) part(f fence, introduction string, came []Evidence) debate.Part {
	blocks := make([]string, len(came))
	cut := 0
	for i, e := range came {
		blocks[i] = room.full(f, e)
	}
	var listed []string
	for i, e := range came {
		if blocks[i] != "" {
			continue
		}
		cut++
		if blocks[i] = room.excerpt(f, e); blocks[i] == "" {
			listed = append(listed, evidenceLabel(e.Evidence))
		}
	}
	text := introduction
	if cut > 0 {
		text += " Not all of it stands here: read_evidence and search_evidence show the rest where these tools are offered."
	}
	for _, b := range blocks {
		if b != "" {
			text += "\n" + b
		}
	}
	if len(listed) > 0 {
		text += "\n" + room.list(f, "evidence of "+bringers(came...)+" that is not shown here", listed)
	}
	title := fmt.Sprintf("your evidence, sent with round %d", came[0].Round)
	if cut > 0 {
		title += fmt.Sprintf(", %d of %d cut", cut, len(came))
	}
	return debate.Part{Title: title, Text: text}
}

// full returns the block of evidence as it is, "" if it does not fit.
func (room *evidenceRoom) full(f fence, e Evidence) string {
	if e.Size > room.each || e.Size > room.total || e.Size/maxTokenSize > room.tokens {
		return ""
	}
	block := f.block("evidence of "+bringers(e)+": "+evidenceLabel(e.Evidence), text.NumberLines(e.Text, 1))
	tokens, reserve := agents.Tokens(block), room.reserve
	if e.Size <= headSize+tailSize { // an excerpt would take as much
		reserve = 0
	}
	if tokens > room.tokens-reserve {
		return ""
	}
	room.total -= e.Size
	room.tokens -= tokens
	return block
}

// excerpt returns the block with the head and the tail of evidence, "" if not even that
// fits.
func (room *evidenceRoom) excerpt(f fence, e Evidence) string {
	head, tail := headSize, tailSize
	for ; head >= minHeadSize; head, tail = head/2, tail/2 {
		if head+tail > room.excerpts || head+tail >= e.Size || (head+tail)/maxTokenSize > room.tokens {
			continue
		}
		block := f.block("evidence of "+bringers(e)+", cut: "+evidenceLabel(e.Evidence), headAndTail(e.Evidence, head, tail))
		if tokens := agents.Tokens(block); tokens <= room.tokens {
			room.excerpts -= head + tail
			room.tokens -= tokens
			return block
		}
	}
	return ""
}

func (room *evidenceRoom) list(f fence, label string, labels []string) string {
	n := 0
	for n < min(len(labels), maxListed) {
		tokens := agents.Tokens(labels[n]) + 1
		if tokens > room.tokens {
			break
		}
		room.tokens -= tokens
		n++
	}
	lines := slices.Clone(labels[:n])
	if n < len(labels) {
		lines = append(lines, fmt.Sprintf("and %d more", len(labels)-n))
	}
	return f.block(label, strings.Join(lines, "\n"))
}

// bringers names who brought evidence.
func bringers(all ...Evidence) string {
	var names []string
	for _, e := range all {
		name := "the user"
		if e.Author.Kind == ledger.Assistant {
			name = fmt.Sprintf("a program (%s)", programName(e.Author))
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return text.List(names)
}

// evidenceLabel names evidence in a line, such as "[F1] main.go, file, 120 lines, 3100
// bytes".
func evidenceLabel(e debate.Evidence) string {
	label := fmt.Sprintf("[%s] %s, %s, %s, %d bytes", e.ID, text.Clip(text.Line(e.Name), maxNameLength), e.Kind,
		text.Count(e.Lines(), "line"), e.Size)
	if e.Note != "" {
		label += " (" + text.Line(e.Note) + ")"
	}
	return label
}

const linesRule = "Every line begins with its number and a bar, which are not a part of it."

const maxNameLength = 200

// headAndTail returns the first and the last lines of a text that is longer than both,
// with numbers, and says what is left out between them.
func headAndTail(e debate.Evidence, head, tail int) string {
	lines := e.Lines()
	first := e.Text[:head]
	if i := strings.LastIndexByte(first, '\n'); i >= 0 {
		first = first[:i+1]
	} else {
		for !utf8.RuneStart(e.Text[len(first)]) {
			first = first[:len(first)-1]
		}
	}
	shown := strings.Count(first, "\n")
	out := text.NumberLines(first, 1)
	if shown == 0 {
		shown = 1
		end := strings.IndexByte(e.Text, '\n')
		if end < 0 {
			end = len(e.Text)
		}
		out += fmt.Sprintf("\n[%d more bytes of line 1 are left out]", end-len(first))
	}
	last := e.Text[len(e.Text)-tail:]
	_, last, _ = strings.Cut(last, "\n")
	from := lines - debate.Evidence{Text: last}.Lines() + 1
	switch {
	case from-shown == 2:
		out += fmt.Sprintf("\n[line %d of %d is left out]", shown+1, lines)
	case from-shown > 2:
		out += fmt.Sprintf("\n[lines %d to %d of %d are left out]", shown+1, from-1, lines)
	}
	if last != "" {
		out += "\n" + text.NumberLines(last, from)
	}
	return out
}

// withCitedEvidence returns the snapshot with what a chair has of the evidence: the list
// of all of it, and the lines that members cite.
func (snap Snapshot) withCitedEvidence(s debate.Session, chair agents.Profile, f fence) Snapshot {
	if len(snap.Evidence) == 0 {
		return snap
	}
	room := roomForEvidence(snap.Fit, chair, 0)
	labels := make([]string, len(snap.Evidence))
	for i, e := range snap.Evidence {
		labels[i] = evidenceLabel(e.Evidence)
	}
	out := "Evidence that " + bringers(snap.Evidence...) + " brought, and the lines of it that members cite. " + linesRule +
		" Cite it by id and lines in square brackets, such as [F1:120-140], and only lines that stand here.\n" +
		room.list(f, "list of the evidence", labels)
	left := 0
	for _, c := range cite.All(s) {
		if c.Text == "" {
			continue
		}
		label := fmt.Sprintf("lines that members cite: [%s] %s, cited by %s", c.Citation, text.Clip(text.Line(c.Name), maxNameLength),
			strings.Join(snap.names(c.CitedBy), ", "))
		if c.Cut {
			label += ", cut"
		}
		block := f.block(label, text.NumberLines(c.Text, c.Citation.From))
		if tokens := agents.Tokens(block); tokens <= room.tokens && len(c.Text) <= room.total {
			room.tokens -= tokens
			room.total -= len(c.Text)
			out += "\n" + block
		} else {
			left++
		}
	}
	if left > 0 {
		out += fmt.Sprintf("\n[left out, since they do not fit: %s]", text.Count(left, "more citation"))
	}
	snap.evidenceParts = map[int]debate.Part{1: {Title: "your evidence, as members cite it", Text: out}}
	return snap
}

func (snap Snapshot) names(ids []agents.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = snap.PromptName(id)
	}
	return out
}

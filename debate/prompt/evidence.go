package prompt

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
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

const maxListed = 100 // labels of what is not shown

type evidenceRoom struct {
	tokens int
	skip   []string // patterns of the paths in diffs that are left out

	shown []debate.Citation // lines that stand in the parts
}

// maxTokenSize is more bytes than the tokens of a text have on average. What is larger
// than the room by this measure need not be counted.
const maxTokenSize = 16

// roomForEvidence returns what the prompts of a speaker have for evidence. It depends on
// nothing that changes from round to round. A limit of 0 means no limit.
func roomForEvidence(fit debate.FitOptions, speaker agents.Profile, limit int) evidenceRoom {
	tokens := fit.EvidenceLimit(speaker)
	if limit > 0 {
		tokens = min(tokens, limit)
	}
	return evidenceRoom{tokens: tokens, skip: fit.EvidenceSkip}
}

// WithEvidenceLimit returns the snapshot with evidence of at most so many tokens, see
// debate.ContextFit.Evidence.
func (snap Snapshot) WithEvidenceLimit(tokens int) Snapshot {
	if tokens != snap.evidenceLimit {
		snap.evidenceLimit, snap.evidenceParts = tokens, nil
	}
	return snap
}

// WithEvidenceFor returns the snapshot with the parts that show its evidence to a
// speaker. What came with a round is chosen without regard to what came later, so that
// it stays the same.
func (snap Snapshot) WithEvidenceFor(speaker agents.Profile) Snapshot {
	if len(snap.Evidence) == 0 || snap.evidenceParts != nil {
		return snap
	}
	room := roomForEvidence(snap.Fit, speaker, snap.evidenceLimit)
	room.shown = []debate.Citation{}
	snap.evidenceParts = map[int]debate.Part{}
	introduction := "Evidence that %s brought. " + linesRule + " Cite what you rely on by id and lines in square brackets, " +
		"such as [F1:120-140]."
	for rest := snap.Evidence; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(e Evidence) bool { return e.Round != rest[0].Round })
		if n < 0 {
			n = len(rest)
		}
		snap.evidenceParts[rest[0].Round] = room.part(snap.fence, fmt.Sprintf(introduction, bringers(rest[:n]...)), rest[:n])
		introduction = "More evidence of %s, with numbered lines as before."
		rest = rest[n:]
	}
	snap.evidenceShown = room.shown
	return snap
}

// EvidenceShown returns the lines of evidence that stand in the parts of WithEvidenceFor; nil
// without evidence.
func (snap Snapshot) EvidenceShown() []debate.Citation { return snap.evidenceShown }

func (room *evidenceRoom) part(f fence, introduction string, came []Evidence) debate.Part {
	blocks := make([]string, len(came))
	cut := 0
	for i, e := range came {
		if blocks[i] = room.full(f, e); blocks[i] == "" {
			cut++
		}
	}
	var listed []string
	left := cut
	for i, e := range came {
		if blocks[i] != "" {
			continue
		}
		if blocks[i] = room.excerpt(f, e, room.tokens/left); blocks[i] == "" {
			listed = append(listed, evidenceLabel(e.Evidence))
		}
		left--
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

func (room *evidenceRoom) full(f fence, e Evidence) string {
	x := excerptOf(e.Evidence, room.skip)
	if x.size()/maxTokenSize > room.tokens {
		return ""
	}
	return room.take(f, x)
}

// take returns the block of an excerpt, "" if there is not room for it.
func (room *evidenceRoom) take(f fence, x evidenceExcerpt) string {
	block := x.block(f)
	tokens := agents.Tokens(block)
	if tokens > room.tokens {
		return ""
	}
	room.tokens -= tokens
	room.shown = append(room.shown, x.cited()...)
	return block
}

// excerpt returns a block with a part of evidence that takes at most so many tokens, "" if
// there is not room for any: of a diff whole files, then hunks, of other text the beginning
// and the end.
func (room *evidenceRoom) excerpt(f fence, e Evidence, tokens int) string {
	x := excerptOf(e.Evidence, room.skip)
	bare := x
	bare.spans = nil
	tokens -= agents.Tokens(bare.block(f))
	if x.diff != nil {
		x.keepHunks(tokens)
	} else {
		x.keepEnds(tokens)
	}
	if len(x.spans) == 0 {
		return ""
	}
	return room.take(f, x)
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

func bringers(all ...Evidence) string {
	var names []string
	for _, e := range all {
		name := "the user"
		if program := text.Label(e.Author.Assistant()); program != "" {
			name = fmt.Sprintf("a program (%s)", program)
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

// withCitedEvidence returns the snapshot with what a chair has of the evidence: the list
// of all of it, and the lines of it and of the workspace that members cite.
func (snap Snapshot) withCitedEvidence(s debate.Session, chair agents.Profile) Snapshot {
	all := cite.All(s)
	ofFiles := slices.ContainsFunc(all, func(c cite.Cited) bool { return c.SHA256 != "" && c.Text != "" })
	if len(snap.Evidence) == 0 && !ofFiles {
		return snap
	}
	room := roomForEvidence(snap.Fit, chair, 0)
	out := "Lines of the workspace that members cite. " + linesRule +
		" Cite them by path and lines in square brackets, such as [src/main.go:12-40], and only lines that stand here.\n"
	if len(snap.Evidence) > 0 {
		labels := text.Each(snap.Evidence, func(e Evidence) string { return evidenceLabel(e.Evidence) })
		out = "Evidence that " + bringers(snap.Evidence...) + " brought, and the lines of it that members cite. " + linesRule +
			" Cite it by id and lines in square brackets, such as [F1:120-140], and only lines that stand here.\n" +
			room.list(snap.fence, "list of the evidence", labels)
	}
	left := 0
	for _, c := range all {
		if c.Text == "" {
			continue
		}
		label := fmt.Sprintf("lines that members cite: [%s] %s, cited by %s", c.Citation, text.Clip(text.Line(c.Name), maxNameLength),
			strings.Join(snap.names(c.CitedBy), ", "))
		if c.Cut {
			label += ", cut"
		}
		block := snap.fence.block(label, text.NumberLines(c.Text, c.Citation.From))
		if tokens := agents.Tokens(block); tokens <= room.tokens {
			room.tokens -= tokens
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

func (snap Snapshot) names(ids []agents.ID) []string { return text.Each(ids, snap.PromptName) }

// Package report says what a session came to, and writes it as Markdown, JSON or
// one HTML page.
//
// A Report holds all words, figures and tables once; the formats, the text output and the verdict
// screen lay them out and add no wording. Conclusion is the part about the verdict, Receipt the
// same for one request that a model was sent.
//
// It imports debate and the pure rules around it, and must not know where sessions are stored or
// where its output goes. The same session gives the same bytes. All foreign text is made safe
// first. What is incomplete says so, at the top and where something is missing.
package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/prompt"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Format is a file format of exports.
type Format string

// The formats of a whole debate, which are also the extensions of their files.
const (
	Markdown Format = "md"
	JSON     Format = "json"
	HTML     Format = "html"
)

// Formats returns the formats of a whole debate.
func Formats() []Format { return []Format{Markdown, JSON, HTML} }

// AllFormats returns the formats of a whole debate, and those of a part of it.
func AllFormats() []Format { return append(Formats(), SARIF, Comment) }

// Options change how a session is reported.
type Options struct {
	Live    bool          // a program has the session open and may still change it
	Holder  debate.Holder // that program
	Redact  bool          // mask what looks like a key or a password
	Brief   bool          // write Markdown and HTML on one page, with what a reader needs first
	Version string        // of this program, which SARIF names
}

// Report is a session in data, words and tables.
type Report struct {
	Document

	Banner     string      // what the debate came to; begins with "Partial." if there is no verdict
	Conclusion *Conclusion // nil without a verdict and a report of an earlier one

	session debate.Session // made safe
	inBrief bool
	version string
}

// Of returns the report of a session.
func Of(s debate.Session, o Options) Report {
	safe := scrub(withSafeEvidence(s), o.cleaner(s))
	d := documentOf(safe, o)
	d.Redacted = o.Redact
	d.Cited = citedOf(safe)
	for _, e := range safe.Evidence {
		e.Added = e.Added.UTC()
		d.Evidence = append(d.Evidence, Evidence{e, e.Lines(), cite.EvidenceRound(safe, e.ID), e.Text})
	}
	r := Report{Document: d, Banner: d.State.Text, session: safe, inBrief: o.Brief, version: o.Version}
	if safe.Verdict == nil {
		r.Banner = "Partial. " + r.Banner
	}
	if safe.Report() != nil {
		c := Conclude(safe, text.Clean)
		r.Conclusion = &c
	}
	return r
}

// cleaner returns what makes text safe for a file, without fences of prompts and, if asked, secrets.
func (o Options) cleaner(s debate.Session) func(content string) string {
	unfenced := prompt.Unfenced(s.Nonce)
	return func(content string) string {
		cleaned := unfenced(text.Clean(content))
		if o.Redact {
			cleaned = redact(cleaned)
		}
		if cleaned == content { // a copy would double the memory
			return content
		}
		return cleaned
	}
}

// Write writes the report in a format.
func (r Report) Write(w io.Writer, f Format) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	var err error
	switch f {
	case Markdown:
		m := &markdownWriter{Report: r}
		_, err = buffered.WriteString(m.text())
	case JSON:
		err = writeJSON(buffered, r.Document)
	case HTML:
		err = r.writeHTML(buffered)
	case SARIF:
		err = r.writeSARIF(buffered)
	case Comment:
		err = r.writeComment(buffered)
	default:
		return fmt.Errorf("export: there is no format %q", string(f))
	}
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return fmt.Errorf("export debate %s: %w", r.ID, err)
	}
	return nil
}

// FileName returns the usual name of an exported session.
func FileName(id string, f Format) string {
	name := "roundtable-" + strings.TrimSpace(text.Line(id))
	if f == Comment {
		return name + "-" + string(f) + "." + string(Markdown)
	}
	return name + "." + string(f)
}

func documentOf(s debate.Session, o Options) Document {
	spent := append([]debate.Spending{budget.MemberSpending(s)}, s.AuxiliarySpending...)
	d := Document{
		Format: FormatName, Version: Version, ID: s.ID, Title: s.Title, Topic: s.Topic, TopicBy: s.Author,
		Question: s.Question, Unit: s.Unit, Options: s.GivenOptions(), Mode: s.Mode.Name, Summary: s.Mode.Summary,
		Status: s.Status(), Demo: s.Demo(), Rounds: s.Rounds, Created: s.Created.UTC(), Updated: s.Updated.UTC(),
		Stopped: s.Stopped, Budget: s.Budget,
		Agents: panelOf(s), SeatChanges: s.SeatChanges, Chair: s.Chair, Light: s.Light, History: []Round{}, Requests: []Request{},
		Interjections: []Interjection{}, Notices: notices(s, 0), Eval: s.Eval,
		Settlements: s.Settlements,
		Spent:       append(spent, budget.TotalSpending(s)),
	}
	if s.ForkedFrom != "" {
		d.Parent, d.Fork = s.ForkedFrom, &s.ForkRound
		if took := budget.InheritedSpending(s); took.Calls > 0 {
			d.ForkTook = &took
		}
	}
	for _, r := range s.History {
		d.History = append(d.History, roundOf(s, r, o.Live))
	}
	d.Requests = append(d.Requests, text.Each(s.Requests, RequestOf)...)
	for _, i := range s.Interjections {
		i.At = i.At.UTC()
		told := Interjection{i, []int{}}
		for _, r := range s.History {
			if slices.ContainsFunc(r.Manifest.Interjections, func(ref debate.InterjectionRef) bool { return ref.N == i.N }) {
				told.Rounds = append(told.Rounds, r.Number)
			}
		}
		d.Interjections = append(d.Interjections, told)
	}
	for _, f := range s.FollowUps {
		d.FollowUps = append(d.FollowUps, followUpOf(f, o.Live))
	}
	if s.Verdict != nil {
		d.Verdict = VerdictOf(s)
	}
	d.State = d.stateOf(s, o)
	return d
}

// VerdictOf returns what a session comes to as its document has it.
func VerdictOf(s debate.Session) *Verdict {
	c := verdict.Count(s)
	words := verdict.WordsOf(s, c)
	out := &Verdict{
		Headline: words.Line().String(), Counted: c, Findings: verdict.Review(s), Concerns: s.Concerns(), Cautions: []Caution{},
		Spent: budget.TotalSpending(s), After: verdict.SpentAfterFirst(s),
	}
	for _, k := range c.Cautions {
		out.Cautions = append(out.Cautions, cautionOf(k, words.Caution(k)))
	}
	if seat, reason := verdict.PickOf(s, c); seat != "" {
		out.Pick = &debate.Pick{Agent: seat, Reason: reason}
	}
	if s.Verdict != nil {
		out.Report = *s.Verdict
		out.Report.Pick = nil
	}
	return out
}

// AfterRound returns what a session had come to when a round ended, with all text made safe.
func AfterRound(s debate.Session, round int) Verdict {
	s.History, s.Rounds, s.Verdict = s.History[:round], round, nil
	return scrub(*VerdictOf(s), text.Clean)
}

func cautionOf(c debate.Caution, words string) Caution {
	out := Caution{ID: c.ID, Text: words}
	for _, i := range c.Items {
		if i.Seat != "" && !slices.Contains(out.Seats, i.Seat) {
			out.Seats = append(out.Seats, i.Seat)
		}
		if i.Round > 0 && !slices.Contains(out.Rounds, i.Round) {
			out.Rounds = append(out.Rounds, i.Round)
		}
		if i.ID != "" {
			out.IDs = append(out.IDs, i.ID)
		}
	}
	return out
}

func panelOf(s debate.Session) []Seat {
	panel := []Seat{}
	for i, p := range s.Seats {
		role, _ := s.Mode.RoleOf(i+1, len(s.Seats))
		seat := Seat{Seat: i + 1, Profile: p, Role: role.Name}
		if s.Mode.Label != "" {
			seat.Label = s.PromptName(p.ID)
		}
		panel = append(panel, seat)
	}
	return panel
}

func roundOf(s debate.Session, r debate.Round, live bool) Round {
	out := Round{
		Round: r.Number, Snapshot: r.Hash, Focus: r.Manifest.Focus, FocusBy: r.Manifest.FocusAuthor,
		Released: append([]string{}, s.SentWith(r.Number)...), Began: r.Began.UTC(), Ended: optionalTime(r.Ended),
		Responses: []Response{}, Missing: []MissingTurn{}, Notices: notices(s, r.Number),
	}
	for _, step := range s.StepsOf(r) {
		for _, id := range step.Seats {
			if _, begun := r.Newest(step.Index, id); !begun {
				out.Missing = append(out.Missing, MissingTurn{id, step.Index, step.Phase})
			}
		}
	}
	for _, x := range r.Responses {
		out.Responses = append(out.Responses, responseOf(s, x, live))
	}
	return out
}

func responseOf(s debate.Session, x debate.Response, live bool) Response {
	out := Response{
		Turn: turnOf(x, live), Role: x.Role, Phase: x.Phase, Statement: x.Statement, Passages: []Passage{},
		Fitting: x.ContextFit, Snapshot: x.SnapshotHash, Saw: x.SeenResponses, Inherited: x.Inherited,
	}
	if len(s.SeatChanges) > 0 {
		out.Model = s.SpeakerOf(debate.ForMember, x.Turn).Model
	}
	for _, p := range x.Passages {
		one := Passage{Text: p.Text, Reasoning: p.Reasoning, Tools: []Tool{}}
		for _, t := range p.Tools {
			tool := Tool{
				Call: t.ID, Tool: t.Name, Own: t.Own, Arguments: t.Args, State: t.State, Began: optionalTime(t.Began),
				Duration: t.Took.Milliseconds(),
			}
			if t.State == debate.ToolDone {
				tool.Result = &t.Result
			}
			one.Tools = append(one.Tools, tool)
		}
		out.Passages = append(out.Passages, one)
	}
	if x.State == debate.TurnDone {
		out.Side = verdict.SideOf(s, x)
		out.InRole = out.Side != debate.Undecided && verdict.InRole(s, x)
		out.Standing = standing(s, x)
	}
	return out
}

func turnOf(x debate.Response, live bool) Turn {
	if x.State == debate.TurnRunning && !live { // its process has ended
		x.State = debate.TurnInterrupted
	}
	return Turn{
		unnamed(x.Turn), x.State, x.Text(), x.Finish, x.Failure, x.PromptVersion,
		Usage{x.Calls, x.Usage, x.Cost},
		x.Began.UTC(),
		optionalTime(x.Ended),
	}
}

// unnamed returns a turn without its session, which the document names.
func unnamed(t agents.Turn) agents.Turn {
	t.Session = ""
	return t
}

// RequestOf converts a request to its form in a document.
func RequestOf(r ledger.Request) Request {
	out := Request{
		Request: r.ID, Agents: append([]agents.ID{}, r.Askers()...), Query: r.Query, Reason: r.Reason(), Priority: r.Priority,
		State: r.State, Round: r.Round, Asked: r.Asked.UTC(), FollowUpOf: r.FollowUpOf, JoinedTo: r.JoinedTo,
		Asks: []Ask{}, Answers: []Answer{}, Released: []Release{},
	}
	for _, a := range r.Asks {
		out.Asks = append(out.Asks, Ask{unnamed(a.Turn), a.Query, a.Reason, a.Priority, a.Withdrawn, a.At.UTC()})
	}
	for _, a := range r.Answers {
		out.Answers = append(out.Answers, Answer{
			a.Revision, a.Outcome, a.Content, a.Source, a.Author, a.Correction, a.At.UTC(),
		})
	}
	for _, x := range r.Delivered {
		out.Released = append(out.Released, Release(x))
	}
	return out
}

func notices(s debate.Session, round int) []debate.Notice {
	out := []debate.Notice{}
	for _, n := range s.Notices {
		if n.Round == round {
			n.At = n.At.UTC()
			out = append(out, n)
		}
	}
	return out
}

func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC())
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/ledger"
	"roundtable/internal/text"
)

// MaxDocument is the size of the largest JSON export that Read takes, in bytes.
const MaxDocument = 256 << 20

// Modes finds the mode of a document that does not contain it, which documents of
// earlier versions do not.
type Modes func(name string) (debate.Mode, bool)

// Read returns the session that a JSON export is of. What it says is foreign: its texts
// are made safe, it has no workspace, and an export that contradicts itself is refused.
// The error is a sentence that names the place.
func Read(raw []byte, modes Modes) (debate.Session, error) {
	d, err := decode(raw)
	if err != nil {
		return debate.Session{}, err
	}
	exact := make([]exactText, len(d.Evidence))
	for i, e := range d.Evidence {
		exact[i] = e.Content
		d.Evidence[i].Content = ""
	}
	d = scrub(d, text.Sanitize)
	for i := range exact {
		d.Evidence[i].Content = exact[i]
	}
	if err := d.check(); err != nil {
		return debate.Session{}, fmt.Errorf("the export is not consistent: %w", err)
	}
	return d.session(modes)
}

// decode reads the JSON of a document.
func decode(raw []byte) (Document, error) {
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := unmarshal(raw, &head); err != nil {
		return Document{}, err
	}
	switch {
	case head.Format != FormatName:
		return Document{}, fmt.Errorf("this is no JSON export of a debate: its \"format\" is %q, not %q", text.Label(head.Format),
			FormatName)
	case head.Version > Version:
		return Document{}, fmt.Errorf("the export has version %d of %s, and this Roundtable reads up to %d. Update Roundtable",
			head.Version, FormatName, Version)
	case head.Version < 1:
		return Document{}, fmt.Errorf("the export has no version that exists: %d", head.Version)
	}
	var d Document
	return d, unmarshal(raw, &d)
}

// unmarshal decodes one JSON value. Its error has the line and the column.
func unmarshal(raw []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	err := decoder.Decode(v)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		at := decoder.InputOffset()
		if rest := bytes.TrimLeft(raw[at:], " \t\r\n"); len(rest) > 0 {
			return fmt.Errorf("%s: there is more after the end of the JSON", position(raw, int64(len(raw)-len(rest))))
		}
		return nil
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: not valid JSON: %s", position(raw, syntax.Offset-1), text.Line(syntax.Error()))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the JSON ends too early", position(raw, int64(len(raw))))
	case errors.As(err, &wrong):
		return fmt.Errorf("%s: %s is a JSON %s, which it cannot be", position(raw, wrong.Offset-1), text.Label(cmp.Or(wrong.Field, "it")),
			text.Label(wrong.Value))
	}
	return fmt.Errorf("not an export: %s", text.Line(err.Error()))
}

// position returns the line and the column of an offset, from 1.
func position(raw []byte, offset int64) string {
	before := raw[:min(max(offset, 0), int64(len(raw)))]
	line := bytes.Count(before, []byte("\n")) + 1
	return fmt.Sprintf("line %d, column %d", line, len(before)-bytes.LastIndexByte(before, '\n'))
}

// session returns the session of a document that was checked.
func (d Document) session(modes Modes) (debate.Session, error) {
	s := debate.Session{
		ID: d.ID, Title: d.Title, Topic: d.Topic, Question: d.Question, Rounds: d.Rounds, Budget: d.Budget, Stopped: d.Stopped,
		Chair: d.Chair, Light: d.Light, Created: d.Created, Updated: d.Updated, ForkedFrom: d.Parent, Caps: ledger.DefaultCaps,
		Imported: &debate.ImportOrigin{Session: d.ID, Redacted: d.Redacted}, Notices: slices.Clone(d.Notices),
		ForkChanges: d.Changes,
	}
	if d.Fork != nil {
		s.ForkRound = *d.Fork
	}
	for _, p := range d.Agents {
		s.Seats = append(s.Seats, p.Profile)
	}
	if err := d.setMode(&s, modes); err != nil {
		return s, err
	}
	for _, r := range d.Requests {
		s.Requests = append(s.Requests, r.restored(d.ID))
	}
	for _, i := range d.Interjections {
		s.Interjections = append(s.Interjections, i.Interjection)
	}
	for _, r := range d.History {
		s.History = append(s.History, d.round(r))
		s.Notices = append(s.Notices, r.Notices...)
	}
	for _, f := range d.FollowUps {
		s.FollowUps = append(s.FollowUps, f.restored(d.ID))
	}
	for _, spent := range d.Spent {
		if spent.Purpose != "" && spent.Purpose != debate.ForMember && spent.Purpose != debate.ForFollowUp { // those have turns
			s.AuxiliarySpending = append(s.AuxiliarySpending, spent)
		}
	}
	if v := d.Verdict; v != nil {
		verdict := v.Verdict
		verdict.Headline = cmp.Or(verdict.Headline, v.Header)
		s.Verdict = &verdict
	}
	var err error
	s.Evidence, err = d.restoredEvidence()
	return s, err
}

// setMode sets what the session was set up with. Documents of earlier versions name the
// mode only.
func (d Document) setMode(s *debate.Session, modes Modes) error {
	if d.Setup != nil {
		s.Mode, s.Caps, s.EndConditions, s.Fit, s.ConfigHash = d.Setup.Mode, d.Setup.Caps, d.Setup.Endings, d.Setup.Fit, d.Setup.Config
		if s.Mode.Name != d.Mode {
			return fmt.Errorf("the export is not consistent: its mode is %q, and it contains %q", text.Label(d.Mode),
				text.Label(s.Mode.Name))
		}
	} else {
		mode, ok := modes(d.Mode)
		if !ok {
			return fmt.Errorf("the export needs the mode %q, which is not here. An earlier version wrote it, without its mode; "+
				"put %s.toml into the folder modes beside your config", text.Label(d.Mode), text.Label(d.Mode))
		}
		s.Mode = mode
		s.Notices = append(s.Notices, debate.Notice{Code: "import", At: d.Updated, Text: fmt.Sprintf(
			"An earlier version wrote the export, without its mode. The present mode %s is used, so figures can differ.", mode.Name)})
		if len(d.Options) > 0 {
			s.Mode.Options, s.Mode.Given = d.Options, append(slices.Clone(mode.Given), debate.OptionsList)
		}
	}
	if err := errors.Join(s.Mode.CheckSize(len(s.Seats)), s.Mode.Validate()); err != nil {
		return fmt.Errorf("the mode %q of the export is not valid: %s", text.Label(d.Mode), text.Line(err.Error()))
	}
	return nil
}

// round returns a round of a document. The manifest of earlier versions is made of what
// the document says of it.
func (d Document) round(r Round) debate.Round {
	out := debate.Round{Number: r.Round, Hash: r.Snapshot, Began: r.Began, Consensus: r.Consensus}
	if r.Ended != nil {
		out.Ended = *r.Ended
	}
	if r.Manifest != nil {
		out.Manifest = *r.Manifest
	} else {
		out.Manifest = d.manifest(r)
	}
	for _, x := range r.Responses {
		out.Responses = append(out.Responses, d.response(x))
	}
	return out
}

// manifest returns what a round started from, as far as a document of an earlier version
// says it.
func (d Document) manifest(r Round) debate.Manifest {
	m := debate.Manifest{Session: d.ID, Round: r.Round, Rounds: max(d.Rounds, r.Round), Focus: r.Focus}
	for _, p := range d.Agents {
		m.Seats = append(m.Seats, p.ID)
	}
	for _, earlier := range d.History[:r.Round-1] {
		done := debate.Round{}
		for _, x := range earlier.Responses {
			done.Responses = append(done.Responses, d.response(x))
		}
		for _, x := range done.Latest() {
			if x.HasStatement() {
				m.Responses = append(m.Responses, x.ID())
			}
		}
	}
	for _, q := range d.Requests {
		for _, released := range q.Released {
			if released.Round <= r.Round {
				m.Facts = append(m.Facts, debate.FactRef{ID: q.Request, Revision: released.Revision})
			}
		}
	}
	for _, e := range d.Evidence {
		if e.Round > 0 && e.Round <= r.Round {
			m.Evidence = append(m.Evidence, e.ID)
		}
	}
	for _, i := range d.Interjections {
		if slices.Contains(i.Rounds, r.Round) {
			ref := debate.InterjectionRef{N: i.N, Seats: m.Seats}
			if i.Agent != "" {
				ref.Seats = []agents.ID{i.Agent}
			}
			m.Interjections = append(m.Interjections, ref)
		}
	}
	return m
}

// response returns an attempt of a document. One that was running when it was written
// was cut off for everybody else.
func (d Document) response(x Response) debate.Response {
	out := debate.Response{
		Turn:  agents.Turn{Session: d.ID, Round: x.Round, Step: x.Step, Attempt: x.Attempt, Agent: x.Agent},
		State: x.State, Role: x.Role, Phase: x.Phase, Statement: x.Statement, Side: x.Side, Finish: x.Finish, Usage: x.Usage.Usage,
		Cost: x.Usage.Cost, Calls: x.Usage.Requests, Failure: x.Failure, SnapshotHash: x.Snapshot, SeenResponses: x.Saw,
		ContextFit: x.Fitting, PromptVersion: x.Prompts, Inherited: x.Inherited, Began: x.Began,
	}
	if d.Setup == nil { // earlier versions do not say it
		out.Inherited = d.Fork != nil && x.Round <= *d.Fork
	}
	if out.State == debate.TurnRunning {
		out.State = debate.TurnInterrupted
	}
	if x.Ended != nil {
		out.Ended = *x.Ended
	}
	for _, p := range x.Passages {
		passage := debate.Passage{Text: p.Text, Reasoning: p.Reasoning}
		for _, t := range p.Tools {
			passage.Tools = append(passage.Tools, t.restored())
		}
		out.Passages = append(out.Passages, passage)
	}
	return out
}

func (d Document) restoredEvidence() ([]debate.Evidence, error) {
	var out []debate.Evidence
	for _, e := range d.Evidence {
		made := debate.NewEvidence(e.Name, e.Kind, string(e.Content), e.Note)
		if made.SHA256 != e.SHA256 && !d.Redacted {
			return nil, fmt.Errorf("the export is not consistent: the text of %s is not the one that its SHA-256 is of", e.ID)
		}
		made.Added = e.Added
		out = append(out, made)
	}
	all, err := debate.AddEvidence(nil, out)
	if err == nil && len(all) != len(d.Evidence) {
		err = errors.New("the export is not consistent: it has the same evidence twice")
	}
	return all, err
}

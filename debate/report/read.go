package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

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

func (d Document) session(modes Modes) (debate.Session, error) {
	s := debate.Session{
		ID: d.ID, Title: d.Title, Topic: d.Topic, Author: d.TopicBy, Question: d.Question, Rounds: d.Rounds,
		Budget: d.Budget, Stopped: d.Stopped,
		Chair: d.Chair, Light: d.Light, Created: d.Created, Updated: d.Updated, ForkedFrom: d.Parent, Caps: ledger.DefaultCaps,
		Imported: &debate.ImportOrigin{Session: d.ID, Redacted: d.Redacted}, Notices: slices.Clone(d.Notices),
		ForkChanges: d.Changes, SeatChanges: d.SeatChanges, Settlements: d.Settlements,
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

// manifest returns what a document of an earlier version says of the start of a round.
func (d Document) manifest(r Round) debate.Manifest {
	m := debate.Manifest{Session: d.ID, Round: r.Round, Rounds: max(d.Rounds, r.Round), Focus: r.Focus, FocusAuthor: r.FocusBy}
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
		made.Author, made.Added = e.Author, e.Added
		out = append(out, made)
	}
	all, err := debate.AddEvidence(nil, out)
	if err == nil && len(all) != len(d.Evidence) {
		err = errors.New("the export is not consistent: it has the same evidence twice")
	}
	return all, err
}

// restored returns a tool call of a document. One that had not ended never will.
func (t Tool) restored() debate.ToolRecord {
	took := time.Duration(t.Duration) * time.Millisecond
	out := debate.ToolRecord{ID: t.Call, Name: t.Tool, Own: t.Own, Args: t.Arguments, State: t.State, Took: took}
	if t.Result != nil {
		out.Result = *t.Result
	}
	if t.Began != nil {
		out.Began = *t.Began
	}
	return out
}

func (r Request) restored(session string) ledger.Request {
	out := ledger.Request{
		ID: r.Request, Key: ledger.Key(r.Query), Query: r.Query, Round: r.Round, Asked: r.Asked,
		Priority: r.Priority, State: r.State, FollowUpOf: r.FollowUpOf, JoinedTo: r.JoinedTo,
	}
	for _, a := range r.Asks {
		ask := ledger.Ask{
			Turn: agents.Turn{Session: session, Round: a.Round, Step: a.Step, Attempt: a.Attempt, Agent: a.Agent}, Call: a.Call,
			Query: a.Query, Reason: a.Reason, Priority: a.Priority, At: a.At, Withdrawn: a.Withdrawn,
			Reply: ledger.Reply{RequestID: r.Request, Status: ledger.StatusQueued},
		}
		if a.Reply != nil {
			ask.Reply = *a.Reply
		}
		out.Asks = append(out.Asks, ask)
	}
	for _, a := range r.Answers {
		out.Answers = append(out.Answers, ledger.Answer{
			Revision: a.Revision, Outcome: a.Outcome, Content: a.Content, Source: a.Source, Author: a.By,
			Correction: a.Correction, At: a.At,
		})
	}
	for _, x := range r.Released {
		out.Delivered = append(out.Delivered, ledger.Delivery(x))
	}
	return out
}

// Limits of a document, above what the program writes.
const (
	maxPlayed   = 1000 // rounds
	maxAttempts = 10000
	maxPassages = 1000
	maxFigure   = 1e15
)

var (
	earliest = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
)

func (d Document) check() error {
	if err := checkValue(reflect.ValueOf(d)); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(d.Topic) == "":
		return fmt.Errorf("it has no topic")
	case len(d.Agents) < 2 || len(d.Agents) > debate.MaxSeats:
		return fmt.Errorf("it has %s; a debate has 2 to %d", text.Count(len(d.Agents), "seat"), debate.MaxSeats)
	case d.Rounds < 1 || d.Rounds > maxPlayed || len(d.History) > maxPlayed:
		return fmt.Errorf("it has %d rounds planned and %d played; there are 1 to %d", d.Rounds, len(d.History), maxPlayed)
	case !slices.Contains([]debate.QuestionKind{
		debate.QuestionUnset, debate.QuestionYesNo, debate.QuestionChoice, debate.QuestionEstimate, debate.QuestionOpen,
	}, d.Question):
		return fmt.Errorf("there is no kind of question %q", d.Question)
	case !slices.Contains([]debate.StopReason{
		debate.NotStopped, debate.StoppedByUser, debate.StoppedByBudget, debate.EndedByConsensus, debate.EndedByConvergence,
	}, d.Stopped):
		return fmt.Errorf("no debate is stopped by %q", d.Stopped)
	case d.Fork != nil && *d.Fork > len(d.History):
		return fmt.Errorf("it was forked after round %d and has %d", *d.Fork, len(d.History))
	}
	var seats []agents.ID
	for _, p := range d.Agents {
		if p.ID == "" || slices.Contains(seats, p.ID) {
			return fmt.Errorf("two seats have the id %q, or one has none", p.ID)
		}
		seats = append(seats, p.ID)
	}
	for _, c := range d.SeatChanges {
		if !slices.Contains(seats, c.Agent) || c.Was.ID != c.Agent || c.Now.ID != c.Agent || c.Round < 1 || c.Round > len(d.History)+1 {
			return fmt.Errorf("a change of the model of %q in round %d cannot be", c.Agent, c.Round)
		}
	}
	for _, v := range d.Settlements {
		if !slices.Contains([]debate.Result{
			debate.ResultOpen, debate.ResultRight, debate.ResultWrong, debate.ResultMixed, debate.ResultKnown,
		}, v.Result) {
			return fmt.Errorf("no verdict turns out %q", text.Label(string(v.Result)))
		}
	}
	for i, r := range d.History {
		if err := r.check(i+1, seats); err != nil {
			return err
		}
		if r.Ended == nil && i+1 < len(d.History) {
			return fmt.Errorf("round %d has not ended, and another one has begun", r.Round)
		}
	}
	for i, q := range d.Interjections {
		if i > 0 && q.N <= d.Interjections[i-1].N {
			return fmt.Errorf("interjection %d comes twice", q.N)
		}
	}
	return d.checkRequests(seats)
}

// checkValue refuses numbers and times that cannot be stored.
func checkValue(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		if n := v.Int(); n > maxFigure || n < -maxFigure {
			return fmt.Errorf("the number %d is too large", n)
		}
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.Abs(f) > maxFigure {
			return fmt.Errorf("the number %g is too large", f)
		}
	case reflect.Struct:
		if t, ok := v.Interface().(time.Time); ok {
			if !t.IsZero() && (t.Before(earliest) || t.After(latest)) {
				return fmt.Errorf("the time %s is impossible", t.Format(time.RFC3339))
			}
			return nil
		}
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				continue
			}
			if err := checkValue(v.Field(i)); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return checkValue(v.Elem())
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		for i := range v.Len() {
			if err := checkValue(v.Index(i)); err != nil {
				return err
			}
		}
	default: // texts, and maps of counts
	}
	return nil
}

// check refuses a round that is not the n-th, or whose attempts cannot be stored.
func (r Round) check(n int, seats []agents.ID) error {
	if r.Round != n {
		return fmt.Errorf("round %d stands where round %d is due", r.Round, n)
	}
	if m := r.Manifest; m != nil && m.Round != n {
		return fmt.Errorf("the manifest of round %d is of round %d", n, m.Round)
	}
	if m := r.Manifest; m != nil && slices.ContainsFunc(m.Seats, func(id agents.ID) bool { return !slices.Contains(seats, id) }) {
		return fmt.Errorf("the manifest of round %d has a seat that the panel lacks", n)
	}
	seen := map[Turn]bool{}
	for _, x := range r.Responses {
		id := debate.TurnID(agents.Turn{Round: x.Round, Step: x.Step, Attempt: x.Attempt, Agent: x.Agent})
		switch {
		case x.Round != n, x.Step < 0, x.Step > maxAttempts, x.Attempt < 1, x.Attempt > maxAttempts:
			return fmt.Errorf("there can be no turn %s in round %d", id, n)
		case !slices.Contains(seats, x.Agent):
			return fmt.Errorf("%s speaks in round %d and has no seat", x.Agent, n)
		case seen[x.Turn]:
			return fmt.Errorf("the turn %s comes twice", id)
		case !slices.Contains([]debate.TurnState{
			debate.TurnRunning, debate.TurnDone, debate.TurnFailed, debate.TurnCancelled, debate.TurnInterrupted,
		}, x.State):
			return fmt.Errorf("the turn %s has the state %q, which does not exist", id, x.State)
		case len(x.Passages) > maxPassages:
			return fmt.Errorf("the turn %s has more than %d passages", id, maxPassages)
		case x.Usage.Requests < 0 || x.Usage.Input < 0 || x.Usage.Output < 0 || x.Usage.Cached < 0 || x.Usage.Reasoning < 0 ||
			x.Usage.Cost != nil && *x.Usage.Cost < 0:
			return fmt.Errorf("the turn %s took less than nothing", id)
		}
		seen[x.Turn] = true
		calls := map[string]bool{}
		for _, p := range x.Passages {
			for _, t := range p.Tools {
				if t.Call == "" || calls[t.Call] || t.Duration < 0 || t.Duration > int64(maxFigure/1e6) {
					return fmt.Errorf("the tool call %q of %s cannot be stored", t.Call, id)
				}
				calls[t.Call] = true
			}
		}
	}
	return nil
}

func requestID() *regexp.Regexp { return regexp.MustCompile(`^C[1-9][0-9]{0,8}$`) }

// checkRequests refuses requests that no turn can have made.
func (d Document) checkRequests(seats []agents.ID) error {
	seen, id := map[string]bool{}, requestID()
	for _, r := range d.Requests {
		switch {
		case !id.MatchString(r.Request) || seen[r.Request]:
			return fmt.Errorf("the question %q comes twice, or is none", r.Request)
		case r.Priority != ledger.Required && r.Priority != ledger.Optional:
			return fmt.Errorf("%s has the priority %q, which does not exist", r.Request, r.Priority)
		case !slices.Contains([]ledger.State{ledger.Pending, ledger.Resolved, ledger.Released, ledger.Withdrawn, ledger.Expired}, r.State):
			return fmt.Errorf("%s has the state %q, which does not exist", r.Request, r.State)
		case (r.State == ledger.Resolved || r.State == ledger.Released) && len(r.Answers) == 0:
			return fmt.Errorf("%s is answered and has no answer", r.Request)
		case r.State == ledger.Released && len(r.Released) == 0:
			return fmt.Errorf("%s was sent with no round", r.Request)
		}
		seen[r.Request] = true
		for _, a := range r.Asks {
			if !slices.Contains(seats, a.Agent) {
				return fmt.Errorf("%s asks %s and has no seat", a.Agent, r.Request)
			}
		}
		for i, a := range r.Answers {
			if a.Revision < 1 || i > 0 && a.Revision <= r.Answers[i-1].Revision {
				return fmt.Errorf("answer %d of %s comes twice", a.Revision, r.Request)
			}
		}
		for _, x := range r.Released {
			if !slices.ContainsFunc(r.Answers, func(a Answer) bool { return a.Revision == x.Revision }) {
				return fmt.Errorf("answer %d of %s was sent and is missing", x.Revision, r.Request)
			}
		}
	}
	return nil
}

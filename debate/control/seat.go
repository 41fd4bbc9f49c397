package control

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/debate/ledger"
	"roundtable/debate/verdict"
	"roundtable/internal/text"
)

// Seat is what one seat of the session has said and done, as blocks in order, and what it does
// now. Its controller keeps it up to date.
type Seat struct {
	plan     *Plan
	id       agents.ID
	silence  Silence
	attempts []*Attempt // by round, step and number
	live     *live      // nil: none of its turns runs
	running  bool       // a round runs, whose events say how turns go
	blocks   []*Block
	listed   bool // blocks has all of them

	version int // of the whole
	related int // of blocks that show something of other blocks or of requests
}

// BlockKind is what a block shows.
type BlockKind uint8

// The kinds of blocks, in the order in which an attempt has them.
const (
	BlockHeading BlockKind = iota // begins a turn
	BlockDivider                  // begins another attempt of the turn
	BlockReasoning
	BlockTool
	BlockPosition
	BlockText
	BlockSide   // says that the vote has changed
	BlockEnding // says how the turn ended, or what it waits for
)

// BlockID names a block. It stays the same when the transcript is read again.
type BlockID struct {
	Kind    BlockKind
	Turn    agents.Turn // with attempt 0 of a heading and an ending
	Passage int
	Call    string // of a tool call
}

// Tone says what a text means for the debate.
type Tone uint8

const (
	ToneStatement Tone = iota // the statement as others will see it, or its beginning
	ToneWorking               // text before a tool call, which only the user sees
	ToneDiscarded             // text of an unused attempt, which only the user sees
)

// Block is a piece of the transcript.
type Block struct {
	BlockID
	Attempt *Attempt // that it belongs to; of a heading and an ending the latest of the turn
	Words   Passage
	Tone    Tone
	Note    string // why the text was not used; "" if it was
	Tool    Tool
	version int
}

// Tool is a call of a tool.
type Tool struct {
	debate.ToolRecord
	Limit   time.Duration // of a command that runs; 0: none of its own
	Waiting bool          // for the user's decision on a command
}

// Attempt is one run of a turn. Of one that runs, the response has only its turn, its role and
// when it began.
type Attempt struct {
	debate.Response
	Warning string // a sentence on how the answer ended, made safe; "": it ended well
	Notes   string // what of the statement was repaired, ignored or missing, made safe

	blocks                   []*Block // without those that follow
	heading, divider, ending *Block
}

type live struct {
	*Attempt
	answering bool // the model has begun to answer
	asked     time.Time
	heard     time.Time // the last sign of life
	budget    bool      // it is not asked until other calls release budget
	starting  string    // the program that has to be ready first, made safe
	whole     bool      // the answer comes all at once
	retry     *debate.TurnRetrying
	tools     int             // that run
	waits     map[string]bool // commands that wait for the user, by their calls
	tokens    tokens
	since     time.Time // of the first piece after it was asked, and
	before    int       // how many tokens had come with it
}

// Seat returns the view of a seat of the session.
func (c *Controller) Seat(id agents.ID) *Seat {
	for _, s := range c.seats {
		if s.id == id {
			return s
		}
	}
	s := &Seat{plan: &c.Plan, id: id, silence: Silence{First: 2 * time.Minute, Between: 30 * time.Second}}
	s.load()
	c.seats = append(c.seats, s)
	return s
}

func (c *Controller) showSession() {
	for _, s := range c.seats {
		s.load()
	}
}

// Profile returns the agent in the seat.
func (s *Seat) Profile() agents.Profile {
	p, _ := s.plan.session.Seat(s.id)
	return p
}

// Due reports whether the seat is asked in the newest round without the user.
func (s *Seat) Due() bool {
	_, due := s.plan.session.OpenTurn(s.id, agents.Turn{})
	return due
}

// NextModel returns the model that the seat has from the next round on; "" if it is the same.
func (s *Seat) NextModel() string {
	now := s.Profile()
	if next, _ := s.plan.session.Upcoming().Seat(s.id); next.Model != now.Model || next.Provider != now.Provider {
		return next.ModelName()
	}
	return ""
}

// Version changes with everything that the view shows.
func (s *Seat) Version() int { return s.version }

// VersionOf changes with what a block shows.
func (s *Seat) VersionOf(b *Block) int {
	if b.Kind == BlockReasoning || b.Kind == BlockPosition || b.Kind == BlockText {
		return b.version
	}
	return b.version + s.related
}

// touch notes a change of more than a text.
func (s *Seat) touch() {
	s.version++
	s.related++
	s.listed = false
}

// Blocks returns the transcript from its beginning. The slice is not changed.
func (s *Seat) Blocks() []*Block {
	if s.listed {
		return s.blocks
	}
	s.listed, s.blocks = true, nil
	var heading *Block
	for i, a := range s.attempts {
		if i == 0 || !debate.SameTurn(a.Turn, s.attempts[i-1].Turn) {
			heading = a.heading
			s.blocks = append(s.blocks, heading)
		} else {
			s.blocks = append(s.blocks, a.divider)
		}
		s.blocks = append(s.blocks, a.blocks...)
		if i+1 == len(s.attempts) || !debate.SameTurn(a.Turn, s.attempts[i+1].Turn) {
			heading.Attempt = a
			s.blocks = append(s.blocks, a.ending)
		}
	}
	return s.blocks
}

// Latest returns the attempt that runs, else the last one; nil without one.
func (s *Seat) Latest() *Attempt {
	if s.live != nil {
		return s.live.Attempt
	}
	if len(s.attempts) == 0 {
		return nil
	}
	return s.attempts[len(s.attempts)-1]
}

// IsLatest reports whether an attempt is the seat's last one, in the newest round that asks it.
func (s *Seat) IsLatest(a *Attempt) bool { return a == s.Latest() && a.Turn.Round >= s.round() }

// round returns the newest round that asks the seat; 0 before there is one.
func (s *Seat) round() int {
	for _, r := range slices.Backward(s.plan.session.History) {
		asks := func(step debate.Step) bool { return slices.Contains(step.Seats, s.id) }
		if slices.ContainsFunc(s.plan.session.StepsOf(r), asks) {
			return r.Number
		}
	}
	return 0
}

// LiveTurn returns the turn that runs or waits to run again; it is false if none does.
func (s *Seat) LiveTurn() (agents.Turn, bool) {
	if s.live == nil {
		return agents.Turn{}, false
	}
	return s.live.Turn, true
}

// Progress estimates how many tokens have come in the turn that runs, and how many come in a second
// since the model began to answer: 0 if that is not known, or nothing has come for 2 seconds.
func (s *Seat) Progress(now time.Time) (tokens, speed int) {
	l := s.live
	if l == nil {
		return 0, 0
	}
	tokens = l.tokens.count()
	if took := l.heard.Sub(l.since); l.answering && now.Sub(l.heard) < 2*time.Second && took >= time.Second/2 {
		speed = int(float64(tokens-l.before)/took.Seconds() + 0.5)
	}
	return tokens, speed
}

// HasText reports whether the attempt has said anything.
func (a *Attempt) HasText() bool {
	return slices.ContainsFunc(a.blocks, func(b *Block) bool { return b.Kind == BlockText && !b.Words.Blank() })
}

// Said is something that the seat was told with a round, made safe.
type Said struct{ Label, Text string }

// Told returns what the seat was told with a round: the focus question, messages, and that it
// has another model.
func (s *Seat) Told(round int) []Said {
	d := s.plan.session
	if round < 1 || round > len(d.History) {
		return nil
	}
	var out []Said
	m := d.History[round-1].Manifest
	if focus := text.Line(m.Focus); focus != "" {
		out = append(out, Said{"Focus" + m.FocusAuthor.Aside(), focus})
	}
	for _, n := range m.Interjections {
		i := slices.IndexFunc(d.Interjections, func(i debate.Interjection) bool { return i.N == n.N })
		if i < 0 || !slices.Contains(n.Seats, s.id) {
			continue
		}
		message, to := d.Interjections[i], "all"
		if message.Agent != "" {
			to = text.Line(s.Profile().Name)
		}
		out = append(out, Said{"To " + to + message.Author.Aside(), text.Line(message.Text)})
	}
	if c, changed := d.ChangedModel(s.id, round-1, round); changed {
		out = append(out, Said{"Model", text.Line(c.String())})
	}
	return out
}

// Asking is a question to the user, as one call of the seat asked it.
type Asking struct {
	ledger.Request
	ledger.Ask
	Before []string // the names of who had asked the same
	Again  bool     // the turn had asked it already
}

// Asking returns the question that a call asked; it is false if it asked none.
func (s *Seat) Asking(call string) (a Asking, ok bool) {
	for _, r := range s.plan.session.Requests {
		var before []string
		for _, one := range r.Asks {
			if one.Call == call {
				return Asking{r, one, before, r.Rejoined(call)}, true
			}
			before = append(before, s.plan.session.NameOf(one.Turn.Agent))
		}
	}
	return a, false
}

// Awaits returns the required requests that the seat has asked and not withdrawn.
func (s *Seat) Awaits() []ledger.Request {
	own := func(a ledger.Ask) bool { return a.Turn.Agent == s.id && !a.Withdrawn }
	return slices.DeleteFunc(slices.Clone(s.plan.session.Requests), func(r ledger.Request) bool {
		return !r.Blocks() || !slices.ContainsFunc(r.Asks, own)
	})
}

// TakesAnswers reports whether what the seat awaits can be answered here.
func (s *Seat) TakesAnswers() bool { return s.plan.WhyNot(Answer) == nil }

// Standing says which side the statement of an attempt takes, made safe.
func (s *Seat) Standing(a *Attempt) string {
	return text.Line(verdict.Standing(s.plan.session, a.Response))
}

// Change returns how the seat votes after an attempt, if that is its last one in the round, with
// who changed it by name, and its readable vote before it; it is false if the vote has not changed.
func (s *Seat) Change(a *Attempt) (before, now debate.SeatVote, changed bool) {
	at := slices.Index(s.attempts, a)
	if at < 0 || at+1 < len(s.attempts) && s.attempts[at+1].Turn.Round == a.Turn.Round {
		return before, now, false
	}
	for _, v := range s.plan.counted.Votes {
		switch {
		case v.Seat != s.id:
		case v.Round == a.Turn.Round:
			if v.By != "" && v.By != "?" {
				v.By = s.plan.session.NameOf(agents.ID(v.By))
			}
			return before, v, v.Arrow != ""
		case v.State == debate.VoteRead || v.State == debate.VoteUndecided:
			before = v
		}
	}
	return before, now, false
}

// load shows the stored turns. An attempt that is live after the round came to nothing, and is replaced.
func (s *Seat) load() {
	s.touch()
	if s.running {
		return
	}
	if s.live != nil {
		s.attempts = slices.DeleteFunc(s.attempts, func(a *Attempt) bool { return a == s.live.Attempt })
		s.live = nil
	}
	for _, round := range s.plan.session.History {
		for _, r := range round.AttemptsOf(s.id) {
			s.store(r)
		}
	}
}

func (s *Seat) begin(t agents.Turn, role string, at time.Time) *Attempt {
	a := &Attempt{Response: debate.Response{Turn: t, State: debate.TurnRunning, Role: role, Began: at}}
	turn := debate.WithoutAttempt(t)
	a.heading = &Block{BlockID: BlockID{Kind: BlockHeading, Turn: turn}, Attempt: a}
	a.divider = &Block{BlockID: BlockID{Kind: BlockDivider, Turn: t}, Attempt: a}
	a.ending = &Block{BlockID: BlockID{Kind: BlockEnding, Turn: turn}, Attempt: a}
	s.attempts = slices.DeleteFunc(s.attempts, func(b *Attempt) bool { return b.Turn == t })
	for _, b := range s.attempts {
		if debate.SameTurn(b.Turn, t) && b.Turn.Attempt == t.Attempt-1 {
			b.discard()
		}
	}
	s.attempts = append(s.attempts, a)
	slices.SortStableFunc(s.attempts, func(a, b *Attempt) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.Turn.Attempt-b.Turn.Attempt)
	})
	return a
}

func (a *Attempt) discard() {
	note := fmt.Sprintf("Kept from attempt %d, not used:", a.Turn.Attempt)
	for _, b := range a.blocks {
		if b.Kind == BlockText {
			b.Tone, b.Note, note = ToneDiscarded, note, ""
			b.version++
		}
	}
}

// store shows an attempt as it is stored. One that is shown already keeps its blocks, and takes
// the texts of its calls from the stored one, so that they are in memory once.
func (s *Seat) store(r debate.Response) {
	if r.State == debate.TurnRunning && !s.plan.Elsewhere { // it belonged to a process that is gone
		r.State = debate.TurnInterrupted
	}
	var a *Attempt
	if i := slices.IndexFunc(s.attempts, func(a *Attempt) bool { return a.Turn == r.Turn }); i >= 0 {
		a = s.attempts[i]
	} else {
		a = s.begin(r.Turn, r.Role, r.Began)
	}
	shown := a.State == r.State && a.Ended.Equal(r.Ended)
	a.Response = r
	if !shown {
		a.judge(s.plan.session)
		a.lay()
		return
	}
	for _, passage := range r.Passages {
		for _, stored := range passage.Tools {
			if b := a.find(BlockTool, 0, stored.ID); b != nil {
				b.Tool.ToolRecord = stored
			}
		}
	}
}

func (a *Attempt) judge(d debate.Session) {
	a.Warning, a.Notes = "", ""
	if a.State != debate.TurnDone {
		return
	}
	a.Warning = text.Line(a.Finish.Note())
	notes := slices.Clone(a.Statement.Notes)
	for _, c := range cite.StatementWrong(d, a.Response) {
		notes = append(notes, fmt.Sprintf("[%s] names nothing: %s", c.Citation, strings.TrimSuffix(c.Why(), ".")))
	}
	requests, _ := cite.Sources(a.Statement)
	var wrong []string
	for _, id := range requests {
		if _, ok := d.Request(id); !ok && !slices.Contains(wrong, id) {
			wrong = append(wrong, id)
		}
	}
	if wrong != nil {
		notes = append(notes, fmt.Sprintf("[%s] names nothing", strings.Join(wrong, ", ")))
	}
	a.Notes = text.Clip(text.Line(strings.Join(notes, "; ")), maxLine)
}

const maxLine = 1000

// lay makes the blocks of a stored response.
func (a *Attempt) lay() {
	spoke := false
	a.blocks = nil
	for i, passage := range a.Passages {
		if passage.Reasoning != "" {
			b := a.add(BlockReasoning, i, "")
			b.Words.whole, b.Tone = strings.TrimSpace(text.Sanitize(passage.Reasoning)), ToneWorking
		}
		last := i == len(a.Passages)-1 && len(passage.Tools) == 0
		if last || a.State != debate.TurnDone || !a.Statement.AllPassages {
			a.addText(i, passage.Text, last)
			spoke = spoke || last
		}
		for _, t := range passage.Tools {
			a.call(t)
		}
	}
	if a.State != debate.TurnDone {
		return
	}
	if !spoke { // it ended with tool calls
		a.addText(len(a.Passages), "", true)
	}
	a.add(BlockSide, 0, "")
}

// addText adds the text of a passage; the last one of a turn that is done is its statement.
func (a *Attempt) addText(passage int, words string, last bool) {
	tone := ToneWorking
	if last {
		tone = ToneDiscarded
	}
	if last && a.State == debate.TurnDone {
		tone, words = ToneStatement, a.Statement.Words()
		position := text.Line(a.Statement.Position)
		if position == "" && words == "" { // a structured part without words
			position = text.Line(a.Statement.Vote)
		}
		if position != "" {
			a.add(BlockPosition, 0, "").Words.whole = position
		}
	}
	w := storedWords(words, tone)
	if w != "" {
		b := a.add(BlockText, passage, "")
		b.Words.whole, b.Tone = w, tone
	}
}

func (a *Attempt) add(kind BlockKind, passage int, call string) *Block {
	b := &Block{BlockID: BlockID{Kind: kind, Turn: a.Turn, Passage: passage, Call: call}, Attempt: a}
	a.blocks = append(a.blocks, b)
	return b
}

func (a *Attempt) find(kind BlockKind, passage int, call string) *Block {
	for _, b := range slices.Backward(a.blocks) {
		if b.Kind == kind && b.Passage == passage && b.Call == call {
			return b
		}
	}
	return nil
}

// Empty reports whether nothing of the attempt has come.
func (a *Attempt) Empty() bool { return len(a.blocks) == 0 }

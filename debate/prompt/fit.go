package prompt

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/budget"
	"roundtable/internal/text"
)

// A Fitter shortens or omits statements so that a prompt fits its model's window.
type Fitter struct {
	snap    Snapshot
	build   func(Snapshot) Prompt
	speaker agents.ID
	recent  int              // statements from this round on are shortened after older ones
	limit   int              // in tokens, for the prompt with its tools
	goal    int              // what a prompt over the limit is shortened to, so that the next rounds fit too
	tools   int              // tokens of the tool definitions
	before  []debate.Excerpt // in the speaker's last prompt, which is the beginning of this one
}

const goalPercent = 70

// MemberFitter returns the Fitter of a member's prompt in a step. Tools is the
// number of tokens that its tool definitions take.
func MemberFitter(s debate.Session, snap Snapshot, step debate.Step, who agents.Profile, tools int) Fitter {
	limit, before := budget.PromptLimit(s, who, snap.Round), fitBefore(s, snap.Round, step.Index, who.ID)
	snap = snap.VisibleTo(step, who.ID).WithEvidenceLimit(before.Evidence).WithEvidenceFor(who)
	return Fitter{
		snap: snap, speaker: who.ID, recent: snap.Round - 1,
		build: func(snapshot Snapshot) Prompt { return Member(snapshot.Mode, snapshot, step, who) },
		limit: limit, goal: limit * goalPercent / 100, tools: tools, before: before.Excerpts,
	}
}

func fitBefore(s debate.Session, round, step int, speaker agents.ID) (fit debate.ContextFit) {
	for _, r := range s.History[:min(round, len(s.History))] { // a forecast asks before the round begins
		for _, x := range r.AttemptsOf(speaker) {
			if x.ContextFit != nil && (r.Number < round || x.Turn.Step < step) {
				fit = *x.ContextFit
			}
		}
	}
	return fit
}

// Speaker returns who is sent the prompt.
func (f Fitter) Speaker() agents.ID { return f.speaker }

// Smaller returns the Fitter with a lower limit than what the server refused as too
// long. Refused is how the prompt was fitted then, nil if nothing was shortened.
func (f Fitter) Smaller(s debate.Session, refused *debate.ContextFit) Fitter {
	var excerpts []debate.Excerpt
	if refused != nil {
		excerpts = refused.Excerpts
		f.snap = f.snap.WithEvidenceLimit(refused.Evidence)
	}
	f.limit = min(f.limit, f.tokens(excerpts, summariesByKey(s))) * goalPercent / 100
	f.goal = f.limit
	if len(f.snap.Evidence) > 0 {
		f.snap = f.snap.WithEvidenceLimit(f.limit / 3)
	}
	return f
}

func (f Fitter) tokens(excerpts []debate.Excerpt, summaries map[string]debate.StatementSummary) int {
	return f.tools + agents.Request{Messages: f.build(f.snap.withExcerpts(excerpts, summaries)).Messages()}.Tokens()
}

// Fit chooses full, summarized or omitted for each statement so that the prompt fits. It
// begins with what the speaker's last prompt had. If that is too long, old rounds are
// shortened first, then recent ones, then the speaker's own last statement; answers of the
// user are never shortened. It uses the summaries of the session. If wanted is not empty,
// summaries of these statements have to be tried before Fit is called again; tried reports
// whether that of a response was. If it is nil, no other is made.
func (f Fitter) Fit(s debate.Session, tried func(response string) bool) (fit debate.ContextFit, wanted []debate.Response) {
	summaries := summariesByKey(s)
	items := make([]*fitItem, len(f.snap.Earlier))
	for i, x := range f.snap.Earlier {
		items[i] = newFitItem(s, x, tried)
		items[i].startFrom(f.before, summaries)
	}
	fit = f.contextFit(items, summaries)
	if !fit.Overflows() {
		return fit, nil
	}
	rest := fit.Tokens // of the prompt without statements
	for _, it := range items {
		it.estimate(f, summaries)
		rest -= it.tokens[it.level]
	}
	reductions := f.reductions(items)
	for less, more := 0, true; more && fit.Overflows(); less += max(fit.Tokens-fit.Limit, fit.Limit/100) {
		more = reduce(items, reductions, f.limit-rest-less)
		for _, it := range items {
			if it.level == levelSummary && it.pending {
				wanted = append(wanted, it.response)
			}
		}
		if len(wanted) > 0 {
			return fit, wanted
		}
		fit = f.contextFit(items, summaries)
	}
	return fit, nil
}

func (f Fitter) contextFit(items []*fitItem, summaries map[string]debate.StatementSummary) debate.ContextFit {
	fit := debate.ContextFit{Limit: f.limit, Evidence: f.snap.evidenceLimit}
	for _, it := range items {
		if e := it.excerpts[it.level]; e != nil {
			fit.Excerpts = append(fit.Excerpts, *e)
		}
	}
	fit.Tokens = f.tokens(fit.Excerpts, summaries)
	return fit
}

type reduction struct {
	items []*fitItem
	level detailLevel
	free  int // tokens below the limit that it may leave; it is needed if fewer are free
	more  int // tokens below the limit to aim for once it is needed
}

// reductions returns how a prompt is shortened, in the order in which that is done. What
// the speaker needs most is shortened no further than necessary.
func (f Fitter) reductions(items []*fitItem) []reduction {
	var old, recent, own []*fitItem
	last := -1
	for i, it := range items {
		if it.response.Turn.Agent == f.speaker {
			last = i
		}
	}
	for i, it := range items {
		switch {
		case i == last:
			own = append(own, it)
		case it.response.Turn.Round >= f.recent:
			recent = append(recent, it)
		default:
			old = append(old, it)
		}
	}
	more, again := f.limit-f.goal, 0
	if len(f.before) > 0 { // summaries alone did not last
		again = more / 2
	}
	return []reduction{
		{old, levelSummary, 0, more},
		{old, levelOmitted, again, more},
		{recent, levelSummary, 0, more},
		{recent, levelOmitted, 0, 0},
		{own, levelSummary, 0, 0},
		{own, levelOmitted, 0, 0},
	}
}

// reduce lowers items from where they start until they take no more than most; it returns
// false if even all reductions do not suffice.
func reduce(items []*fitItem, reductions []reduction, most int) bool {
	total := 0
	for _, it := range items {
		it.level = it.start
		total += it.tokens[it.level]
	}
	for _, r := range reductions {
		if total <= most-r.free {
			continue
		}
		for _, it := range r.items {
			if total <= most-r.more {
				break
			}
			if it.level < r.level {
				total -= it.tokens[it.level] - it.tokens[r.level]
				it.level = r.level
			}
		}
	}
	return total <= most
}

type detailLevel int

const (
	levelFull detailLevel = iota
	levelSummary
	levelOmitted
	levelCount
)

type fitItem struct {
	response debate.Response
	excerpts [levelCount]*debate.Excerpt // nil: the statement as it is
	tokens   [levelCount]int
	pending  bool // a summary may still be made
	start    detailLevel
	level    detailLevel
}

// startFrom lowers an item to the excerpt that the speaker's last prompt had of it, unless
// that was a summary which the session does not have.
func (it *fitItem) startFrom(before []debate.Excerpt, summaries map[string]debate.StatementSummary) {
	i := slices.IndexFunc(before, func(e debate.Excerpt) bool { return e.Response == it.response.ID() })
	if i < 0 {
		return
	}
	e := before[i]
	_, made := summaries[e.SummaryKey]
	switch {
	case e.Form == debate.FormOmitted:
		it.start = levelOmitted
	case e.Form != debate.FormSummary || made:
		it.start = levelSummary
	}
	if it.level = it.start; it.start == levelSummary {
		it.excerpts[levelSummary], it.pending = &e, false
	}
}

func newFitItem(s debate.Session, x debate.Response, tried func(string) bool) *fitItem {
	item, length := &fitItem{response: x}, runeCount(x.Statement.Body)
	item.excerpts[levelOmitted] = &debate.Excerpt{Response: x.ID(), Form: debate.FormOmitted, OriginalLength: length}
	if length < minShortenedLength {
		return item
	}
	short := debate.Excerpt{
		Response: x.ID(), Form: debate.FormBeginning, OriginalLength: length, Length: runeCount(beginning(x)),
	}
	if sum, ok := summaryOf(s, x); ok {
		short.Form, short.SummaryKey, short.Length = debate.FormSummary, sum.Key(), sum.Length
	}
	item.excerpts[levelSummary] = &short
	item.pending = short.Form != debate.FormSummary && tried != nil && !tried(x.ID())
	return item
}

// estimate sets the tokens of each level. A summary that is still to be made is
// assumed to be as long as the statement's beginning.
func (it *fitItem) estimate(f Fitter, summaries map[string]debate.StatementSummary) {
	for level := range levelOmitted {
		var excerpts []debate.Excerpt
		if e := it.excerpts[level]; e != nil {
			excerpts = []debate.Excerpt{*e}
		}
		alone := f.snap
		alone.Earlier = []debate.Response{it.response}
		it.tokens[level] = agents.Tokens(alone.withExcerpts(excerpts, summaries).StatementBlock(it.response, f.speaker))
	}
	it.tokens[levelSummary] = min(it.tokens[levelSummary], it.tokens[levelFull])
}

// fitWithSummaries builds the prompt with the summaries that the session has, and
// returns how it is shortened, nil if it is not.
func (f Fitter) fitWithSummaries(s debate.Session) (Prompt, *debate.ContextFit) {
	fit, _ := f.Fit(s, nil)
	p := f.build(f.snap.WithExcerpts(s, fit.Excerpts))
	if len(fit.Excerpts) == 0 {
		return p, nil
	}
	return p, &fit
}

const (
	minShortenedLength = 400 // characters; shorter statements are not shortened
	minTargetPercent   = 20
	maxTargetPercent   = 30
	maxExcerptPercent  = 50 // a longer excerpt is not worth using
)

type shownExcerpt struct {
	form debate.ExcerptForm
	text string
}

// WithExcerpts returns the snapshot with excerpts in place of statements, as a turn
// sees it after fitting. Summaries are looked up in the session.
func (snap Snapshot) WithExcerpts(s debate.Session, excerpts []debate.Excerpt) Snapshot {
	return snap.withExcerpts(excerpts, summariesByKey(s))
}

func (snap Snapshot) withExcerpts(excerpts []debate.Excerpt, summaries map[string]debate.StatementSummary) Snapshot {
	snap.excerpts = nil
	if len(excerpts) == 0 {
		return snap
	}
	snap.excerpts = make(map[string]shownExcerpt, len(excerpts))
	for _, x := range snap.Earlier {
		id := x.ID()
		if i := slices.IndexFunc(excerpts, func(e debate.Excerpt) bool { return e.Response == id }); i >= 0 {
			snap.excerpts[id] = shownExcerpt{excerpts[i].Form, excerptText(x, excerpts[i], summaries)}
		}
	}
	return snap
}

func excerptText(x debate.Response, e debate.Excerpt, summaries map[string]debate.StatementSummary) string {
	switch e.Form {
	case debate.FormOmitted:
		return ""
	case debate.FormSummary:
		return fmt.Sprintf("[summary of %d characters]\n%s", e.OriginalLength, summaries[e.SummaryKey].Text)
	default:
		return beginning(x) + " [shortened]"
	}
}

func beginning(x debate.Response) string {
	return wholeSentences(x.Statement.Body, runeCount(x.Statement.Body)*maxTargetPercent/100)
}

// ExcerptNotice returns the notice that a statement is passed on as an excerpt in
// the current round.
func ExcerptNotice(s debate.Session, e debate.Excerpt) debate.Notice {
	n := debate.Notice{Code: string(e.Form), Round: s.Current().Number}
	round := 0
	for x := range s.Said() {
		if x.ID() == e.Response {
			n.Agent, round = x.Turn.Agent, x.Turn.Round
		}
	}
	passedOn := map[debate.ExcerptForm]string{
		debate.FormSummary:   "is passed on as a summary",
		debate.FormBeginning: "is passed on as its beginning",
		debate.FormOmitted:   "no longer fits and is left out",
	}
	n.Text = fmt.Sprintf("%s's statement from round %d %s, %d of %d characters.", s.NameOf(n.Agent), round, passedOn[e.Form],
		e.Length, e.OriginalLength)
	return n
}

func runeCount(s string) int { return utf8.RuneCountInString(s) }

// wholeSentences returns the whole sentences among the first n characters, or the
// whole words if not even the first sentence fits.
func wholeSentences(s string, n int) string {
	part := text.Head(s, n)
	end := 0
	for i, r := range part {
		after := i + utf8.RuneLen(r)
		switch {
		case r == '\n', strings.ContainsRune("。！？", r):
			end = after
		case strings.ContainsRune(".!?…", r) && after < len(s) && unicode.IsSpace(rune(s[after])):
			end = after
		}
	}
	if end == 0 {
		end = strings.LastIndexFunc(part, unicode.IsSpace)
	}
	if end <= 0 {
		return part
	}
	return strings.TrimSpace(part[:end])
}

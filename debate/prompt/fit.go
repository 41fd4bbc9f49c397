package prompt

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// A Fitter shortens or omits statements so that a prompt fits its model's window.
type Fitter struct {
	snap    Snapshot
	build   func(Snapshot) Prompt
	fence   fence // of the prompt's blocks
	speaker agents.ID
	recent  int // statements from this round on are shortened after older ones
	limit   int // in tokens, for the prompt with its tools
	tools   int // tokens of the tool definitions
}

// MemberFitter returns the Fitter of a member's prompt in a step. Tools is the
// number of tokens that its tool definitions take.
func MemberFitter(s debate.Session, snap Snapshot, step debate.Step, who agents.Profile, tools int) Fitter {
	_, seat := snap.Profile(who.ID)
	return Fitter{
		snap: snap.VisibleTo(step, who.ID), fence: snap.fence(step, seat), speaker: who.ID, recent: snap.Round - 1,
		build: func(n Snapshot) Prompt { return Member(n.Mode, n, step, who) },
		limit: s.PromptLimit(who, snap.Round), tools: tools,
	}
}

// Speaker returns who is sent the prompt.
func (f Fitter) Speaker() agents.ID { return f.speaker }

// Smaller returns the Fitter with a lower limit than what the server refused as too
// long. Refused is how the prompt was fitted then, nil if nothing was shortened.
func (f Fitter) Smaller(s debate.Session, refused *debate.ContextFit) Fitter {
	var excerpts []debate.Excerpt
	if refused != nil {
		excerpts = refused.Excerpts
	}
	f.limit = min(f.limit, f.tokens(excerpts, summariesByKey(s))) * 7 / 10
	return f
}

// tokens estimates the size of the prompt with the given excerpts and its tools.
func (f Fitter) tokens(excerpts []debate.Excerpt, summaries map[string]debate.StatementSummary) int {
	return f.tools + agents.Request{Messages: f.build(f.snap.withExcerpts(excerpts, summaries)).Messages()}.Tokens()
}

// Fit chooses full, summarized or omitted for each statement so that the prompt
// fits. Old rounds are shortened first, then recent ones, then the speaker's own
// last statement; answers of the user are never shortened. If wanted is not empty,
// summaries of these statements have to be tried before Fit is called again.
func (f Fitter) Fit(cache SummaryCache) (fit debate.ContextFit, wanted []debate.Response) {
	summaries := map[string]debate.StatementSummary{}
	items := make([]*fitItem, len(f.snap.Earlier))
	for i, x := range f.snap.Earlier {
		items[i] = newFitItem(x, f.snap.Fit.MaxRunes, cache, summaries)
	}
	fit = f.contextFit(items, summaries)
	if !fit.Overflows() {
		return fit, nil
	}
	rest := fit.Tokens // of the prompt without statements
	for _, it := range items {
		it.estimate(f, summaries)
		rest -= it.tokens[levelFull]
	}
	for goal, more := fit.Limit, true; more && fit.Overflows(); goal -= max(fit.Tokens-fit.Limit, fit.Limit/100) {
		more = shrink(f.groups(items), goal-rest)
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

// contextFit returns the fit that the levels of the items amount to.
func (f Fitter) contextFit(items []*fitItem, summaries map[string]debate.StatementSummary) debate.ContextFit {
	fit := debate.ContextFit{Limit: f.limit}
	for _, it := range items {
		if e := it.excerpts[it.level]; e != nil {
			fit.Excerpts = append(fit.Excerpts, *e)
		}
	}
	fit.Tokens = f.tokens(fit.Excerpts, summaries)
	return fit
}

// groups orders items by eviction priority: old rounds, recent rounds, the
// speaker's own last statement.
func (f Fitter) groups(items []*fitItem) [3][]*fitItem {
	var groups [3][]*fitItem
	own := -1
	for i, it := range items {
		if it.response.Turn.Agent == f.speaker {
			own = i
		}
	}
	for i, it := range items {
		switch {
		case i == own:
			groups[2] = append(groups[2], it)
		case it.response.Turn.Round >= f.recent:
			groups[1] = append(groups[1], it)
		default:
			groups[0] = append(groups[0], it)
		}
	}
	return groups
}

// shrink lowers items until they fit goal; it returns false if even omitting all
// does not.
func shrink(groups [3][]*fitItem, goal int) bool {
	total := 0
	for _, it := range slices.Concat(groups[:]...) {
		it.level = levelFull
		total += it.tokens[levelFull]
	}
	for _, group := range groups {
		for _, level := range []detailLevel{levelSummary, levelOmitted} {
			for _, it := range group {
				if total <= goal {
					return true
				}
				total -= it.tokens[it.level] - it.tokens[level]
				it.level = level
			}
		}
	}
	return total <= goal
}

// detailLevel is how much of a statement a prompt contains.
type detailLevel int

const (
	levelFull detailLevel = iota
	levelSummary
	levelOmitted
	levelCount
)

// fitItem is a statement with its possible excerpts.
type fitItem struct {
	response debate.Response
	excerpts [levelCount]*debate.Excerpt // nil: the statement as it is
	tokens   [levelCount]int
	pending  bool // a summary may still be made
	level    detailLevel
}

func newFitItem(x debate.Response, maxRunes int, cache SummaryCache, summaries map[string]debate.StatementSummary) *fitItem {
	it := &fitItem{response: x}
	if maxRunes > 0 {
		it.excerpts[levelFull] = newExcerpt(x, debate.FormCapped, maxRunes)
	}
	it.excerpts[levelSummary] = it.excerpts[levelFull]
	if runeCount(x.Statement.Body) >= minShortenedLength {
		it.excerpts[levelSummary] = summaryExcerpt(x, cache, summaries)
		it.pending = it.excerpts[levelSummary].Form != debate.FormSummary && cache.pending(x)
	}
	it.excerpts[levelOmitted] = newExcerpt(x, debate.FormOmitted, 0)
	return it
}

// summaryExcerpt returns a model's summary if there is one, and the best excerpt
// that needs no model otherwise.
func summaryExcerpt(x debate.Response, cache SummaryCache, summaries map[string]debate.StatementSummary) *debate.Excerpt {
	if sum, ok := cache.find(x); ok {
		summaries[sum.Key()] = sum
		return &debate.Excerpt{
			Response: x.ID(), Form: debate.FormSummary, SummaryKey: sum.Key(), OriginalLength: sum.OriginalLength, Length: sum.Length,
		}
	}
	if e := newExcerpt(x, debate.FormKeyPoints, 0); e != nil {
		return e
	}
	return newExcerpt(x, debate.FormBeginning, 0)
}

// estimate sets the tokens of each level. A summary that is still to be made is
// assumed to be as long as the statement's beginning.
func (it *fitItem) estimate(f Fitter, summaries map[string]debate.StatementSummary) {
	for level := range levelOmitted {
		e := it.excerpts[level]
		if level == levelSummary && it.pending {
			e = newExcerpt(it.response, debate.FormBeginning, 0)
		}
		var excerpts []debate.Excerpt
		if e != nil {
			excerpts = []debate.Excerpt{*e}
		}
		alone := f.snap
		alone.Earlier = []debate.Response{it.response}
		it.tokens[level] = agents.Tokens(alone.withExcerpts(excerpts, summaries).statementBlock(f.fence, it.response, f.speaker))
	}
	it.tokens[levelSummary] = min(it.tokens[levelSummary], it.tokens[levelFull])
}

// fitWithSummaries builds the prompt with the summaries that the session has, and
// returns how it was fitted.
func (f Fitter) fitWithSummaries(s debate.Session) (Prompt, debate.ContextFit) {
	fit, _ := f.Fit(NewSummaryCache(s, func(string) bool { return true }))
	return f.build(f.snap.WithExcerpts(s, fit.Excerpts)), fit
}

// shortenings returns how a prompt is fitted, nil if nothing is shortened or err is
// not nil.
func shortenings(s debate.Session, f Fitter, err error) *debate.ContextFit {
	if err != nil {
		return nil
	}
	_, fit := f.fitWithSummaries(s)
	if len(fit.Excerpts) == 0 {
		return nil
	}
	return &fit
}

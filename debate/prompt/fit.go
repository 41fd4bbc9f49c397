package prompt

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// Fitted returns the snapshot as a turn is to see it after fitting.
func (n Snapshot) WithExcerpts(copies []debate.Excerpt, digests map[string]debate.StatementSummary) Snapshot {
	n.excerpts = nil
	if len(copies) == 0 {
		return n
	}
	by := make(map[string]debate.Excerpt, len(copies))
	for _, c := range copies {
		by[c.Response] = c
	}
	n.excerpts = make(map[string]shownExcerpt, len(copies))
	for _, x := range n.Earlier {
		c, ok := by[x.ID()]
		if !ok {
			continue
		}
		text := digests[c.SummaryKey].Text
		if c.Form != FormSummary {
			text, _ = excerptText(x, c.Form, n.Fit.MaxRunes)
		}
		n.excerpts[c.Response] = shownExcerpt{c.Form, withMarker(c.Form, text, c.OriginalLength)}
	}
	return n
}

// Reader is somebody whose prompt has to fit.
type Fitter struct {
	Snap   Snapshot
	Build  func(Snapshot) Prompt
	Place  fence // of the prompt's blocks
	Self   agents.ID
	Newest int // the first of the rounds that are given up last
	Limit  int // tokens of the prompt
	Tools  int // tokens that are sent besides
}

// Smaller returns the reader with less room than what its server has refused.
func (r Fitter) Smaller(refused *debate.ContextFit, digests map[string]debate.StatementSummary) Fitter {
	var copies []debate.Excerpt
	if refused != nil {
		copies = refused.Excerpts
	}
	r.Limit = min(r.Limit, r.tokens(copies, digests)) * 7 / 10
	return r
}

// tokens estimates the prompt with these copies, and all that is sent with it.
func (r Fitter) tokens(copies []debate.Excerpt, digests map[string]debate.StatementSummary) int {
	return r.Tools + agents.Request{Messages: r.Build(r.Snap.WithExcerpts(copies, digests)).Messages()}.Tokens()
}

// summaryLookup is where summaries are looked for.
type summaryLookup interface {
	Summary(x debate.Response) (d debate.StatementSummary, ok bool)
	Pending(x debate.Response) bool // there is none yet, and nobody has tried
}

// Fit decides what is handed on in which form. It gives up as little as it can:
// the oldest statements first, by shortening and then altogether, before the
// newest, and those before what the speaker itself said last; answers of the user
// never. Of wanted a summary has to be tried before the rest can be decided.
func (r Fitter) Fit(s summaryLookup) (f debate.ContextFit, wanted []debate.Response) {
	digests := map[string]debate.StatementSummary{}
	items := make([]*fitItem, len(r.Snap.Earlier))
	for i, x := range r.Snap.Earlier {
		items[i] = newFitItem(x, r.Snap.Fit.MaxRunes, s, digests)
	}
	f = r.contextFit(items, digests)
	if !f.Overflows() {
		return f, nil
	}
	rest := f.Tokens
	for _, it := range items {
		it.estimate(r, digests)
		rest -= it.tokens[levelFull]
	}
	for goal, more := f.Limit, true; more && f.Overflows(); goal -= max(f.Tokens-f.Limit, f.Limit/100) {
		more = shrink(r.groups(items), goal-rest)
		for _, it := range items {
			if it.level == levelSummary && it.pending {
				wanted = append(wanted, it.response)
			}
		}
		if len(wanted) > 0 {
			return f, wanted
		}
		f = r.contextFit(items, digests)
	}
	return f, nil
}

// fitting is what the items come to.
func (r Fitter) contextFit(items []*fitItem, digests map[string]debate.StatementSummary) debate.ContextFit {
	f := debate.ContextFit{Limit: r.Limit}
	for _, it := range items {
		if c := it.excerpts[it.level]; c != nil {
			f.Excerpts = append(f.Excerpts, *c)
		}
	}
	f.Tokens = r.tokens(f.Excerpts, digests)
	return f
}

// groups sorts the items by when they are given up: what is older than the newest
// rounds, then those, then the speaker's own last statement.
func (r Fitter) groups(items []*fitItem) [3][]*fitItem {
	var g [3][]*fitItem
	own := -1
	for i, it := range items {
		if it.response.Turn.Agent == r.Self {
			own = i
		}
	}
	for i, it := range items {
		switch {
		case i == own:
			g[2] = append(g[2], it)
		case it.response.Turn.Round >= r.Newest:
			g[1] = append(g[1], it)
		default:
			g[0] = append(g[0], it)
		}
	}
	return g
}

// shrink sets how much is handed on so that the items take no more than the goal. It is false
// when even nothing would take more.
func shrink(groups [3][]*fitItem, goal int) bool {
	total := 0
	for _, it := range slices.Concat(groups[:]...) {
		it.level = levelFull
		total += it.tokens[levelFull]
	}
	for _, group := range groups {
		for _, to := range []detailLevel{levelSummary, levelOmitted} {
			for _, it := range group {
				if total <= goal {
					return true
				}
				total -= it.tokens[it.level] - it.tokens[to]
				it.level = to
			}
		}
	}
	return total <= goal
}

// detailLevel is how much of a statement is handed on.
type detailLevel int

const (
	levelFull detailLevel = iota
	levelSummary
	levelOmitted
	levelCount
)

// item is one statement on its way into a prompt.
type fitItem struct {
	response debate.Response
	excerpts [levelCount]*debate.Excerpt // nil: as it stands
	tokens   [levelCount]int
	pending  bool // there may be a better short copy, if somebody makes it
	level    detailLevel
}

func newFitItem(x debate.Response, most int, s summaryLookup, digests map[string]debate.StatementSummary) *fitItem {
	it := &fitItem{response: x}
	if most > 0 {
		it.excerpts[levelFull] = newExcerpt(x, FormCapped, most)
	}
	it.excerpts[levelSummary] = it.excerpts[levelFull]
	if RuneCount(x.Statement.Body) >= minShortenedLength {
		it.excerpts[levelSummary] = summaryExcerpt(x, s, digests)
		it.pending = it.excerpts[levelSummary].Form != FormSummary && s.Pending(x)
	}
	it.excerpts[levelOmitted] = newExcerpt(x, FormOmitted, 0)
	return it
}

// shortCopy takes the best that there is.
func summaryExcerpt(x debate.Response, s summaryLookup, digests map[string]debate.StatementSummary) *debate.Excerpt {
	if d, ok := s.Summary(x); ok {
		digests[d.Key()] = d
		return &debate.Excerpt{Response: x.ID(), Form: FormSummary, SummaryKey: d.Key(), OriginalLength: d.OriginalLength, Length: d.Length}
	}
	if c := newExcerpt(x, FormKeyPoints, 0); c != nil {
		return c
	}
	return newExcerpt(x, FormBeginning, 0)
}

func newExcerpt(x debate.Response, form debate.ExcerptForm, most int) *debate.Excerpt {
	text, ok := excerptText(x, form, most)
	if !ok {
		return nil
	}
	return &debate.Excerpt{Response: x.ID(), Form: form, OriginalLength: RuneCount(x.Statement.Body), Length: RuneCount(text)}
}

// estimate estimates what each form takes. A summary that is still to be made is
// taken to be as long as a cut.
func (it *fitItem) estimate(r Fitter, digests map[string]debate.StatementSummary) {
	for at := range levelOmitted {
		c := it.excerpts[at]
		if at == levelSummary && it.pending {
			c = newExcerpt(it.response, FormBeginning, 0)
		}
		var list []debate.Excerpt
		if c != nil {
			list = []debate.Excerpt{*c}
		}
		alone := r.Snap
		alone.Earlier = []debate.Response{it.response}
		it.tokens[at] = agents.Tokens(alone.WithExcerpts(list, digests).Block(r.Place, it.response, r.Self))
	}
	it.tokens[levelSummary] = min(it.tokens[levelSummary], it.tokens[levelFull])
}

// copiesFor fits a prompt with the summaries that there are.
func fitWithSummaries(s debate.Session, r Fitter) debate.ContextFit {
	f, _ := r.Fit(NewSummaryCache(s, func(string) bool { return true }))
	return f
}

// contextFitOf is how the prompt of a reader fits; nil where all of it stands as it is,
// and where there is no prompt.
func contextFitOrNil(s debate.Session, r Fitter, err error) *debate.ContextFit {
	if err != nil {
		return nil
	}
	f := fitWithSummaries(s, r)
	if len(f.Excerpts) == 0 {
		return nil
	}
	return &f
}

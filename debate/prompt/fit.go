package prompt

import (
	"slices"

	"roundtable/agents"
	"roundtable/debate"
)

// Fitted returns the snapshot as a turn is to see it after fitting.
func (n Snapshot) Fitted(copies []debate.Excerpt, digests map[string]debate.StatementSummary) Snapshot {
	n.copies = nil
	if len(copies) == 0 {
		return n
	}
	by := make(map[string]debate.Excerpt, len(copies))
	for _, c := range copies {
		by[c.Response] = c
	}
	n.copies = make(map[string]excerpt, len(copies))
	for _, x := range n.Earlier {
		c, ok := by[x.ID()]
		if !ok {
			continue
		}
		text := digests[c.Digest].Text
		if c.Form != Summarised {
			text, _ = copyOf(x, c.Form, n.Fit.MaxRunes)
		}
		n.copies[c.Response] = excerpt{c.Form, marked(c.Form, text, c.From)}
	}
	return n
}

// Reader is somebody whose prompt has to fit.
type Reader struct {
	Snap   Snapshot
	Build  func(Snapshot) Prompt
	Place  fence // of the prompt's blocks
	Self   agents.ID
	Newest int // the first of the rounds that are given up last
	Limit  int // tokens of the prompt
	Tools  int // tokens that are sent besides
}

// Smaller returns the reader with less room than what its server has refused.
func (r Reader) Smaller(refused *debate.ContextFit, digests map[string]debate.StatementSummary) Reader {
	var copies []debate.Excerpt
	if refused != nil {
		copies = refused.Copies
	}
	r.Limit = min(r.Limit, r.tokens(copies, digests)) * 7 / 10
	return r
}

// tokens estimates the prompt with these copies, and all that is sent with it.
func (r Reader) tokens(copies []debate.Excerpt, digests map[string]debate.StatementSummary) int {
	return r.Tools + agents.Request{Messages: r.Build(r.Snap.Fitted(copies, digests)).Messages()}.Tokens()
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
func (r Reader) Fit(s summaryLookup) (f debate.ContextFit, wanted []debate.Response) {
	digests := map[string]debate.StatementSummary{}
	items := make([]*item, len(r.Snap.Earlier))
	for i, x := range r.Snap.Earlier {
		items[i] = newItem(x, r.Snap.Fit.MaxRunes, s, digests)
	}
	f = r.fitting(items, digests)
	if !f.Over() {
		return f, nil
	}
	rest := f.Tokens
	for _, it := range items {
		it.estimate(r, digests)
		rest -= it.tokens[whole]
	}
	for goal, more := f.Limit, true; more && f.Over(); goal -= max(f.Tokens-f.Limit, f.Limit/100) {
		more = shrink(r.groups(items), goal-rest)
		for _, it := range items {
			if it.now == short && it.pending {
				wanted = append(wanted, it.x)
			}
		}
		if len(wanted) > 0 {
			return f, wanted
		}
		f = r.fitting(items, digests)
	}
	return f, nil
}

// fitting is what the items come to.
func (r Reader) fitting(items []*item, digests map[string]debate.StatementSummary) debate.ContextFit {
	f := debate.ContextFit{Limit: r.Limit}
	for _, it := range items {
		if c := it.copies[it.now]; c != nil {
			f.Copies = append(f.Copies, *c)
		}
	}
	f.Tokens = r.tokens(f.Copies, digests)
	return f
}

// groups sorts the items by when they are given up: what is older than the newest
// rounds, then those, then the speaker's own last statement.
func (r Reader) groups(items []*item) [3][]*item {
	var g [3][]*item
	own := -1
	for i, it := range items {
		if it.x.Turn.Agent == r.Self {
			own = i
		}
	}
	for i, it := range items {
		switch {
		case i == own:
			g[2] = append(g[2], it)
		case it.x.Turn.Round >= r.Newest:
			g[1] = append(g[1], it)
		default:
			g[0] = append(g[0], it)
		}
	}
	return g
}

// shrink sets how much is handed on so that the items take no more than the goal. It is false
// when even nothing would take more.
func shrink(groups [3][]*item, goal int) bool {
	total := 0
	for _, it := range slices.Concat(groups[:]...) {
		it.now = whole
		total += it.tokens[whole]
	}
	for _, group := range groups {
		for _, to := range []detailLevel{short, out} {
			for _, it := range group {
				if total <= goal {
					return true
				}
				total -= it.tokens[it.now] - it.tokens[to]
				it.now = to
			}
		}
	}
	return total <= goal
}

// detailLevel is how much of a statement is handed on.
type detailLevel int

const (
	whole detailLevel = iota
	short
	out
	extents
)

// item is one statement on its way into a prompt.
type item struct {
	x       debate.Response
	copies  [extents]*debate.Excerpt // nil: as it stands
	tokens  [extents]int
	pending bool // there may be a better short copy, if somebody makes it
	now     detailLevel
}

func newItem(x debate.Response, most int, s summaryLookup, digests map[string]debate.StatementSummary) *item {
	it := &item{x: x}
	if most > 0 {
		it.copies[whole] = try(x, Capped, most)
	}
	it.copies[short] = it.copies[whole]
	if Size(x.Statement.Body) >= shortest {
		it.copies[short] = shortCopy(x, s, digests)
		it.pending = it.copies[short].Form != Summarised && s.Pending(x)
	}
	it.copies[out] = try(x, LeftOut, 0)
	return it
}

// shortCopy takes the best that there is.
func shortCopy(x debate.Response, s summaryLookup, digests map[string]debate.StatementSummary) *debate.Excerpt {
	if d, ok := s.Summary(x); ok {
		digests[d.Key()] = d
		return &debate.Excerpt{Response: x.ID(), Form: Summarised, Digest: d.Key(), From: d.From, To: d.To}
	}
	if c := try(x, KeyPoints, 0); c != nil {
		return c
	}
	return try(x, CutShort, 0)
}

func try(x debate.Response, form debate.Detail, most int) *debate.Excerpt {
	text, ok := copyOf(x, form, most)
	if !ok {
		return nil
	}
	return &debate.Excerpt{Response: x.ID(), Form: form, From: Size(x.Statement.Body), To: Size(text)}
}

// estimate estimates what each form takes. A summary that is still to be made is
// taken to be as long as a cut.
func (it *item) estimate(r Reader, digests map[string]debate.StatementSummary) {
	for at := range out {
		c := it.copies[at]
		if at == short && it.pending {
			c = try(it.x, CutShort, 0)
		}
		var list []debate.Excerpt
		if c != nil {
			list = []debate.Excerpt{*c}
		}
		alone := r.Snap
		alone.Earlier = []debate.Response{it.x}
		it.tokens[at] = agents.Tokens(alone.Fitted(list, digests).Block(r.Place, it.x, r.Self))
	}
	it.tokens[short] = min(it.tokens[short], it.tokens[whole])
}

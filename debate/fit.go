package debate

import (
	"slices"

	"roundtable/agents"
)

// Fit says how what is handed on is fitted into the models' windows. Zero is the default.
type Fit struct {
	Share    float64 `json:"share,omitempty" toml:"share"`         // of a window, for prompt and answer together; 0: DefaultShare
	MaxRunes int     `json:"max_runes,omitempty" toml:"max_runes"` // of one statement as it is handed on; 0: all of it
}

// DefaultShare leaves a tenth of a window to what estimates get wrong.
const DefaultShare = 0.9

// Fitting is how the context of one turn was fitted. It is stored before the turn
// sends anything, so that an attempt that follows sends the same.
type Fitting struct {
	Limit  int    `json:"limit"`            // tokens that the prompt may take,
	Tokens int    `json:"tokens"`           // and is estimated to take
	Copies []Copy `json:"copies,omitempty"` // of what is not handed on as it stands, the oldest first
}

// Over reports whether the prompt does not fit and nothing was left to give up.
func (f Fitting) Over() bool { return f.Tokens > f.Limit }

// fitted returns the snapshot as a turn is to see it after fitting.
func (n Snapshot) fitted(copies []Copy, digests map[string]Digest) Snapshot {
	n.copies = nil
	if len(copies) == 0 {
		return n
	}
	by := make(map[string]Copy, len(copies))
	for _, c := range copies {
		by[c.Response] = c
	}
	n.copies = make(map[string]handed, len(copies))
	for _, x := range n.Earlier {
		c, ok := by[x.ID()]
		if !ok {
			continue
		}
		text := digests[c.Digest].Text
		if c.Form != Summarised {
			text, _ = copyOf(x, c.Form, n.Fit.MaxRunes)
		}
		n.copies[c.Response] = handed{c.Form, marked(c.Form, text, c.From)}
	}
	return n
}

// reader is somebody whose prompt has to fit.
type reader struct {
	snap   Snapshot
	build  func(Snapshot) Prompt
	place  fence // of the prompt's blocks
	self   agents.ID
	newest int // the first of the rounds that are given up last
	limit  int // tokens of the prompt
	tools  int // tokens that are sent besides
}

// smaller returns the reader with less room than what its server has refused.
func (r reader) smaller(refused *Fitting, digests map[string]Digest) reader {
	var copies []Copy
	if refused != nil {
		copies = refused.Copies
	}
	r.limit = min(r.limit, r.tokens(copies, digests)) * 7 / 10
	return r
}

// tokens estimates the prompt with these copies, and all that is sent with it.
func (r reader) tokens(copies []Copy, digests map[string]Digest) int {
	return r.tools + agents.Request{Messages: r.build(r.snap.fitted(copies, digests)).Messages()}.Tokens()
}

// shelf is where summaries are looked for.
type shelf interface {
	summary(x Response) (d Digest, ok bool)
	pending(x Response) bool // there is none yet, and nobody has tried
}

// fit decides what is handed on in which form. It gives up as little as it can:
// the oldest statements first, by shortening and then altogether, before the
// newest, and those before what the speaker itself said last; answers of the user
// never. Of wanted a summary has to be tried before the rest can be decided.
func (r reader) fit(s shelf) (f Fitting, wanted []Response) {
	digests := map[string]Digest{}
	items := make([]*item, len(r.snap.Earlier))
	for i, x := range r.snap.Earlier {
		items[i] = newItem(x, r.snap.Fit.MaxRunes, s, digests)
	}
	f = r.fitting(items, digests)
	if !f.Over() {
		return f, nil
	}
	rest := f.Tokens
	for _, it := range items {
		it.weigh(r, digests)
		rest -= it.tokens[whole]
	}
	for goal, more := f.Limit, true; more && f.Over(); goal -= max(f.Tokens-f.Limit, f.Limit/100) {
		more = give(r.groups(items), goal-rest)
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
func (r reader) fitting(items []*item, digests map[string]Digest) Fitting {
	f := Fitting{Limit: r.limit}
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
func (r reader) groups(items []*item) [3][]*item {
	var g [3][]*item
	own := -1
	for i, it := range items {
		if it.x.Turn.Agent == r.self {
			own = i
		}
	}
	for i, it := range items {
		switch {
		case i == own:
			g[2] = append(g[2], it)
		case it.x.Turn.Round >= r.newest:
			g[1] = append(g[1], it)
		default:
			g[0] = append(g[0], it)
		}
	}
	return g
}

// give sets how much is handed on so that the items take no more than the goal. It is false
// when even nothing would take more.
func give(groups [3][]*item, goal int) bool {
	total := 0
	for _, it := range slices.Concat(groups[:]...) {
		it.now = whole
		total += it.tokens[whole]
	}
	for _, group := range groups {
		for _, to := range []extent{short, out} {
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

// extent is how much of a statement is handed on.
type extent int

const (
	whole extent = iota
	short
	out
	extents
)

// item is one statement on its way into a prompt.
type item struct {
	x       Response
	copies  [extents]*Copy // nil: as it stands
	tokens  [extents]int
	pending bool // there may be a better short copy, if somebody makes it
	now     extent
}

func newItem(x Response, most int, s shelf, digests map[string]Digest) *item {
	it := &item{x: x}
	if most > 0 {
		it.copies[whole] = try(x, Capped, most)
	}
	it.copies[short] = it.copies[whole]
	if size(x.Statement.Body) >= shortest {
		it.copies[short] = shortCopy(x, s, digests)
		it.pending = it.copies[short].Form != Summarised && s.pending(x)
	}
	it.copies[out] = try(x, LeftOut, 0)
	return it
}

// shortCopy takes the best that there is.
func shortCopy(x Response, s shelf, digests map[string]Digest) *Copy {
	if d, ok := s.summary(x); ok {
		digests[d.Key()] = d
		return &Copy{Response: x.ID(), Form: Summarised, Digest: d.Key(), From: d.From, To: d.To}
	}
	if c := try(x, KeyPoints, 0); c != nil {
		return c
	}
	return try(x, CutShort, 0)
}

func try(x Response, form Form, most int) *Copy {
	text, ok := copyOf(x, form, most)
	if !ok {
		return nil
	}
	return &Copy{Response: x.ID(), Form: form, From: size(x.Statement.Body), To: size(text)}
}

// weigh estimates what each form takes. A summary that is still to be made is
// taken to be as long as a cut.
func (it *item) weigh(r reader, digests map[string]Digest) {
	for at := range out {
		c := it.copies[at]
		if at == short && it.pending {
			c = try(it.x, CutShort, 0)
		}
		var list []Copy
		if c != nil {
			list = []Copy{*c}
		}
		alone := r.snap
		alone.Earlier = []Response{it.x}
		it.tokens[at] = agents.Tokens(alone.fitted(list, digests).block(r.place, it.x, r.self))
	}
	it.tokens[short] = min(it.tokens[short], it.tokens[whole])
}

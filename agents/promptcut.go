package agents

import "slices"

// PromptCut says that a server read a prompt only in part.
type PromptCut struct {
	Server   string `json:"server"`           // in words for the user
	Read     int    `json:"read"`             // tokens
	Estimate int    `json:"estimate"`         // tokens of the whole prompt
	Remedy   string `json:"remedy,omitempty"` // a sentence
}

// Worse returns the one of two cuts that lost more.
func (c *PromptCut) Worse(o *PromptCut) *PromptCut {
	if c == nil || o != nil && o.Estimate-o.Read > c.Estimate-c.Read {
		return o
	}
	return c
}

// Reading is what a server reports about the prompt of one completion.
type Reading struct {
	Estimate int // tokens of the prompt, see Request.Tokens
	Counted  int // tokens that the server counted; 0: it did not
	Cached   int // tokens that it took from its cache; 0: none, or it does not say
	Window   int // tokens that it can read at once, if it cuts longer prompts; 0: unknown
}

// Extent is how much of a prompt a server read.
type Extent int

// The extents.
const (
	ReadWhole Extent = iota
	ReadUnclear
	ReadPart
)

// MinWindow is a number of tokens that every server reads, whatever its window.
const MinWindow = 512

const (
	lowCount   = 0.6 // a smaller share of the estimate is too little for any vocabulary
	otherShare = 20  // estimates that differ by 1/otherShare are those of different prompts
)

// LowCount reports whether the server counted too little for the whole prompt. Some
// servers leave out of the count what they took from their cache.
func (r Reading) LowCount() bool {
	return r.Counted > 0 && float64(r.Counted) < lowCount*float64(r.Estimate) &&
		(r.Cached == 0 || float64(r.Counted+r.Cached) < lowCount*float64(r.Estimate))
}

// Read returns how much of the prompt was read, as far as the reading tells.
func (r Reading) Read() int {
	if r.Window > 0 && r.Counted < r.Window/2 { // the cached part is not in the count
		return r.Window
	}
	return r.Counted
}

// Readings are the readings of prompts to one model on one server. The zero value has
// none. It is not safe for concurrent use.
type Readings struct {
	seen    []pastReading
	largest int // count
	longest int // estimate
}

type pastReading struct {
	Reading
	unexplained bool // it was low, and not because of a cache
}

// Add adds a reading and returns how much of the prompt was read. It was cut if it is
// longer than the window that the server named, or if two signs agree: the count is too
// low for its length, and prompts of other lengths have the same count. One sign alone
// leaves it unclear, unless the cache explains it.
func (rs *Readings) Add(r Reading) Extent {
	extent, unexplained := rs.extent(r)
	if r.Counted > 0 {
		rs.seen = append(rs.seen, pastReading{r, unexplained})
		rs.largest, rs.longest = max(rs.largest, r.Counted), max(rs.longest, r.Estimate)
	}
	return extent
}

func (rs *Readings) extent(r Reading) (e Extent, unexplained bool) {
	switch {
	case r.Window > 0 && (r.Counted == r.Window || r.Counted < r.Window && r.Estimate > r.Window):
		return ReadPart, false
	case r.Counted < MinWindow || !r.LowCount():
		return ReadWhole, false
	case r.Window >= r.Estimate || rs.largest >= r.Estimate || r.Counted < rs.largest/2:
		return ReadWhole, false // the server can read more than that at once, so the rest was cached
	}
	equal := rs.sameCount(r)
	unexplained = float64(r.Counted) < lowCount*float64(r.Estimate-rs.longest) // what is new in it is longer
	suspicious := func(x pastReading) bool { return x.unexplained }
	switch {
	case len(equal) > 1, len(equal) == 1 && (unexplained || slices.ContainsFunc(equal, suspicious)):
		return ReadPart, unexplained
	case unexplained:
		return ReadUnclear, unexplained
	}
	return ReadWhole, unexplained
}

// sameCount returns the readings with the same count of prompts that differ in length
// from this one and from each other.
func (rs *Readings) sameCount(r Reading) []pastReading {
	var out []pastReading
	for _, x := range rs.seen {
		alike := func(y pastReading) bool { return x.alike(y.Reading) }
		if x.Counted == r.Counted && !x.alike(r) && !slices.ContainsFunc(out, alike) {
			out = append(out, x)
		}
	}
	return out
}

// alike reports whether two prompts may have the same length.
func (r Reading) alike(o Reading) bool {
	return max(r.Estimate, o.Estimate)-min(r.Estimate, o.Estimate) <= max(r.Estimate, o.Estimate)/otherShare
}

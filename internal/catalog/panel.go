package catalog

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Offer is a model that could take a seat, in the order of its provider's list.
type Offer struct {
	Provider, ID string
	Maker        string   // "": as the id tells
	Out          *float64 // price of a million tokens of answer in USD; nil: not known
	Size         int64    // bytes of memory that it needs on a server of the user's own; 0: not known
}

// MaxProposed is the price of a million tokens of answer, in USD, above which no model is
// proposed.
const MaxProposed = 25

// Panel puts offers in the order in which they take seats, for people who have chosen nothing:
// the best model of each maker, then further ones of the same makers by turns. Offers come by
// roads, the first one first; a maker is taken from the first road that has it. Offers without a
// known chat model, previews and what is too dear are left out.
func Panel(roads ...[]Offer) []Offer {
	byMaker, order := map[string][]known{}, []string{}
	for _, road := range roads {
		seen := map[string]bool{}
		for _, o := range road {
			k := knownOf(o)
			if !k.debates || k.preview || o.Out != nil && *o.Out > MaxProposed {
				continue
			}
			if _, taken := byMaker[k.maker]; taken && !seen[k.maker] {
				continue
			}
			if !seen[k.maker] {
				order = append(order, k.maker)
			}
			seen[k.maker] = true
			byMaker[k.maker] = append(byMaker[k.maker], k)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return rankOf(a) - rankOf(b) })
	var turns [][]Offer // of each maker, the best line first
	for _, name := range order {
		turns = append(turns, linesOf(byMaker[name]))
	}
	var out []Offer
	for i, more := 0, true; more; i++ {
		more = false
		for _, lines := range turns {
			if i < len(lines) {
				out, more = append(out, lines[i]), true
			}
		}
	}
	return out
}

// MakerOf names who made a model, such as "gpt" or "claude"; an unknown one by the word before
// the slash, or the first of its name.
func MakerOf(id string) string { return knownOf(Offer{ID: id}).maker }

// maker is a family of models whose maker has names for sizes.
type maker struct {
	name    string
	pattern string // of an id without its vendor
	best    string // the line that is proposed first; "": the one without a name

	lines [3][]string // of a middle size, large and small
}

// makers are in the order in which they take seats, as of 28 November 2026.
var makers = []maker{
	{"gpt", `^(gpt|o\d|chatgpt)`, "sol", [3][]string{{"terra"}, {"astra", "sol-pro", "pro", "oss"}, {"luna", "mini", "nano"}}},
	{"claude", `^claude`, "sonnet", [3][]string{{}, {"opus", "fable", "mythos"}, {"haiku"}}},
	{"gemini", `^gemini`, "flash", [3][]string{{}, {"argon", "pro"}, {"flash-lite"}}},
	{"grok", `^grok`, "", [3][]string{{}, {}, {"non-reasoning", "build"}}},
	{"deepseek", `^deepseek`, "pro", [3][]string{{}, {}, {"flash"}}},
	{"qwen", `^(qwen|qwq)`, "plus", [3][]string{{}, {"max"}, {"flash"}}},
	{"kimi", `^kimi`, "", [3][]string{{}, {"pro"}, {"code"}}},
	{"mistral", `^(mistral|ministral|mixtral|codestral|devstral|magistral)`, "large", [3][]string{
		{"medium", "magistral"}, {}, {"small", "ministral", "codestral", "devstral"},
	}},
	{"glm", `^glm`, "", [3][]string{{"turbo"}, {}, {"flash", "air"}}},
	{"llama", `^llama`, "", [3][]string{{}, {"maverick"}, {"scout"}}},
	{"gemma", `^gemma`, "", [3][]string{}},
}

func rankOf(name string) int {
	if i := slices.IndexFunc(makers, func(m maker) bool { return m.name == name }); i >= 0 {
		return i
	}
	return len(makers)
}

type known struct {
	Offer
	maker, line string
	version     []int
	date        int // behind the version, of a snapshot
	debates     bool
	preview     bool
}

type patterns struct {
	makers                        []*regexp.Regexp
	date, version, weight, filler *regexp.Regexp
}

var idPatterns = sync.OnceValue(func() (p patterns) {
	for _, m := range makers {
		p.makers = append(p.makers, regexp.MustCompile(m.pattern))
	}
	p.date = regexp.MustCompile(`-(\d{8}|\d{4}-\d{2}-\d{2}|\d{4})$`)
	p.version = regexp.MustCompile(`^[a-z]?(\d+(?:\.\d+)*)o?$`)
	p.weight = regexp.MustCompile(`^(\d+x)?a?\d+(\.\d+)?[bmt]$`)
	p.filler = regexp.MustCompile(`^(instruct|it|chat|latest|versatile|instant)$`)
	return p
})

// knownOf reads an id, such as openai/gpt-6.2-sol: a vendor, a maker, a version and a line.
func knownOf(o Offer) known {
	p, id := idPatterns(), strings.ToLower(o.ID)
	vendor, _, _ := strings.Cut(id, "/")
	name, tag, _ := strings.Cut(id[strings.LastIndexByte(id, '/')+1:], ":")
	k := known{
		Offer: o, maker: o.Maker, debates: Debates(id) && tag != "free",
		preview: hasAny(name, "preview", "-exp", "experimental", "beta"),
	}
	if m := p.date.FindStringSubmatch(name); m != nil {
		k.date, _ = strconv.Atoi(strings.ReplaceAll(m[1], "-", "")) // it is of digits
		name = strings.TrimSuffix(name, m[0])
	}
	first, rest, _ := strings.Cut(name, "-")
	root := strings.TrimRight(first, "0123456789.")
	for i, m := range makers {
		if k.maker == "" && p.makers[i].MatchString(name) {
			k.maker = m.name
		}
	}
	if k.maker == "" {
		k.maker = cmp.Or(map[bool]string{true: vendor}[strings.Contains(id, "/")], root)
	}
	words := append([]string{strings.TrimPrefix(first, root)}, strings.Split(rest, "-")...)
	if k.maker == "mistral" && root != "mistral" {
		words = append(words, root)
	}
	k.read(words)
	return k
}

// read sorts the words of a name into its version and its line.
func (k *known) read(words []string) {
	p := idPatterns()
	var line []string
	for _, word := range words {
		if v := p.version.FindStringSubmatch(word); v != nil {
			k.version = append(k.version, numbers(v[1])...)
		} else if word != "" && !p.weight.MatchString(word) && !p.filler.MatchString(word) {
			line = append(line, word)
		}
	}
	if k.line = strings.Join(line, "-"); k.Size > 0 { // each size is another model
		k.line = k.ID
	}
	if k.maker == "grok" && len(k.version) == 2 && k.version[1] >= 10 { // 4.20 is older than 4.7
		k.version = []int{k.version[0], k.version[1] / 10, k.version[1] % 10}
	}
}

// Debates reports whether the name of a model is that of a chat model.
func Debates(id string) bool {
	id = strings.ToLower(id)
	return !hasAny(id, " ", "embed", "rerank", "whisper", "tts", "moderation", "dall-e", "image", "audio", "guard", "ocr", "transcribe",
		"realtime", "voxtral", "banana", "sora", "veo")
}

func hasAny(name string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}

func (k known) price() float64 {
	if k.Out == nil {
		return 0
	}
	return *k.Out
}

// Nearest returns the model to take in place of one that is gone: the newest of its line, or else
// the first that is proposed of its maker; "" without one.
func Nearest(id string, offered []string) string {
	gone := knownOf(Offer{ID: id})
	var line, others []known
	for _, other := range offered {
		k := knownOf(Offer{ID: other})
		switch {
		case k.maker != gone.maker || k.preview || !k.debates || other == id:
		case k.line == gone.line:
			line = append(line, k)
		default:
			others = append(others, k)
		}
	}
	if len(line) == 0 {
		line = others
	}
	if len(line) == 0 {
		return ""
	}
	return linesOf(line)[0].ID
}

// linesOf returns the newest of each line of a maker: the proposed one, then by turns middle, large, small.
func linesOf(all []known) []Offer {
	slices.SortStableFunc(all, func(a, b known) int {
		return cmp.Or(slices.Compare(b.version, a.version), cmp.Compare(b.date, a.date), cmp.Compare(b.price(), a.price()))
	})
	var lines []known
	for _, k := range all {
		if !slices.ContainsFunc(lines, func(l known) bool { return l.line == k.line }) {
			lines = append(lines, k)
		}
	}
	var of maker
	if i := rankOf(all[0].maker); i < len(makers) {
		of = makers[i]
	}
	best := slices.IndexFunc(lines, func(k known) bool { return of.name != "" && k.line == of.best })
	if best < 0 {
		best = 0
		for i, k := range lines {
			if k.price() > lines[best].price() {
				best = i
			}
		}
	}
	first := lines[best]
	var sizes [3][]known
	rest := slices.Delete(slices.Clone(lines), best, best+1)
	for at, names := range of.lines {
		for _, name := range names {
			if i := slices.IndexFunc(rest, func(k known) bool { return k.line == name }); i >= 0 {
				sizes[at], rest = append(sizes[at], rest[i]), slices.Delete(rest, i, i+1)
			}
		}
	}
	out := []Offer{first.Offer}
	for i := range len(lines) {
		for _, class := range sizes {
			if i < len(class) {
				out = append(out, class[i].Offer)
			}
		}
	}
	for _, k := range rest { // whose size is not known
		out = append(out, k.Offer)
	}
	return out
}

// Together returns the models that a server with so much memory can hold at a time, three at
// most: of the most makers, and then the largest. It returns nil if no two fit.
func Together(offers []Offer, memory int64) (best []Offer) {
	makerOf := make([]string, len(offers))
	for i, o := range offers {
		makerOf[i] = knownOf(o).maker
	}
	var fit []int
	var most, largest int64 // makers and size of what fits
	var grow func(set []int, makers, size int64)
	grow = func(set []int, makers, size int64) {
		if len(set) > 1 && cmp.Or(makers-most, size-largest) > 0 {
			fit, most, largest = slices.Clone(set), makers, size
		}
		from := 0
		if len(set) > 0 {
			from = set[len(set)-1] + 1
		}
		for i := from; i < len(offers) && len(set) < 3; i++ {
			more := makers
			if !slices.ContainsFunc(set, func(j int) bool { return makerOf[j] == makerOf[i] }) {
				more++
			}
			if all := size + offers[i].Size; all <= memory {
				grow(append(slices.Clip(set), i), more, all)
			}
		}
	}
	grow(nil, 0, 0)
	for _, i := range fit {
		best = append(best, offers[i])
	}
	slices.SortStableFunc(best, func(a, b Offer) int { return cmp.Compare(b.Size, a.Size) })
	return best
}

package ledger

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"roundtable/internal/text"
)

// Twin returns the earliest request that a blocking one seems to repeat and that can
// still be answered.
//
// Two questions count as the same if they have the same numbers and single capitals, and
// share at least three quarters of their content words, counted in both of them. Words are
// compared folded, so that case and punctuation do not matter, and a word equals a longer
// one that begins with it, from four letters on, so that endings hardly matter. Frequent
// words of some common languages are ignored. Scripts without spaces are compared by
// character. This is a hint only: the user joins requests, see [Ledger.Join].
func (l Ledger) Twin(id string) (Request, bool) {
	i := l.index(id)
	if i < 0 || !l.Requests[i].Blocks() {
		return Request{}, false
	}
	words := questionWords(l.Requests[i].Query)
	for _, r := range l.Requests[:i] {
		if (r.State == Pending || r.State == Resolved) && words.resemble(questionWords(r.Query)) {
			return r.Clone(), true
		}
	}
	return Request{}, false
}

// wordsOfQuestion are the distinct words of a question that tell what it asks for.
type wordsOfQuestion struct {
	numbers []string // and capitals that name something, such as the B of phase B
	content []string
}

func questionWords(query string) wordsOfQuestion {
	var out wordsOfQuestion
	ignored := strings.Fields(functionWords)
	for i, raw := range splitWords(query) {
		w, list := text.Fold(raw), &out.content
		first, size := utf8.DecodeRuneInString(raw)
		switch names := i > 0 && size == len(raw) && unicode.IsUpper(first); {
		case names || strings.ContainsFunc(w, unicode.IsDigit):
			list = &out.numbers
		case slices.Contains(ignored, w):
			continue
		}
		if !slices.Contains(*list, w) {
			*list = append(*list, w)
		}
	}
	slices.Sort(out.numbers)
	return out
}

// functionWords are frequent words of English, German, French and Spanish that say
// nothing about a subject.
const functionWords = `a an and are at be by can could do does for from have how if in is it its many much of on or our
should that the their there this to was we what when where which who will with would you your
auf bei das dem den der des die ein eine einem einen einer es euer eure für hat habt haben ihr ihre im ist mit sie sind und
viel viele vom von was welche welcher welches wer werden wie wird wo zu zum zur
au aux ce combien dans de des du est et il la le les ou où par pour quel quelle quels quelles qui quoi sont un une vos votre à
con cuál cuáles cuánta cuántas cuánto cuántos dónde el en es hay las los para por qué quién se son su sus una y`

// splitWords returns the words of a text: runs of letters and digits, numbers with
// what separates their digits. A character of a script without spaces is a word.
func splitWords(s string) []string {
	var out []string
	var word []rune
	end := func() {
		if w := strings.TrimRight(string(word), ".,"); w != "" {
			out = append(out, w)
		}
		word = word[:0]
	}
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			end()
			out = append(out, string(r))
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r),
			(r == '.' || r == ',') && len(word) > 0 && unicode.IsDigit(word[len(word)-1]):
			word = append(word, r)
		default:
			end()
		}
	}
	end()
	return out
}

// resemble reports whether the words seem to be those of one question.
func (w wordsOfQuestion) resemble(other wordsOfQuestion) bool {
	if !slices.Equal(w.numbers, other.numbers) || len(w.content) == 0 {
		return false
	}
	left, shared := slices.Clone(other.content), 0
	for _, word := range w.content {
		if i := slices.IndexFunc(left, func(o string) bool { return sameWord(word, o) }); i >= 0 {
			left, shared = slices.Delete(left, i, i+1), shared+1
		}
	}
	return 4*2*shared >= 3*(len(w.content)+len(other.content))
}

// sameWord reports whether two words are equal or one is a beginning of the other that is
// long enough to be its stem.
func sameWord(a, b string) bool {
	const stem = 4 // letters
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || utf8.RuneCountInString(a) >= stem && strings.HasPrefix(b, a)
}

// Join returns the event that makes the askers of a blocking request askers of another,
// whose answer is then theirs too. Nothing takes it back.
func (l Ledger) Join(id, into string) ([]Event, error) {
	from, ok := l.Find(id)
	target, found := l.Find(into)
	s := Submission{Request: id}
	switch {
	case !ok:
		return nil, refuseUnknown(id)
	case !found:
		return nil, refuseUnknown(into)
	case !from.Open():
		return nil, refuse(s, ErrUnknown, "%s is not open in this debate. Nothing was saved.", id)
	case target.State != Pending && target.State != Resolved:
		return nil, refuse(s, ErrUnknown, "%s can no longer be joined: it is not open in this debate. Nothing was saved.", into)
	case id == into:
		return nil, refuse(s, ErrRepeated, "%s cannot be joined to itself. Nothing was saved.", id)
	}
	return []Event{{Request: id, Type: EventJoin, Actor: User, Payload: Payload{Into: into}}}, nil
}

// join moves the asks of one request to another.
func (l *Ledger) join(from int, e Event) {
	into := l.index(e.Payload.Into)
	if into < 0 || into == from || l.Requests[from].State != Pending {
		return
	}
	r, target := &l.Requests[from], &l.Requests[into]
	target.Asks, r.Asks = append(target.Asks, r.Asks...), nil
	r.State, r.JoinedTo = Withdrawn, target.ID
	r.Seq, target.Seq = max(r.Seq, e.Seq), max(target.Seq, e.Seq)
	target.updatePriority()
}

// joined returns the request that a request was joined to, or the request itself.
func (l Ledger) joined(r Request) Request {
	for range l.Requests {
		into, ok := l.Find(r.JoinedTo)
		if !ok {
			return r
		}
		r = into
	}
	return r
}

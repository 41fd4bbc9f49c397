package statement

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"roundtable/debate"
	"roundtable/internal/text"
)

// YesOrNo reads a yes or a no of any language that is listed; Undecided for all else.
func YesOrNo(label string) debate.Side { return yesAndNo()[BareLabel(label)] }

// IsNeutral reports whether a label says that no side is taken, in any language in which
// yes and no are read.
func IsNeutral(label string) bool { return neutralWords()[BareLabel(label)] }

// IsNeutralAnswer reports the same of an answer to a yes-or-no question, where "both" and
// "mixed" take no side either.
func IsNeutralAnswer(label string) bool { return IsNeutral(label) || bothWords()[BareLabel(label)] }

// TrimLabel takes white space, quotes, emphasis and a full stop off a label. A star at one
// end is no emphasis: A* is a name.
func TrimLabel(label string) string {
	label = strings.Join(strings.Fields(label), " ")
	for {
		short := strings.Trim(label, " \"'`“”‘’«»„")
		short = strings.TrimRight(short, ".,;:! ")
		for _, mark := range []string{"*", "_"} {
			if inner, ok := strings.CutPrefix(short, mark); ok && strings.HasSuffix(inner, mark) {
				short = strings.TrimSuffix(inner, mark)
			}
		}
		if short == "" || short == label {
			return label
		}
		label = short
	}
}

// FoldLabel returns a label without case and white space.
func FoldLabel(label string) string {
	return strings.Join(strings.Fields(text.Fold(strings.ToLower(TrimLabel(label)))), "")
}

// BareLabel returns a label without case, white space, accents and punctuation.
func BareLabel(label string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && r > 0x36f {
			return r
		}
		return -1
	}, strings.ToLower(string(text.FoldName(label))))
}

// neutralFile lists labels that take no side, and in its second paragraph those that do
// not where there are two sides that exclude each other.
//
//go:embed neutral.txt
var neutralFile string

func neutralWords() map[string]bool { return neutralLabels()[0] }

func bothWords() map[string]bool { return neutralLabels()[1] }

var neutralLabels = sync.OnceValue(func() [2]map[string]bool {
	words, both, _ := strings.Cut(neutralFile, "\n\n")
	return [2]map[string]bool{labelSet(words), labelSet(both)}
})

func labelSet(list string) map[string]bool {
	out := map[string]bool{}
	for label := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == '\n' }) {
		if bare := BareLabel(label); bare != "" {
			out[bare] = true
		}
	}
	return out
}

// yesAndNo are the words for yes and no, as BareLabel writes them.
var yesAndNo = sync.OnceValue(yesNoWords)

func yesNoWords() map[string]debate.Side {
	out := map[string]debate.Side{}
	for w := range strings.FieldsSeq("yes ja oui si sim da tak ano igen evet kylla jah hai ναι да так " +
		"はい 是 是的 对 예 네 نعم כן हाँ हां vang") {
		out[BareLabel(w)] = debate.SideYes
	}
	for w := range strings.FieldsSeq("no nein non nao nee nej nei nie ne nem hayir ei nyet οχι нет ні " +
		"いいえ 否 不 不是 아니요 아니오 لا לא नहीं khong") {
		out[BareLabel(w)] = debate.SideNo
	}
	return out
}

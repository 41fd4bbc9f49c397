package screen

import (
	"strings"

	"roundtable/debate"
	"roundtable/internal/text"
)

// Budget returns the cap of a session in USD as it stands after what was spent, such
// as "of $0.50"; "" without one.
func Budget(s debate.Session) string {
	if s.Budget.USD > 0 {
		return "of " + text.Price(&s.Budget.USD)
	}
	return ""
}

// Sentence returns an error as a whole sentence.
func Sentence(err error) string {
	sentence := text.Capitalize(strings.TrimSpace(err.Error()))
	if sentence != "" && !strings.HasSuffix(sentence, ".") {
		sentence += "."
	}
	return sentence
}

package cli

import (
	"log/slog"
	"regexp"
	"strings"

	"roundtable/internal/text"
)

// libraryLog is where libraries print that know only the standard logger, such as
// net/http. On the terminal their lines would cover the panes.
type libraryLog struct{ log *slog.Logger }

// Write logs a line without what it quotes: net/http quotes what a server sent,
// which may be an answer or a key.
func (l libraryLog) Write(line []byte) (int, error) {
	l.log.Warn("a library reported", "message", text.Line(quotation.ReplaceAllString(strings.TrimSpace(string(line)), `"..."`)))
	return len(line), nil
}

var quotation = regexp.MustCompile(`"(?:[^"\\]|\\.)*"?`)

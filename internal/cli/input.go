package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"roundtable/debate"
	"roundtable/internal/text"
)

// warnOfStdin says so if what is read from standard input has to be typed.
func warnOfStdin(a *app, what string) {
	if isTerminal(a.Stdin) {
		a.warn("reading " + what + " from the terminal; ctrl+d ends it")
	}
}

// readInput reads a text file of at most limit bytes; "-" is standard input.
func readInput(path string, stdin io.Reader, limit int64) ([]byte, error) {
	var raw []byte
	var err error
	if path == "-" {
		path = "standard input"
		raw, err = text.ReadAll(path, stdin, limit)
	} else {
		raw, err = text.ReadFile(path, limit)
	}
	var unreadable *fs.PathError
	if errors.As(err, &unreadable) {
		err = fmt.Errorf("%s: %w. Check the path", text.Label(path), unreadable.Err)
	}
	if err != nil {
		return nil, err
	}
	return raw, checkUTF8(path, string(raw))
}

// readTopic returns the topic of a command line; "-" is standard input.
func readTopic(a *app, arg string) (string, error) {
	if arg != "-" {
		return arg, nil
	}
	warnOfStdin(a, "the topic")
	raw, err := readInput("-", a.Stdin, 4*debate.MaxTopic)
	if err != nil {
		return "", usagef("read the topic from standard input: %v", err)
	}
	return string(raw), nil
}

// checkTopic returns the topic made safe, or why it cannot be debated.
func checkTopic(topic string) (string, error) {
	if n := utf8.RuneCountInString(topic); n > debate.MaxTopic {
		return "", usagef("the topic has %d characters; the limit is %d", n, debate.MaxTopic)
	}
	if err := checkUTF8("the topic", topic); err != nil {
		return "", err
	}
	topic = strings.TrimSpace(text.Sanitize(topic))
	if topic == "" {
		return "", usagef("the topic is empty; give a question, such as \"Should we move to Postgres?\"")
	}
	return topic, nil
}

// checkFocus returns the focus of a round made safe, or why it cannot be used.
func checkFocus(focus string) (string, error) {
	if err := checkUTF8("the focus", focus); err != nil {
		return "", err
	}
	focus = strings.TrimSpace(text.Sanitize(focus))
	if n := utf8.RuneCountInString(focus); n > debate.MaxFocus {
		return "", usagef("the focus has %d characters; the limit is %d", n, debate.MaxFocus)
	}
	return focus, nil
}

// checkUTF8 refuses text that is not UTF-8 and says where: replacing the bytes
// would lose characters unnoticed.
func checkUTF8(what, content string) error {
	for at, r := range content {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(content[at:]); size > 1 {
			continue // the text itself contains U+FFFD
		}
		before := content[:at]
		line := strings.Count(before, "\n") + 1
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
		return usagef("%s is not UTF-8: byte 0x%02x in line %d, column %d. Nothing was changed; convert it to UTF-8 first",
			text.Line(what), content[at], line, column)
	}
	return nil
}

package text

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Command returns a command line that a person can copy into a shell: on one line, safe to show,
// with every argument quoted that the shell would read otherwise. ParseCommand returns the same
// arguments.
func Command(argv []string) string {
	quoted := make([]string, len(argv))
	for i, a := range argv {
		switch {
		case a != "" && strings.Trim(a, plainCharacters) == "":
			quoted[i] = a
		case Line(a) == a:
			quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		default:
			quoted[i] = ansiQuoted(a)
		}
	}
	return strings.Join(quoted, " ")
}

// ansiQuoted returns an argument in the quotes in which shells know escapes.
func ansiQuoted(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '\'' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\%03o`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-"

// SimpleCommand splits a line that a shell would read into its arguments. It reports false
// if the shell would do more than that: with operators, redirects, substitutions, globs,
// assignments, or characters that shells disagree about.
func SimpleCommand(line string) ([]string, bool) {
	if strings.ContainsFunc(line, func(r rune) bool { return !strings.ContainsRune(plainCharacters+` '"`, r) }) {
		return nil, false
	}
	argv, err := ParseCommand(line)
	if err != nil || argv[0] == "" || strings.ContainsRune(argv[0], '=') {
		return nil, false
	}
	return argv, true
}

// ParseCommand splits a command line into its arguments at spaces that are neither quoted nor
// escaped by a backslash. Within double quotes a backslash escapes only a double quote or another
// backslash. $'...' is read as Command writes it. Variables and globs are plain text.
func ParseCommand(line string) ([]string, error) {
	var argv []string
	for rest := strings.TrimLeft(line, " \t\n"); rest != ""; rest = strings.TrimLeft(rest, " \t\n") {
		var arg strings.Builder
		for rest != "" && !strings.ContainsRune(" \t\n", rune(rest[0])) {
			var err error
			if rest, err = parsePiece(&arg, rest); err != nil {
				return nil, err
			}
		}
		argv = append(argv, arg.String())
	}
	if len(argv) == 0 {
		return nil, errors.New("the command is empty")
	}
	return argv, nil
}

// parsePiece reads a quoted part, an escaped character or a plain one. It returns what
// follows.
func parsePiece(arg *strings.Builder, s string) (rest string, err error) {
	if quoted, ok := strings.CutPrefix(s, "$'"); ok {
		body, rest, _ := strings.Cut(quoted, "'")
		piece, err := strconv.Unquote(`"` + body + `"`)
		if err != nil || len(body) == len(quoted) {
			return "", errors.New("a quote $' is not closed, or has other escapes than \\033")
		}
		arg.WriteString(piece)
		return rest, nil
	}
	switch s[0] {
	case '\'':
		piece, rest, ok := strings.Cut(s[1:], "'")
		if !ok {
			return "", errors.New("a quote ' is not closed")
		}
		arg.WriteString(piece)
		return rest, nil
	case '"':
		return parseDoubleQuoted(arg, s[1:])
	case '\\':
		if len(s) == 1 {
			return "", errors.New("nothing follows the backslash at the end")
		}
		arg.WriteByte(s[1])
		return s[2:], nil
	default:
		arg.WriteByte(s[0])
		return s[1:], nil
	}
}

func parseDoubleQuoted(arg *strings.Builder, s string) (rest string, err error) {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return s[i+1:], nil
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		}
		arg.WriteByte(s[i])
	}
	return "", errors.New(`a quote " is not closed`)
}

// Program words command lines of this program, with the flags that it was started with, so that
// what is printed works as it stands. The zero value has none.
type Program struct{ Config, DB string }

// Command returns a command line that a person can copy into a shell.
func (p Program) Command(args ...string) string {
	argv := []string{"roundtable"}
	if p.Config != "" {
		argv = append(argv, "--config", p.Config)
	}
	if p.DB != "" {
		argv = append(argv, "--db", p.DB)
	}
	return Command(append(argv, args...))
}

// Hints returns a message of the program with the flags in its commands, which are in
// backquotes.
func (p Program) Hints(message string) string {
	return strings.NewReplacer("`roundtable ", "`"+p.Command()+" ", "`roundtable`", "`"+p.Command()+"`").Replace(message)
}

// Format is Hints for a format of package fmt.
func (p Program) Format(format string) string {
	p.Config, p.DB = strings.ReplaceAll(p.Config, "%", "%%"), strings.ReplaceAll(p.DB, "%", "%%")
	return p.Hints(format)
}

package secret

import (
	"slices"
	"strings"
)

// Mask replaces all secrets in a text by what masked returns for them. It returns the text
// itself if it has none.
func Mask(text string, masked func(secret string) string) string {
	s := scanner{text: text, masked: masked}
	s.scan()
	if s.done == 0 {
		return text
	}
	return s.out.String() + text[s.done:]
}

// scanner reads a text once, and a name or a value in it once more when it is complete, so that
// no text makes it slow.
type scanner struct {
	text   string
	masked func(secret string) string
	out    strings.Builder
	done   int // up to where text is in out
	looks  int // bytes that were looked at, each as often as it was

	last run
	dull int // up to here an unquoted value has no digit

	line      int // where it begins
	word      int // where the last word of letters, digits, _ . and - begins
	wordEnd   int
	before    int // where the word before it begins; -1: it is not beside it
	command   string
	cookies   bool // the line is a header with cookies
	cell      int  // where the cell of a table begins; 0: the line is no row of one
	column    int
	row       int    // from 1; 0: not in a table
	secrets   uint64 // the columns whose heads are names of secrets
	cellNamed bool   // the cell before is the name of a secret
}

func (s *scanner) scan() {
	s.before = -1
	for i := 0; i < len(s.text); i++ {
		s.looks++
		if from, to := s.key(i); to > 0 {
			s.mask(from, to)
			i = to - 1
			continue
		}
		switch c := s.text[i]; c {
		case ':', '=':
			s.assignment(i)
		case '>':
			s.tag(i)
		case '|':
			s.endCell(i)
			s.command = ""
		case ';', '&':
			s.command = ""
		case ' ', '\t', '\r', '\n':
			s.endWord(i)
			if c == '\n' {
				s.newLine(i + 1)
			}
		default:
			if !isNameByte(c) {
				break
			}
			if i > s.wordEnd || i == 0 {
				s.before = -1
				if i == s.wordEnd+1 && s.text[i-1] == ' ' {
					s.before = s.word
				}
				s.word = i
			}
			s.wordEnd = i + 1
		}
		i = max(i, s.done-1)
	}
	s.endWord(len(s.text))
}

func isNameByte(c byte) bool { return isWordByte(c) || c == '.' || c == '-' }

func (s *scanner) mask(from, to int) {
	if from < s.done || from >= to {
		return
	}
	s.out.WriteString(s.text[s.done:from] + s.masked(s.text[from:to]))
	s.done = to
	if n := strings.LastIndexByte(s.text[from:to], '\n'); n >= 0 {
		s.newLine(from + n + 1)
	}
}

func (s *scanner) newLine(at int) {
	if s.cell == 0 {
		s.row, s.secrets = 0, 0
	}
	s.line, s.command, s.cookies, s.cell, s.cellNamed, s.before = at, "", false, 0, false, -1
}

// lastWords are those that make a name of two words, such as "api key".
var lastWords = []string{"key", "keys", "string"}

// name returns the name that ends before i, skipping quotes, marks of Markdown and blanks, and
// its start; "" if there is no name.
func (s *scanner) name(i int) (name string, at int) {
	end := i
	for end > s.line && strings.IndexByte(" \t\"'`*]\\", s.text[end-1]) >= 0 {
		end--
	}
	s.looks += i - end
	if end != s.wordEnd || s.word < s.line || end-s.word > maxName {
		return "", 0
	}
	at = s.word
	if s.before >= s.line && end-s.before <= maxName {
		s.looks += end - at
		if slices.Contains(lastWords, strings.ToLower(strings.Trim(s.text[at:end], "_"))) {
			at = s.before
		}
	}
	return strings.TrimLeft(s.text[at:end], "-_.0123456789"), at
}

// isSecret is Name, counted.
func (s *scanner) isSecret(name string) bool {
	s.looks += 2 * len(name)
	return name != "" && Name(name)
}

// attributes of a cookie are not secret.
var attributes = strings.Fields("path domain expires max-age samesite secure httponly priority partitioned")

// assignment masks the value after a colon or an equals sign.
func (s *scanner) assignment(i int) {
	at, rest := i+1, s.text[i+1:]
	if strings.HasPrefix(rest, "=") && s.text[i] == ':' || strings.HasPrefix(rest, ">") {
		at++
	} else if strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ":") {
		return // a comparison, a path of C++
	}
	name, begin := s.name(i)
	if name == "value" && begin > s.line {
		name = s.attribute(begin)
	}
	colon := s.text[i] == ':'
	switch {
	case name == "":
		return
	case colon && (strings.EqualFold(name, "cookie") || strings.EqualFold(name, "set-cookie")):
		s.cookies = true
		return
	case colon && (strings.EqualFold(name, "authorization") || strings.EqualFold(name, "proxy-authorization")):
		s.looks += len(name)
		scheme := s.value(at)
		if at = scheme.to; scheme.quoted || scheme.digit || at == len(s.text) || s.text[at] != ' ' {
			at = i + 1
		}
	case s.cookies && !colon && !slices.Contains(attributes, strings.ToLower(name)):
	case !s.isSecret(name):
		return
	}
	v := s.value(at)
	if s.isPlausible(v) || s.isAlone(name, begin, i, v) {
		s.mask(v.from, v.to)
	}
}

// attribute returns the value of the attribute before the one that begins at i, as in
// key="Password" value="...".
func (s *scanner) attribute(i int) string {
	end := i
	for end > s.line && (isSpace(s.text[end-1]) || s.text[end-1] == '"' || s.text[end-1] == '\'') {
		end--
	}
	begin := end
	for begin > s.line && end-begin <= maxName && isNameByte(s.text[begin-1]) {
		begin--
	}
	s.looks += i - begin
	return s.text[begin:end]
}

func (s *scanner) tag(i int) {
	if i != s.wordEnd || s.word == 0 || s.word <= s.line || s.text[s.word-1] != '<' && s.text[s.word-1] != ':' {
		return
	}
	if name := s.text[s.word:i]; len(name) <= maxName && s.isSecret(name) {
		if v := s.value(i + 1); s.isPlausible(v) {
			s.mask(v.from, v.to)
		}
	}
}

// passwordOptions are the options of commands that are followed by a password, + if it is in the
// same word, or by a user and a password, :.
var passwordOptions = map[string]string{
	"curl": "u:U:", "http": "a:", "https": "a:", "xh": "a:", "sshpass": "p p+", "login": "p ", "redis-cli": "a ",
	"mongo": "p ", "mongosh": "p ", "mongodump": "p ", "mongorestore": "p ", "sqlcmd": "P ", "bcp": "P ", "zip": "P ", "unzip": "P ",
	"ldapsearch": "w ", "ldapadd": "w ", "ldapmodify": "w ", "mosquitto_pub": "P ", "mosquitto_sub": "P ",
	"mysql": "p+", "mysqldump": "p+", "mysqladmin": "p+", "mariadb": "p+", "7z": "p+", "7za": "p+",
}

// endWord masks what follows an option of a command, or "is" after the name of a secret.
func (s *scanner) endWord(i int) {
	if i != s.wordEnd || s.word == i || s.word < s.done {
		return
	}
	word := s.text[s.word:i]
	switch {
	case len(word) > maxName:
	case word[0] == '-':
		s.option(i, word)
	case word == "is" || word == "was":
		if s.before < s.line || s.before < 0 {
			return
		}
		if name := strings.TrimRight(s.text[s.before:s.word], " "); s.isSecret(name) {
			v := s.value(i + 1)
			strong := v.quoted || v.digit && v.letter && (v.special || v.capital && v.small)
			for !v.quoted && v.to > v.from && s.text[v.to-1] == '.' {
				v.to--
			}
			if strong && s.isPlausible(v) {
				s.mask(v.from, v.to)
			}
		}
	case len(word) <= 13:
		s.looks += len(word)
		if passwordOptions[word] != "" {
			s.command = word
		}
	}
}

func (s *scanner) option(i int, word string) {
	if long, ok := strings.CutPrefix(word, "--"); ok {
		if s.isSecret(long) && i < len(s.text) {
			if v := s.value(i); s.isPlausible(v) {
				s.mask(v.from, v.to)
			}
		}
		return
	}
	options := passwordOptions[s.command]
	at := strings.IndexByte(options, word[min(1, len(word)-1)])
	switch {
	case at < 0 || at%2 != 0:
	case len(word) > 2 && strings.Contains(options, word[1:2]+"+"):
		if v := s.value(s.word + 2); v.to-v.from >= minWord && !stands(s.text[v.from:v.to]) {
			s.mask(v.from, v.to)
		}
	case len(word) == 2 && options[at+1] != '+' && i < len(s.text):
		v := s.value(i)
		if options[at+1] == ':' {
			_, password, _ := strings.Cut(s.text[v.from:v.to], ":")
			v.from = v.to - len(password)
		}
		if v.to-v.from >= minWord && !stands(s.text[v.from:v.to]) {
			s.mask(v.from, v.to)
		}
	}
}

// endCell masks a table cell next to the name of a secret, or below it.
func (s *scanner) endCell(i int) {
	if s.cell == 0 {
		if strings.Trim(s.text[s.line:i], " \t") == "" {
			s.cell, s.column = i+1, 0
			s.row++
		}
		return
	}
	from, to := s.cell, i
	for from < to && strings.IndexByte(" \t*`", s.text[from]) >= 0 {
		from++
	}
	for to > from && strings.IndexByte(" \t*`", s.text[to-1]) >= 0 {
		to--
	}
	named := s.cellNamed
	s.cellNamed = to-from <= maxName && strings.IndexByte(s.text[from:to], '=') < 0 && s.isSecret(s.text[from:to])
	column := uint64(1) << min(s.column, 63)
	if s.row == 1 && s.cellNamed {
		s.secrets |= column
	}
	if from < to && !s.cellNamed && (named || s.row > 1 && s.secrets&column != 0) {
		v := s.value(from)
		if v.quoted = v.quoted || s.text[to] == '`'; v.to == to && s.isPlausible(v) {
			s.mask(v.from, v.to)
		}
	}
	s.cell, s.column = i+1, s.column+1
}

type value struct {
	from, to                               int
	quoted                                 bool
	digit, letter, special, capital, small bool
	same                                   bool // all bytes are
}

// value returns the value that begins at an offset after blanks and marks of Markdown: up to the
// end of its quotes or of its word. One in quotes has no blanks in it.
func (s *scanner) value(at int) value {
	begin := at
	for at < len(s.text) && strings.IndexByte(" \t*", s.text[at]) >= 0 {
		at++
	}
	s.looks += at - begin
	if at < s.dull {
		return value{from: at, to: at}
	}
	v := value{same: true}
	if strings.HasPrefix(s.text[at:], `\`) {
		at++
	}
	var quote byte
	if at < len(s.text) && strings.IndexByte("\"'`", s.text[at]) >= 0 {
		quote = s.text[at]
		at++
	}
	end, word := min(len(s.text), at+maxValue), 0
	v.from, v.to = at, at
	for ; v.to < end; v.to++ {
		c := s.text[v.to]
		if v.quoted = quote != 0 && c == quote; v.quoted || isSpace(c) || c == '\n' {
			break
		}
		if strings.IndexByte(",;\"'`<>()[]{}&|", c) >= 0 {
			if quote == 0 {
				break
			}
			if word == 0 {
				word = v.to
			}
		}
		v.same = v.same && c == s.text[at]
		v.add(c)
	}
	s.looks += v.to - at
	switch {
	case v.quoted:
		v.to = v.from + len(strings.TrimSuffix(s.text[v.from:v.to], `\`))
	case word > 0: // its quote is not closed
		v.to = word
	case !v.digit && quote == 0:
		s.dull = v.to
	}
	return v
}

func (v *value) add(c byte) {
	switch {
	case isDigit(c):
		v.digit = true
	case isLetter(c) || c >= 0x80:
		v.letter = true
		v.capital, v.small = v.capital || c < 'a', v.small || c >= 'a'
	case strings.IndexByte(separated, c) >= 0:
		v.special = true
	}
}

// isPlausible reports whether a value can be a secret: it is no word, number, identifier or
// placeholder.
func (s *scanner) isPlausible(v value) bool {
	text := s.text[v.from:v.to]
	if len(text) < minWord || !v.letter || v.same || isPlaceholder(text) {
		return false
	}
	if v.quoted {
		return v.digit || v.special
	}
	return v.digit && (len(text) >= 8 || v.special)
}

// isAlone reports whether a line has nothing but the name of a password, which begins at begin,
// a separator at i and a value. The value may be a plain word there.
func (s *scanner) isAlone(name string, begin, i int, v value) bool {
	if v.to-v.from < minWord || v.to-v.from >= maxValue || begin-s.line > 20 {
		return false
	}
	lead := strings.TrimLeft(s.text[s.line:begin], " \t>+#-*_\"'`")
	rest, after := v.to, " \t\r*`"
	if v.quoted {
		after = " \t\r*`\"',;"
	}
	for rest < len(s.text) && rest-v.to < 20 && strings.IndexByte(after, s.text[rest]) >= 0 {
		rest++
	}
	s.looks += begin - s.line + rest - v.to
	if lead != "" && lead != "export " || rest < len(s.text) && s.text[rest] != '\n' {
		return false
	}
	text := s.text[v.from:v.to]
	s.looks += 3*len(name) + 2*len(text)
	marked := strings.ContainsAny(s.text[s.line:i], "*`") || strings.IndexByte("*`", s.text[min(i+1, len(s.text)-1)]) >= 0
	w := words(name)
	switch {
	case marked && !v.digit && !v.special, s.text[i+1] == '=': // a list explains words
		return false
	case passwordNames().MatchString(w):
	case tokenNames().MatchString(w) && (s.text[i] == '=' && s.text[i+1] != ' ' || name == strings.ToUpper(name)):
		if !v.letter && !v.special {
			return false
		}
	default:
		return false
	}
	return !stands(text)
}

package demo

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

//go:embed script.txt
var scriptFile string

// section is a part of the script: its keys and its text.
type section struct {
	keys map[string]string
	text string
}

// script is the script of the panel.
type script struct {
	sections map[string]section
	seats    []string // in their order
}

// loadScript parses the script when it is first used, since most runs of the
// program have no demo.
var loadScript = sync.OnceValue(func() script {
	s := script{sections: map[string]section{}}
	heads := regexp.MustCompile(`(?m)^-- (.+) --\n`).FindAllStringSubmatchIndex(scriptFile, -1)
	for i, h := range heads {
		end := len(scriptFile)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		name := scriptFile[h[2]:h[3]]
		s.sections[name] = parseSection(scriptFile[h[1]:end])
		if seat, ok := strings.CutPrefix(name, "seat "); ok {
			s.seats = append(s.seats, seat)
		}
	}
	return s
})

func parseSection(body string) section {
	head, text, _ := strings.Cut(body, "\n\n")
	if strings.HasPrefix(body, "\n") {
		head, text = "", body
	}
	s := section{keys: map[string]string{}, text: strings.Trim(text, "\n")}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		s.keys[key] = value
	}
	return s
}

// text returns the text of a section.
func text(name string) string { return loadScript().sections[name].text }

// key returns the value of a key of a section.
func key(name, k string) string { return loadScript().sections[name].keys[k] }

// text returns the text of a section, in the version for the demo's own question if the
// debate is about it.
func (p prompt) text(name string) string {
	if own := text("own " + name); p.own && own != "" {
		return own
	}
	return text(name)
}

// key is text for the value of a key.
func (p prompt) key(name, k string) string {
	if own := key("own "+name, k); p.own && own != "" {
		return own
	}
	return key(name, k)
}

// fill replaces names in braces by values. The pairs are names and values.
func fill(text string, pairs ...string) string {
	var braced []string
	for i := 0; i < len(pairs); i += 2 {
		braced = append(braced, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(braced...).Replace(text)
}

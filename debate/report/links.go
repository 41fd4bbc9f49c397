package report

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"sync"

	"roundtable/debate/cite"
)

// links are the links of a page between citations and what they name. Both are found by the
// citation as text, such as C1 or F1:3-5.
type links struct {
	targets map[string]string // the ids of what is cited
	back    map[string][]link // the statements that cite it
}

// link is a link within the page.
type link struct{ ID, Text string }

func linksOf(r Report) links {
	l := links{targets: map[string]string{}, back: map[string][]link{}}
	for _, q := range r.Requests {
		l.targets[q.Request] = requestAnchor(q.Request)
	}
	for _, e := range r.Evidence {
		l.targets[e.ID] = "evidence"
	}
	for i, c := range r.Cited {
		l.targets[c.Citation.String()] = citedAnchor(i)
	}
	for _, round := range r.History {
		for i, x := range round.Responses {
			if x.Done() {
				st := x.Statement
				from := link{fmt.Sprintf("said-%d-%d", x.Round, i), fmt.Sprintf("%s, round %d", r.Who(x.Agent), x.Round)}
				l.add(from, x.Cited(), citationTexts(st.Position), citationTexts(st.Body))
			}
		}
	}
	if c := r.Conclusion; c != nil {
		l.add(link{"verdict", "the verdict"}, citationTexts(c.Text), cite.Requests(c.Text))
	}
	return l
}

func requestAnchor(request string) string { return "request-" + request }

func citedAnchor(i int) string { return fmt.Sprintf("cited-%d", i+1) }

// only returns the links to what is listed.
func (l links) only(listed []link) links {
	targets := map[string]string{}
	for ref, id := range l.targets {
		if slices.ContainsFunc(listed, func(x link) bool { return x.ID == id }) {
			targets[ref] = id
		}
	}
	return links{targets, nil}
}

func citationTexts(s string) []string {
	var out []string
	for _, c := range slices.Concat(cite.Evidence(s), cite.Files(s)) {
		out = append(out, c.String())
	}
	return out
}

func (l links) add(from link, lists ...[]string) {
	for _, ref := range slices.Concat(lists...) {
		ref = strings.Trim(ref, "[] ")
		if !slices.Contains(l.back[ref], from) {
			l.back[ref] = append(l.back[ref], from)
		}
	}
}

// Anchor returns the id of what a citation names; "" if nothing on the page is.
func (l links) Anchor(ref string) string { return l.targets[ref] }

// Citing returns the statements that cite something.
func (l links) Citing(ref string) []link { return l.back[ref] }

// Ref returns a citation, linked to what it names.
func (l links) Ref(ref string) template.HTML {
	return template.HTML(l.linked(html.EscapeString(ref))) //nolint:gosec // escaped
}

// Prose renders a model's Markdown, with its citations linked.
func (l links) Prose(s string) template.HTML {
	var b strings.Builder
	skip, done := 0, 0 // skip: within how many elements that have no links
	rendered := string(markdownHTML(s))
	for _, at := range tagOrCitation().FindAllStringIndex(rendered, -1) {
		found := rendered[at[0]:at[1]]
		b.WriteString(rendered[done:at[0]])
		done = at[1]
		switch {
		case strings.HasPrefix(found, "<a "), strings.HasPrefix(found, "<code"), strings.HasPrefix(found, "<pre"):
			skip++
		case found == "</a>", found == "</code>", found == "</pre>":
			skip--
		case found[0] == '[' && skip == 0:
			found = l.linked(found)
		}
		b.WriteString(found)
	}
	return template.HTML(b.String() + rendered[done:]) //nolint:gosec // markdownHTML is safe
}

// tagOrCitation matches a tag, or brackets, in rendered Markdown.
var tagOrCitation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[^>]*>|\[[^\[\]<>\n]{1,300}\]`) })

var idOrLines = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[CF]\d+(:\d+(-\d+)?)?\b`) })

// linked returns escaped text with the citations in it as links: as a whole, or each.
func (l links) linked(escaped string) string {
	if id := l.targets[html.UnescapeString(strings.Trim(escaped, "[] "))]; id != "" {
		return `<a href="#` + html.EscapeString(id) + `">` + escaped + `</a>`
	}
	return idOrLines().ReplaceAllStringFunc(escaped, func(ref string) string {
		if id := l.targets[ref]; id != "" {
			return `<a href="#` + html.EscapeString(id) + `">` + ref + `</a>`
		}
		return ref
	})
}

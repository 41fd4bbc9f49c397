package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// maxTarget is how many bytes of an address are shown; data URLs can have any length.
const maxTarget = 300

// inline collects the inline content of a node as rich text.
type inline struct {
	richText
	src []byte
	cut string // marks omitted text
}

// inline returns the inline content of a node as rich text.
func (l *layout) inline(n ast.Node, st style) richText {
	t := inline{src: l.src, cut: l.r.styles.Cut}
	t.children(n, st)
	return t.richText
}

// children adds the children of a node.
func (t *inline) children(n ast.Node, st style) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t.node(c, st)
	}
}

// node adds a node.
func (t *inline) node(n ast.Node, st style) {
	switch n := n.(type) {
	case *ast.Text:
		t.plain(n, st)
	case *ast.String:
		t.add(string(n.Value), st)
	case *ast.CodeSpan:
		t.code(n, st)
	case *ast.Emphasis:
		if n.Level > 1 {
			t.children(n, st|strong)
		} else {
			t.children(n, st|emphasis)
		}
	case *east.Strikethrough:
		// Many terminals cannot strike text through, and without that it would say the
		// opposite, so the tildes stay.
		t.add("~~", markStyle(st))
		t.children(n, st|strike)
		t.add("~~", markStyle(st))
	case *ast.Link:
		t.link(n, n.Destination, "", st)
	case *ast.Image:
		t.link(n, n.Destination, "image", st)
	case *ast.AutoLink:
		label := string(n.Label(t.src))
		if isWeb(string(n.URL(t.src))) {
			st = withRole(linkRole, st)
		}
		t.add(label, st)
	case *ast.RawHTML:
		t.html(n, st)
	case *east.TaskCheckBox:
		// list draws it as the marker of its item
	default:
		t.children(n, st)
	}
}

// plain adds text with its line breaks.
func (t *inline) plain(n *ast.Text, st style) {
	v := n.Segment.Value(t.src)
	if n.IsRaw() {
		t.add(string(v), st)
	} else {
		t.add(unescape(v), st)
	}
	switch {
	case n.HardLineBreak():
		t.add("\n", st)
	case n.SoftLineBreak():
		t.softBreak()
	}
}

// code keeps the backticks, in a style of their own: without colour nothing else would
// show where the code ends.
func (t *inline) code(n *ast.CodeSpan, st style) {
	t.add("`", markStyle(st))
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c, ok := c.(*ast.Text); ok {
			v := string(c.Segment.Value(t.src))
			t.add(strings.ReplaceAll(v, "\n", " "), withRole(codeRole, st))
		}
	}
	t.add("`", markStyle(st))
}

// link adds the text of a link or an image, followed by its address.
func (t *inline) link(n ast.Node, dest []byte, unnamed string, st style) {
	target := unescape(dest)
	web := isWeb(target)
	text := st
	if web {
		text = withRole(linkRole, st)
	}
	from := len(t.text)
	t.children(n, text)
	if label := strings.TrimSpace(t.text[from:]); label == "" {
		if unnamed == "" {
			unnamed, target = target, ""
		}
		t.add(t.truncate(unnamed), text)
	} else if sameTarget(label, target) {
		return
	}
	if target != "" && !strings.HasPrefix(target, "#") {
		t.add(" ("+t.truncate(target)+")", withRole(targetRole, st))
	}
}

// truncate cuts an address to maxTarget bytes.
func (t *inline) truncate(target string) string {
	if len(target) <= maxTarget {
		return target
	}
	return strings.ToValidUTF8(target[:maxTarget], "") + t.cut
}

// html adds a tag as it is written. Only <br> becomes a line break, since tables have
// no other way to write one.
func (t *inline) html(n *ast.RawHTML, st style) {
	var b strings.Builder
	for i := range n.Segments.Len() {
		s := n.Segments.At(i)
		b.Write(s.Value(t.src))
	}
	if strings.EqualFold(strings.Trim(b.String(), "</ >"), "br") {
		t.add("\n", st)
		return
	}
	t.add(strings.ReplaceAll(b.String(), "\n", " "), st)
}

// withRole returns a style in another role, keeping its flags.
func withRole(r, st style) style { return r | st&(flags-1) }

// markStyle returns the style of a mark within text of a style.
func markStyle(st style) style { return withRole(markRole, st) }

// isWeb reports whether an address is an http or https URL.
func isWeb(target string) bool {
	scheme, _, ok := strings.Cut(target, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// sameTarget reports whether the text of a link already is its address.
func sameTarget(label, target string) bool {
	trim := func(s string) string {
		for _, p := range []string{"https://", "http://", "mailto:"} {
			if len(s) >= len(p) && strings.EqualFold(s[:len(p)], p) {
				s = s[len(p):]
				break
			}
		}
		return strings.TrimSuffix(s, "/")
	}
	return trim(label) == trim(target)
}

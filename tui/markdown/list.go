package markdown

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// list writes a list. Numbers are right-aligned, so that the text of all items begins
// in the same column.
func (l *layout) list(n *ast.List) {
	digits := len(strconv.Itoa(n.Start + n.ChildCount() - 1))
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		marker := l.r.styles.Bullet
		if n.IsOrdered() {
			s := strconv.Itoa(number)
			marker = strings.Repeat(" ", max(digits-len(s), 0)) + s + string(n.Marker)
			number++
		}
		if box := taskBox(item); box != "" {
			marker = strings.TrimPrefix(marker+" "+box, l.r.styles.Bullet+" ")
		}
		if item != n.FirstChild() && !n.IsTight {
			l.emit("")
		}
		l.item(item, marker)
	}
}

// item writes a list item behind its marker.
func (l *layout) item(n ast.Node, marker string) {
	cells := ansi.StringWidth(marker) + 1
	p := prefix{first: l.r.render(marker, markRole) + " ", rest: strings.Repeat(" ", cells), cells: cells}
	l.withPrefix(p, func() {
		before := len(l.lines)
		l.children(n)
		if len(l.lines) == before {
			l.emit("")
		}
	})
}

// taskBox returns the check box of a task list item; "" if it has none.
func taskBox(item ast.Node) string {
	text := item.FirstChild()
	if text == nil {
		return ""
	}
	switch box, ok := text.FirstChild().(*east.TaskCheckBox); {
	case !ok:
		return ""
	case box.IsChecked:
		return "[x]"
	default:
		return "[ ]"
	}
}

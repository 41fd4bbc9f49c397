package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// index maps the keys of a document to their positions. Keys are dotted paths with
// list elements by number, such as "agents[0].model".
type index struct {
	keys   map[string]position
	names  map[position][]string // the key whose name or value is at a position, without element numbers
	exprs  []expr
	broken bool // part of the document is not TOML
}

type position struct{ line, column int }

// span is a range of bytes.
type span struct{ from, to int }

// expr is a part of the document that can be removed as a whole: a key with its
// value, or a table with its header.
type expr struct {
	span
	start, end position
	path       string
}

// indexOf indexes the document up to its first syntax error.
func indexOf(doc []byte) index {
	x := indexer{
		index: index{keys: map[string]position{}, names: map[position][]string{}}, doc: doc, lines: []int{0},
		tables: map[string]int{},
	}
	for i, b := range doc {
		if b == '\n' {
			x.lines = append(x.lines, i+1)
		}
	}
	x.parser.Reset(doc)
	for x.parser.NextExpression() {
		x.expression(x.parser.Expression())
	}
	x.closeTable(len(doc))
	x.broken = x.parser.Error() != nil
	return x.index
}

type indexer struct {
	index
	doc    []byte
	lines  []int // offset of each line
	parser unstable.Parser
	tables map[string]int // number of [[NAME]] headers so far
	prefix string         // path of the current table, with a dot
	within []string       // path of the current table, in parts
	header int            // index in exprs of the current table, from 1
}

func (x *indexer) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.KeyValue:
		at := spanOf(n.Raw)
		x.exprs = append(x.exprs, expr{at, x.placeOf(at.from), x.placeOf(at.to), x.prefix + x.keyPath(n)})
		x.keyValue(x.prefix, x.within, n)
	case unstable.Table, unstable.ArrayTable:
		x.table(n)
	default: // the parser is not asked for comments
	}
}

func (x *indexer) table(n *unstable.Node) {
	path, first := "", unstable.Range{}
	x.within = nil
	for it := n.Key(); it.Next(); {
		x.within = append(x.within, string(it.Node().Data))
		if path == "" {
			first = it.Node().Raw
		} else if count := x.tables[path]; count > 0 {
			path = fmt.Sprintf("%s[%d]", path, count-1)
		}
		path = join(path, string(it.Node().Data))
	}
	if n.Kind == unstable.ArrayTable {
		x.tables[path]++
		path = fmt.Sprintf("%s[%d]", path, x.tables[path]-1)
	}
	x.note(path, first)
	from := int(first.Offset)
	for from > 0 && x.doc[from-1] != '\n' {
		from--
	}
	x.closeTable(from)
	x.exprs = append(x.exprs, expr{span{from, len(x.doc)}, x.placeOf(from), x.placeOf(from), path})
	x.header, x.prefix = len(x.exprs), path+"."
}

func (x *indexer) closeTable(at int) {
	if x.header > 0 {
		x.exprs[x.header-1].to, x.exprs[x.header-1].end = at, x.placeOf(at)
	}
}

func (x *indexer) keyPath(n *unstable.Node) string {
	path := ""
	for it := n.Key(); it.Next(); {
		path = join(path, string(it.Node().Data))
	}
	return path
}

func (x *indexer) keyValue(prefix string, within []string, n *unstable.Node) {
	path, names := strings.TrimSuffix(prefix, "."), slices.Clone(within)
	for it := n.Key(); it.Next(); {
		path, names = join(path, string(it.Node().Data)), append(names, string(it.Node().Data))
		x.note(path, it.Node().Raw)
		x.name(names, it.Node().Raw)
	}
	x.value(path, names, n.Value())
}

func (x *indexer) value(path string, names []string, v *unstable.Node) {
	if v.Raw.Length > 0 {
		x.name(names, v.Raw)
	}
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			x.keyValue(path+".", names, it.Node())
		}
	case unstable.Array:
		i := 0
		for it := v.Children(); it.Next(); i++ {
			element := fmt.Sprintf("%s[%d]", path, i)
			if it.Node().Raw.Length > 0 { // nested lists have no position
				x.note(element, it.Node().Raw)
			}
			x.value(element, names, it.Node())
		}
	default:
	}
}

// note records the first position of a key.
func (x *indexer) note(path string, at unstable.Range) {
	if _, ok := x.keys[path]; !ok {
		x.keys[path] = x.placeOf(int(at.Offset))
	}
}

func (x *indexer) name(names []string, at unstable.Range) {
	x.names[x.placeOf(int(at.Offset))] = slices.Clone(names)
}

func (x *indexer) placeOf(offset int) position {
	line, found := slices.BinarySearch(x.lines, offset)
	if found {
		line++
	}
	return position{line, offset - x.lines[line-1] + 1}
}

// around returns the smallest expr that contains a position.
func (x index) around(line, column int) (expr, bool) {
	var best expr
	at := position{line, column}
	for _, e := range x.exprs {
		if !at.before(e.start) && at.before(e.end) && (best.to == 0 || e.to-e.from < best.to-best.from) {
			best = e
		}
	}
	return best, best.to > 0
}

// keyAt returns the key at a position. The decoder's own key omits the names before
// inline tables, so it is only the fallback.
func (x index) keyAt(line, column int, fallback []string) []string {
	if key, ok := x.names[position{line, column}]; ok {
		return key
	}
	return fallback
}

func (p position) before(q position) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

func spanOf(r unstable.Range) span { return span{int(r.Offset), int(r.Offset + r.Length)} }

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

package config

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

type entry struct {
	path         string   // dotted, with elements by number, such as agents[0].model
	names        []string // the same in parts, without the numbers
	line, column int
	expr         unstable.Range // the key with its value; empty for a table
}

// entriesOf lists the keys of a document up to its first syntax error, in its order.
func entriesOf(doc []byte) []entry {
	x := indexer{doc: doc, line: 1, lists: map[string]int{}}
	var p unstable.Parser
	for p.Reset(doc); p.NextExpression(); {
		switch n := p.Expression(); n.Kind {
		case unstable.KeyValue:
			x.keyValue(x.table, n)
		case unstable.Table, unstable.ArrayTable:
			x.header(n)
		default: // the parser is not asked for comments
		}
	}
	return x.entries
}

type indexer struct {
	entries []entry
	doc     []byte
	at      int // how far lines are counted
	line    int // there
	table   entry
	lists   map[string]int // number of [[NAME]] headers so far
}

func (x *indexer) header(n *unstable.Node) {
	var e entry
	first := unstable.Range{}
	for it := n.Key(); it.Next(); {
		if len(e.names) == 0 {
			first = it.Node().Raw
		} else if count := x.lists[e.path]; count > 0 {
			e.path = fmt.Sprintf("%s[%d]", e.path, count-1)
		}
		e = e.below(string(it.Node().Data))
	}
	if n.Kind == unstable.ArrayTable {
		x.lists[e.path]++
		e.path = fmt.Sprintf("%s[%d]", e.path, x.lists[e.path]-1)
	}
	x.note(e, first)
	x.table = e
}

func (x *indexer) keyValue(e entry, n *unstable.Node) {
	e.expr = n.Raw
	for it := n.Key(); it.Next(); {
		e = e.below(string(it.Node().Data))
		x.note(e, it.Node().Raw)
	}
	x.value(e, n.Value())
}

func (x *indexer) value(e entry, v *unstable.Node) {
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			x.keyValue(e, it.Node())
		}
	case unstable.Array:
		list := e.path
		for it, i := v.Children(), 0; it.Next(); i++ {
			e.path = fmt.Sprintf("%s[%d]", list, i)
			if it.Node().Raw.Length > 0 { // nested lists have no position
				x.note(e, it.Node().Raw)
			}
			x.value(e, it.Node())
		}
	default:
	}
}

func (x *indexer) note(e entry, at unstable.Range) {
	from := int(at.Offset)
	x.line += bytes.Count(x.doc[x.at:from], []byte("\n"))
	x.at = from
	e.line, e.column = x.line, from-bytes.LastIndexByte(x.doc[:from], '\n')
	x.entries = append(x.entries, e)
}

func (e entry) below(name string) entry {
	if e.names = append(slices.Clip(e.names), name); e.path != "" {
		e.path += "."
	}
	e.path += name
	return e
}

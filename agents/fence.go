package agents

import "strings"

// fence is the line that opens a code block. The zero value means that no block is open.
type fence struct {
	mark byte
	size int
}

func (f fence) after(line string) fence {
	line = strings.TrimSpace(line)
	if line == "" || line[0] != '`' && line[0] != '~' {
		return f
	}
	row := fence{line[0], len(line) - len(strings.TrimLeft(line, line[:1]))}
	info := line[row.size:]
	switch {
	case row.size < 3 || row.mark == '`' && strings.Contains(info, "`"):
	case f.size == 0:
		return row
	case f.mark == row.mark && row.size >= f.size && info == "":
		return fence{}
	}
	return f
}

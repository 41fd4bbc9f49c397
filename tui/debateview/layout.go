package debateview

import (
	"roundtable/tui/screen"
)

// Sizes that decide what is drawn.
const (
	paneWidth = 40 // least width of a pane next to others, with the gap
	paneRows  = 12 // least rows of a pane above or below others
	fewRows   = 4  // the same where a few seats are all shown
	airy      = 30 // height from which a blank row is below the top line
)

// box is a rectangle of the terminal, in cells.
type box struct{ x, y, w, h int }

// slot is the place of one seat's pane. Seats are counted from 0 here.
type slot struct {
	seat int
	box
}

// viewport is what the user chose to look at.
type viewport struct {
	focus  int  // seat
	chosen bool // by the user, so that it does not follow what happens
	first  int  // seat of the first pane, where not all are drawn
	zoom   bool // the focus alone

	banner int // lines above the panes
	asked  int // rows of the question below the top line
	lost   int // rows that a notice takes from the panes
}

// layout is where everything is on the debate screen. The top line is row 0, the
// notice the last row but one, the bottom line the last.
type layout struct {
	body   box    // between the top line, or the chips, and the notice
	chips  int    // row of the seat chips; 0: all panes are drawn
	banner int    // lines of the banner that fit above the body
	first  int    // as in viewport, moved to contain the focus
	slots  []slot // by seat
}

func middle(w, h int) box {
	y := 1
	if h >= airy {
		y = 2
	}
	return box{0, y, w, h - y - 2}
}

// arrange places the panes of a debate. If they do not all fit, it places as many
// rows as fit around the focus, and a row of chips shows all seats.
func arrange(w, h, seats int, s viewport) layout {
	l := layout{body: middle(w, h)}
	if seats == 0 || screen.TooSmall(w, h) {
		return l
	}
	l.body.y, l.body.h = l.body.y+s.asked, l.body.h-s.asked
	top := l.body.y
	l.makeRoom(s.banner, h)
	cols := max(1, min(seats, (w+1)/paneWidth))
	rows := (seats + cols - 1) / cols
	fits := rows == 1 || cols > 1 && l.body.h/rows >= leastRows(w, h, seats)
	if fits && (!s.zoom || seats == 1) {
		l.place(0, seats, rows, s.lost)
		return l
	}
	l.chips = top
	l.body.y, l.body.h = l.body.y+1, l.body.h-1
	rows = max(1, min(rows-1, l.body.h/paneRows))
	if s.zoom || cols == 1 {
		cols, rows = 1, 1
	}
	n := cols * rows
	l.first = max(0, min(max(s.first, s.focus-n+1), s.focus, seats-n)) // moved as little as possible to have the focus
	l.place(l.first, n, rows, s.lost)
	return l
}

// leastRows returns the least rows of a pane above or below others. Three seats are all
// shown from 80x24 on, and four from 100x30.
func leastRows(w, h, seats int) int {
	if seats <= 3 && w >= 80 && h >= 24 || seats <= 4 && w >= 100 && h >= 30 {
		return fewRows
	}
	return paneRows
}

// makeRoom takes rows from the body for a banner, with a blank row above it if
// there is room.
func (l *layout) makeRoom(banner, h int) {
	switch {
	case banner == 0:
		return
	case h >= 20:
		l.body.y, l.body.h = l.body.y+1, l.body.h-1
	case h < 16:
		banner = 1
	}
	l.banner = min(banner, max(l.body.h-6, 1))
	l.body.y, l.body.h = l.body.y+l.banner, l.body.h-l.banner
}

// place fills the body, but for the rows that are lost, with n panes from seat first on,
// balanced over rows.
func (l *layout) place(first, n, rows, lost int) {
	l.body.h -= lost
	y := l.body.y
	for r, h := range share(l.body.h, rows, 0) {
		x := l.body.x
		for _, w := range share(l.body.w, perRow(n, rows, r), 1) {
			l.slots = append(l.slots, slot{first + len(l.slots), box{x, y, w, h}})
			x += w + 1
		}
		y += h
	}
}

// perRow returns how many of n panes are in row r; the upper rows get one more.
func perRow(n, rows, r int) int {
	k := n / rows
	if r < n%rows {
		k++
	}
	return k
}

// share divides a length into n parts with gaps between them; the first parts get
// the remainder.
func share(length, n, gap int) []int {
	length -= gap * (n - 1)
	parts := make([]int, n)
	for i := range parts {
		parts[i] = perRow(length, n, i)
	}
	return parts
}

func (b box) holds(x, y int) bool { return x >= b.x && x < b.x+b.w && y >= b.y && y < b.y+b.h }

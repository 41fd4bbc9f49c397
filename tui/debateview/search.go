package debateview

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"roundtable/internal/text"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
)

const maxPlaces = 999

// search is the search over the transcripts of all seats. The transcripts are read in a
// command, one at a time, so that a key costs the same however long they are.
type search struct {
	sc     *Screen
	words  string  // "": nothing is searched for
	found  string  // the words that the places are of
	places []place // by round, then by step and seat
	at     int     // the place that is shown
	round  int     // that the panes show
	busy   bool    // the transcripts are being read
	stale  bool    // they have grown since

	near place // the seat and the round that come first
}

type place struct {
	seat int // from 0
	pane.Place
}

// foundMsg is where the words of a search occur. Step is by how many places to move.
type foundMsg struct {
	sessionID
	words  string
	places []place
	step   int
}

func (s *search) ask() screen.Outcome {
	return screen.Outcome{screen.Prompt{
		Label: "/", Limit: 200, Hints: []string{"enter search", "esc close"}, NoHistory: true,
		Done:   func(words string) screen.Outcome { return s.lookNear(words, s.sc.view.focus, 0) },
		Closed: func(string) screen.Outcome { return nil },
	}}
}

// lookNear looks for a text, and shows its newest place in a seat and a round; a round
// of 0 is any.
func (s *search) lookNear(words string, seat, round int) screen.Outcome {
	s.clear()
	if s.words = text.Line(words); s.words == "" {
		return screen.Outcome{screen.ClearNotice{}}
	}
	s.near = place{seat: seat}
	s.near.Turn.Round = round
	for _, p := range s.sc.panes {
		p.Mark(s.words)
	}
	return s.read(0)
}

// read reads the transcripts, unless they are being read. Step says how many places to
// move then; with 0 the nearest is shown.
func (s *search) read(step int) screen.Outcome {
	if s.busy {
		return nil
	}
	s.busy, s.stale = true, false
	words, id := s.words, sessionID(s.sc.Session().ID)
	transcripts := make([][]pane.Passage, len(s.sc.panes))
	for i, p := range s.sc.panes {
		transcripts[i] = p.Passages()
	}
	return screen.Run(func() tea.Msg { return foundMsg{id, words, placesIn(transcripts, words), step} })
}

func placesIn(transcripts [][]pane.Passage, words string) []place {
	var all []place
	for seat, passages := range transcripts {
		most := maxPlaces
		for _, x := range passages {
			found := x.Places(words, most)
			most -= len(found)
			for _, at := range found {
				all = append(all, place{seat, at})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b place) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.seat-b.seat)
	})
	return all[:min(len(all), maxPlaces)]
}

// receive takes over what was found. If something else is searched for by now, the
// transcripts are read again.
func (s *search) receive(msg foundMsg) screen.Outcome {
	s.busy = false
	switch {
	case s.words == "":
		return nil
	case s.words != msg.words:
		return s.read(0)
	}
	at := nearest(msg.places, s.near)
	if msg.step != 0 && s.at < len(s.places) {
		at = slices.Index(msg.places, s.places[s.at]) + msg.step
	}
	s.places, s.found = msg.places, msg.words
	s.show(at)
	return s.tell()
}

func nearest(places []place, to place) int {
	at := slices.IndexFunc(places, func(p place) bool { return p.seat == to.seat && p.Turn.Round == to.Turn.Round })
	if at >= 0 {
		return at
	}
	best, score := 0, -1
	for i, p := range places {
		n := 0
		if p.seat == to.seat {
			n++
		}
		if n >= score {
			best, score = i, n
		}
	}
	return best
}

// show shows a place: focus and round follow. After the last place comes the first.
func (s *search) show(at int) {
	n := len(s.places)
	if n == 0 {
		return
	}
	s.at = (at%n + n) % n
	to := s.places[s.at]
	s.sc.choose(to.seat)
	for i, p := range s.sc.panes {
		if i != to.seat && s.round != to.Turn.Round && !s.sc.view.zoom {
			p.ShowRound(to.Turn.Round)
		}
	}
	s.round = to.Turn.Round
	s.sc.panes[to.seat].ShowPlace(to.Place)
}

func (s *search) tell() screen.Outcome {
	words := s.words
	if len(s.places) == 0 {
		s.clear()
		return screen.Tell(screen.Info, fmt.Sprintf("No match for %q in this debate.", words))
	}
	all, at := strconv.Itoa(len(s.places)), s.places[s.at]
	if len(s.places) == maxPlaces {
		all += "+"
	}
	where := fmt.Sprintf("%d of %s · %s, round %d", s.at+1, all, s.sc.nameOf(s.sc.panes[at.seat].Seat().Profile().ID), at.Turn.Round)
	return screen.Advise(screen.Info, fmt.Sprintf("%q: %s.", words, where), "n: next · N: previous · esc: clear")
}

func (s *search) next(step int) screen.Outcome {
	if s.stale || s.found != s.words {
		return s.read(step)
	}
	s.show(s.at + step)
	return s.tell()
}

func (s *search) noSearch() string {
	if s.words == "" {
		return "No search yet. Press / to start one."
	}
	return ""
}

func (s *search) end() bool {
	was := s.words != ""
	s.clear()
	return was
}

func (s *search) clear() {
	s.words, s.found, s.places, s.at, s.round = "", "", nil, 0, 0
	for _, p := range s.sc.panes {
		p.Mark("")
	}
}

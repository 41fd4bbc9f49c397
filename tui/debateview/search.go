package debateview

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"roundtable/debate"
	"roundtable/internal/text"
	"roundtable/tui/pane"
	"roundtable/tui/screen"
)

const maxPlaces = 999

// search is the search over the transcripts of all seats.
type search struct {
	sc     *Screen
	words  string  // "": nothing is searched for
	places []place // by round, then by step and seat
	at     int     // the place that is shown
	round  int     // that the panes show
	stale  bool    // the transcripts have grown since they were read

	cited   debate.Citation // the citation that is searched for, which enter opens; zero in a search for words
	citedBy int             // which seat's it is, from 0
}

type place struct {
	seat int // from 0
	pane.Place
}

func (s *search) find(words string) screen.Outcome {
	if words == "" {
		s.clear()
		return screen.Outcome{screen.ClearNotice{}}
	}
	s.look(words, s.sc.view.focus, 0)
	return s.tell()
}

// look shows the newest place of a text in a seat and a round; a round of 0 is any.
func (s *search) look(words string, seat, round int) {
	s.clear()
	s.words = text.Line(words)
	for _, p := range s.sc.panes {
		p.Mark(s.words)
	}
	s.read()
	s.show(nearest(s.places, seat, round))
}

func (s *search) read() {
	s.stale, s.places = false, nil
	for seat, p := range s.sc.panes {
		for _, at := range p.Places(s.words, maxPlaces) {
			s.places = append(s.places, place{seat, at})
		}
	}
	slices.SortStableFunc(s.places, func(a, b place) int {
		return cmp.Or(a.Turn.Round-b.Turn.Round, a.Turn.Step-b.Turn.Step, a.seat-b.seat)
	})
	s.places = s.places[:min(len(s.places), maxPlaces)]
}

func nearest(places []place, seat, round int) int {
	at := slices.IndexFunc(places, func(p place) bool { return p.seat == seat && p.Turn.Round == round })
	for i, p := range slices.Backward(places) {
		if at < 0 && p.seat == seat {
			at = i
		}
	}
	if at < 0 {
		return len(places) - 1
	}
	return at
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
		return screen.Tell(screen.Info, fmt.Sprintf("No match for \"%s\" in this debate.", words))
	}
	all, at := strconv.Itoa(len(s.places)), s.places[s.at]
	if len(s.places) == maxPlaces {
		all += "+"
	}
	where := fmt.Sprintf("%d of %s · %s, round %d", s.at+1, all, s.sc.nameOf(s.sc.panes[at.seat].Seat().Profile().ID), at.Turn.Round)
	return screen.Outcome{screen.Found{Words: words, Place: where}}
}

func (s *search) next(step int) screen.Outcome {
	if s.stale && len(s.places) > 0 {
		was := s.places[s.at]
		s.read()
		s.at = slices.Index(s.places, was)
	}
	s.show(s.at + step)
	return s.tell()
}

func (s *search) end() bool {
	was := s.words != ""
	s.clear()
	return was
}

func (s *search) clear() {
	*s = search{sc: s.sc}
	for _, p := range s.sc.panes {
		p.Mark("")
	}
}

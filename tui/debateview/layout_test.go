package debateview_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roundtable/tui/debateview"
)

func TestLayout_placesPanes(t *testing.T) {
	tests := []struct {
		name               string
		w, h, seats, focus int
		zoom               bool
		chips              int
		want               []string
	}{
		{name: "three side by side", w: 140, h: 40, seats: 3, want: []string{"1: 46x36 at 0,2", "2: 46x36 at 47,2", "3: 46x36 at 94,2"}},
		{name: "four at 120 columns are two by two", w: 120, h: 40, seats: 4, want: []string{"1: 60x18 at 0,2", "2: 59x18 at 61,2", "3: 60x18 at 0,20", "4: 59x18 at 61,20"}},
		{name: "eight just fit in three rows of twelve", w: 140, h: 40, seats: 8, want: []string{
			"1: 46x12 at 0,2", "2: 46x12 at 47,2", "3: 46x12 at 94,2", "4: 46x12 at 0,14", "5: 46x12 at 47,14", "6: 46x12 at 94,14", "7: 70x12 at 0,26", "8: 69x12 at 71,26",
		}},
		{name: "a row less and some are chips", w: 140, h: 39, seats: 8, focus: 7, chips: 2, want: []string{
			"3: 46x17 at 0,3", "4: 46x17 at 47,3", "5: 46x17 at 94,3", "6: 46x17 at 0,20", "7: 46x17 at 47,20", "8: 46x17 at 94,20",
		}},
		{name: "all three on a usual screen", w: 80, h: 24, seats: 3, want: []string{"1: 40x11 at 0,1", "2: 39x11 at 41,1", "3: 80x10 at 0,12"}},
		{name: "the focus pulls its neighbour along", w: 80, h: 23, seats: 3, focus: 2, chips: 1, want: []string{"2: 40x19 at 0,2", "3: 39x19 at 41,2"}},
		{name: "zoom", w: 80, h: 24, seats: 3, focus: 1, zoom: true, chips: 1, want: []string{"2: 80x20 at 0,2"}},
		{name: "one column has tabs", w: 78, h: 60, seats: 2, focus: 1, chips: 2, want: []string{"2: 78x55 at 0,3"}},
		{name: "too small", w: 38, h: 9, seats: 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, chips := debateview.Layout(tt.w, tt.h, tt.seats, tt.focus, 0, tt.zoom)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if chips != tt.chips {
				t.Errorf("chips in row %d, want %d", chips, tt.chips)
			}
		})
	}
}

func TestLayout_slidesOnlyWhenTheFocusLeaves(t *testing.T) {
	for _, step := range []struct{ first, focus, want int }{{0, 1, 0}, {0, 2, 1}, {1, 1, 1}, {1, 0, 0}, {5, 7, 6}} {
		slots := debateview.Slots(80, 24, 8, step.focus, step.first, false)
		if got := slots[0][0]; got != step.want {
			t.Errorf("focus %d with the window at %d: first is %d, want %d", step.focus, step.first, got, step.want)
		}
	}
}

// Whatever the size, the panes fill the middle without overlap, each is wide
// and high enough, and the focus is among them.
func TestLayout_fillsTheMiddle(t *testing.T) {
	for seats := 1; seats <= 8; seats++ {
		for w := 40; w <= 210; w += 7 {
			for h := 10; h <= 62; h += 3 {
				focus := (w + h) % seats
				area, seen := 0, false
				slots := debateview.Slots(w, h, seats, focus, 0, false)
				rows := map[int]int{}
				for _, s := range slots {
					seen = seen || s[0] == focus
					rows[s[2]]++
					area += s[3] * s[4]
					if s[1]+s[3] > w || s[2]+s[4] > h-2 || s[2] < 1 {
						t.Fatalf("%d seats at %dx%d: %v is outside", seats, w, h, s)
					}
					if len(slots) > 1 && s[3] < 39 {
						t.Fatalf("%d seats at %dx%d: %v is too narrow", seats, w, h, s)
					}
				}
				for _, s := range slots {
					if len(rows) > 1 && s[4] < 12 && seats > 4 || s[4] < 4 {
						t.Fatalf("%d seats at %dx%d: %v is too low", seats, w, h, s)
					}
					area += s[4] * boolInt(s[1] > 0) // the gap to its left
				}
				top := slots[0][2]
				if want := w * (h - 2 - top); area != want || !seen {
					t.Fatalf("%d seats at %dx%d: %d cells of %d, focus seen: %v", seats, w, h, area, want, seen)
				}
			}
		}
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

package debate

import (
	"fmt"
	"strings"
)

// Assistance is what the light model does while a round waits for it.
type Assistance string

// What it does.
const (
	NamesLists Assistance = "lists"
	Measures   Assistance = "analysis"
)

// assists announces what the round waits for. A summary holds up one seat at most,
// whose pane shows that.
func (w *watcher) assists() {
	ev := Assisting{Profile: w.who, Round: w.response.Turn.Round, At: w.response.Began}
	switch w.response.Turn.Step {
	case FillStep:
		ev.Work, ev.Lists, ev.Limit = NamesLists, w.current().Mode.unfilled(), fillTimeout
	case AnalysisStep:
		ev.Work, ev.Limit = Measures, analysisTimeout
	default:
		return
	}
	w.play.emit(ev)
}

// Line says what the light model does, such as "Light measures the agreement".
func (a Assisting) Line() string {
	if a.Work == Measures {
		return a.Profile.Name + " measures the agreement"
	}
	names := make([]string, len(a.Lists))
	for i, l := range a.Lists {
		names[i] = string(l)
	}
	return fmt.Sprintf("%s names %s", a.Profile.Name, strings.Join(names, " and "))
}

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

package debate

import (
	"fmt"
	"strings"
)

// LightTask is what the light model does while a round waits for it.
type LightTask string

// The tasks.
const (
	TaskLists    LightTask = "lists"
	TaskAnalysis LightTask = "analysis"
)

// Description says what the light model does, such as "Light is measuring agreement".
func (a Assisting) Description() string {
	if a.Task == TaskAnalysis {
		return a.Profile.Name + " is measuring agreement"
	}
	names := make([]string, len(a.Lists))
	for i, l := range a.Lists {
		names[i] = string(l)
	}
	return fmt.Sprintf("%s is naming %s", a.Profile.Name, strings.Join(names, " and "))
}

package debate

import (
	"fmt"
	"strings"
)

// Task is what a round waits for besides its turns.
type Task string

// The tasks. The light model does the first two.
const (
	TaskLists    Task = "lists"
	TaskAnalysis Task = "analysis"
	TaskTools    Task = "tools" // to ask the MCP servers, which may have to start first
)

// Description says what is done, such as "Light is measuring agreement".
func (a Assisting) Description() string {
	switch a.Task {
	case TaskAnalysis:
		return a.Profile.Name + " is measuring agreement"
	case TaskTools:
		return "Waiting for the MCP servers"
	case TaskLists:
	}
	names := make([]string, len(a.Lists))
	for i, l := range a.Lists {
		names[i] = string(l)
	}
	return fmt.Sprintf("%s is naming %s", a.Profile.Name, strings.Join(names, " and "))
}

package config

import (
	"path/filepath"
	"regexp"
	"strings"

	"roundtable/agents/tools/mcp"
	"roundtable/debate"
	"roundtable/internal/text"
)

// Tools is the [tools] table: what agents may look at and run.
type Tools struct {
	Workspace string               `toml:"workspace"` // folder of a new debate; "": none
	Mode      debate.WorkspaceMode `toml:"mode"`
	Commands  bool                 `toml:"commands"` // agents may ask to run commands
	Env       []string             `toml:"env"`      // further variables that commands see

	Container string `toml:"container"` // bubblewrap, docker or podman
	Image     string `toml:"image"`     // of docker and podman
	Memory    int    `toml:"memory"`    // in MiB
	PIDs      int    `toml:"pids"`

	MCP map[string]mcp.Config `toml:"mcp"` // servers whose tools agents may call
}

// Limits of containers.
const (
	defaultMemory, maxMemory = 2048, 1 << 20
	defaultPIDs, maxPIDs     = 256, 1 << 16
)

// defaultTools returns what applies where the file says nothing.
func defaultTools() Tools {
	return Tools{Mode: debate.WorkspaceLocal, Container: "bubblewrap", Memory: defaultMemory, PIDs: defaultPIDs}
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkTools checks the [tools] table.
func (r *parser) checkTools(cfg Config) {
	t := cfg.Tools
	r.oneOf("tools.mode", string(t.Mode), string(debate.WorkspaceLocal), string(debate.WorkspaceClone), string(debate.WorkspaceContainer))
	r.oneOf("tools.container", t.Container, "bubblewrap", "docker", "podman")
	r.inRange(16, t.Memory, maxMemory, "tools.memory")
	r.inRange(1, t.PIDs, maxPIDs, "tools.pids")
	switch {
	case t.Workspace != "" && !filepath.IsAbs(t.Workspace) && !strings.HasPrefix(t.Workspace, "~"):
		r.problem("tools.workspace", "%q is not an absolute path", text.Label(t.Workspace))
	case t.Mode == debate.WorkspaceContainer && t.Container != "bubblewrap" && t.Image == "":
		r.problem("tools.image", "%s needs the name of an image", t.Container)
	}
	for _, name := range t.Env {
		switch {
		case !variableName.MatchString(name):
			r.problem("tools.env", "%q is not the name of a variable", text.Label(name))
		case HoldsKey(cfg, name):
			r.problem("tools.env", "%s may hold a key; commands never see it", name)
		}
	}
}

package skills_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"roundtable/skills"
)

// The page and the plugin are read by other programs, which have rules for them.
func TestRoundtable_isASkillAndAPlugin(t *testing.T) {
	front := regexp.MustCompile(`\A---\nname: roundtable\ndescription: ([^\n:]{1,999})\n---\n`).FindString(skills.Roundtable)
	if front == "" {
		t.Errorf("the page begins with %.300q", skills.Roundtable)
	}
	var plugin struct {
		Name       string
		Skills     []string
		MCPServers map[string]struct {
			Command string
			Args    []string
		}
	}
	raw, err := os.ReadFile(".claude-plugin/plugin.json")
	if err == nil {
		err = json.Unmarshal(raw, &plugin)
	}
	if err != nil || plugin.Name != "roundtable" || plugin.MCPServers["roundtable"].Command != "roundtable" {
		t.Errorf("%v: %+v", err, plugin)
	}
	for _, folder := range plugin.Skills {
		if _, err := os.Stat(filepath.Join(folder, "SKILL.md")); err != nil {
			t.Error(err)
		}
	}
}

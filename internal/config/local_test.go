package config_test

import (
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/internal/config"
)

func TestCheckLocal_namesEachRecipientThatIsElsewhere(t *testing.T) {
	cfg := parsed(t, `
[defaults]
only_local = true
[providers.openai]
preset = "openai"
[providers.here]
base_url = "http://127.0.0.1:8000/v1"
[providers.work]
base_url = "https://llm.example.com/v1"
[providers.program]
kind = "acp"
preset = "gemini"
[tools.mcp.docs]
url = "https://mcp.example.com/mcp"
allow = ["search"]
[tools.mcp.near]
url = "http://127.0.0.1:9000/mcp"
allow = ["search"]
[tools.mcp.script]
command = ["search-docs"]
allow = ["search"]
`)
	env := unset
	seat := func(name, provider string) agents.Profile {
		return agents.Profile{ID: agents.ID(name), Name: name, Provider: provider, Model: "m"}
	}
	chair := seat("Zoe", "program")
	s := debate.Session{Seats: []agents.Profile{seat("Ada", "openai"), seat("Bob", "here"), seat("Cy", "work"), seat("Dee", "openai")}, Chair: &chair}
	err := cfg.CheckLocal(s, env)
	if err == nil {
		t.Fatal("it is not refused")
	}
	for _, want := range []string{
		"OpenAI, for Ada and Dee\n", "llm.example.com, for Cy\n", "the model that gemini uses, for Zoe\n", "the MCP server docs\n", "the MCP server script\n",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "Bob") || strings.Contains(err.Error(), "near") {
		t.Errorf("what is on this machine is named: %v", err)
	}
	servers, refused := cfg.MCPServers()
	if len(servers) != 1 || len(refused) != 2 {
		t.Errorf("%v, %q", servers, refused)
	}
	if err := cfg.CheckLocal(debate.Session{Seats: []agents.Profile{seat("Ada", debate.DemoProvider)}}, env); err != nil {
		t.Errorf("the demo: %v", err)
	}
	c := config.NewClients(t.Context(), cfg, config.ClientOptions{Env: env})
	defer c.Close()
	if _, err := c.Provider(s.Seats[0]); err == nil || !strings.Contains(err.Error(), "Nothing was sent to OpenAI") {
		t.Errorf("a provider elsewhere: %v", err)
	}
	cfg.Defaults.OnlyLocal = false
	if err := cfg.CheckLocal(s, env); err != nil {
		t.Errorf("without only_local: %v", err)
	}
}

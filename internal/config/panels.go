package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"roundtable/agents"
	"roundtable/agents/acp"
	"roundtable/agents/demo"
	"roundtable/agents/openai"
	"roundtable/debate"
	"roundtable/internal/text"
)

// AddPanel returns a configuration file with a panel, and with the agents and providers of
// it that the file lacks. They are appended as tables; all else stays byte for byte. A panel
// that exists is an error. Path is used in messages. Without a file, raw is nil.
func AddPanel(path string, raw []byte, p debate.Panel) ([]byte, error) {
	if p.Name == demo.Name {
		return nil, errors.New("the name demo is reserved for the built-in panel; choose another")
	}
	if !validID.MatchString(p.Name) {
		return nil, fmt.Errorf("%q %s", text.Label(p.Name), idRule)
	}
	if n := len(p.Seats); n < minPanel || n > debate.MaxSeats {
		return nil, fmt.Errorf("%s; a panel has %d to %d", text.Count(n, "seat"), minPanel, debate.MaxSeats)
	}
	cfg, err := Parse(path, raw)
	if err != nil {
		return nil, err
	}
	if _, exists := cfg.Panels[p.Name]; exists {
		return nil, fmt.Errorf("the config has a panel %s already; choose another name", p.Name)
	}
	if wide, encoding, _ := text.DecodeWide(raw); encoding != "" {
		raw = wide
	}
	w := panelWriter{cfg: cfg, providers: cfg.tableNames()}
	if raw == nil && p.Name != implicitPanel {
		w.table("[defaults]", map[string]string{"panel": p.Name})
	}
	panel := Panel{Agents: text.Each(p.Seats, w.agent)}
	if p.Chair != nil {
		panel.Chair = w.agent(*p.Chair)
	}
	if p.Light != nil {
		panel.Light = w.agent(*p.Light)
	}
	w.table("[panels."+p.Name+"]", panel)
	if w.err != nil {
		return nil, w.err
	}
	out := appendText(raw, w.text.String())
	if _, err := Parse(path, out); err != nil {
		return nil, fmt.Errorf("it cannot be appended to the config as text; write it there yourself: %w", err)
	}
	return out, nil
}

// implicitPanel is the panel of debates where defaults.panel names none.
const implicitPanel = "default"

// appendText appends lines to a file, with the line ends that it has.
func appendText(raw []byte, lines string) []byte {
	if lines == "" {
		return raw
	}
	if len(raw) > 0 {
		if raw[len(raw)-1] != '\n' {
			lines = "\n" + lines
		}
		lines = "\n" + lines
	}
	if bytes.Contains(raw, []byte("\r\n")) {
		lines = strings.ReplaceAll(lines, "\n", "\r\n")
	}
	return append(slices.Clip(raw), lines...)
}

type panelWriter struct {
	cfg       Config
	providers []string // that have a table
	text      strings.Builder
	err       error
}

func (w *panelWriter) table(header string, body any) {
	raw, err := toml.Marshal(body)
	w.err = errors.Join(w.err, err)
	if w.text.Len() > 0 {
		w.text.WriteString("\n")
	}
	w.text.WriteString(header + "\n" + string(raw))
}

// agent writes an agent's table unless there is one; a taken id or name gets a number.
func (w *panelWriter) agent(p agents.Profile) agents.ID {
	one := p
	for n := 2; w.taken(one); n++ {
		if w.cfg.has(one) {
			return one.ID
		}
		one.ID, one.Name = agents.ID(fmt.Sprintf("%s-%d", p.ID, n)), fmt.Sprintf("%s %d", p.Name, n)
	}
	w.provider(one.Provider)
	a, err := agentOf(one)
	w.err = errors.Join(w.err, err)
	w.cfg.Agents = append(slices.Clip(w.cfg.Agents), a)
	w.table("[[agents]]", a)
	return one.ID
}

func (w *panelWriter) taken(p agents.Profile) bool {
	return slices.ContainsFunc(w.cfg.Profiles(), func(x agents.Profile) bool {
		return x.ID == p.ID || strings.EqualFold(x.Name, p.Name) ||
			strings.EqualFold(string(x.ID), p.Name) || strings.EqualFold(x.Name, string(p.ID))
	})
}

// provider writes the table of a provider that is known by its name.
func (w *panelWriter) provider(name string) {
	if name == debate.DemoProvider || slices.Contains(w.providers, name) {
		return
	}
	w.providers = append(w.providers, name)
	table := map[string]string{"preset": name}
	_, known := openai.PresetNamed(name)
	if agent, isAgent := strings.CutSuffix(name, "-"+kindACP); isAgent {
		table = map[string]string{"kind": kindACP, "preset": agent}
		_, known = acp.PresetNamed(agent)
	}
	if !known {
		w.err = errors.Join(w.err, fmt.Errorf("provider %s is not in the config, and nothing is known of it", text.Label(name)))
		return
	}
	w.table("[providers."+name+"]", table)
}

func agentOf(p agents.Profile) (Agent, error) {
	a := Agent{Profile: p}
	if len(p.ExtraBody) > 0 {
		if err := json.Unmarshal(p.ExtraBody, &a.Extra); err != nil {
			return a, fmt.Errorf("read the extra fields of %s: %w", p.Name, err)
		}
	}
	return a, nil
}

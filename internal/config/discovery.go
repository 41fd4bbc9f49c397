package config

import (
	"cmp"
	"context"
	"time"

	"roundtable/agents"
	"roundtable/agents/openai"
)

// Discovery looks for agents that can debate without a configuration. It reads
// the environment and asks the local server; it sends nothing to anyone else.
type Discovery struct {
	Example Config                                    // has a model for each preset
	Env     func(name string) (value string, ok bool) // the environment
	Ollama  OllamaLister

	LookPath func(program string) (path string, err error) // finds programs on PATH; nil: none is looked for
}

// OllamaLister lists the models of the Ollama server of a configuration.
type OllamaLister func(ctx context.Context, c openai.Config) ([]openai.LocalModel, error)

// Found is the result of a Discovery.
type Found struct {
	Candidates []Candidate // one for each usable provider or local model, without ids and names
	Findings   []Finding   // where it looked, and with what result
	Sources    []string    // what it found, such as "ollama" and "2 keys"
}

// Finding is one place where agents were looked for.
type Finding struct {
	What   string
	Result string
	OK     bool
}

// Candidate is an agent that could take a seat.
type Candidate struct {
	Profile   agents.Profile
	Problem   string // what to do before it can debate, such as "set OPENAI_API_KEY"; "" if it can
	Local     bool   // it runs on this machine
	Spare     bool   // another model of its server is offered before it; both would evict each other
	Recipient string // who receives its prompts, such as "OpenAI"
	Asks      string // what is set so that a program asks before it acts; "" for a model
}

// Look asks all kinds of provider for what they can find.
func (d Discovery) Look(ctx context.Context) Found {
	var all Found
	for _, k := range kinds {
		if k.discover == nil {
			continue
		}
		found := k.discover(ctx, d)
		all.Candidates = append(all.Candidates, found.Candidates...)
		all.Findings = append(all.Findings, found.Findings...)
		all.Sources = append(all.Sources, found.Sources...)
	}
	return all
}

// Candidates returns the configured agents in the order of the file.
func (c Config) Candidates(env func(string) (string, bool)) []Candidate {
	var all []Candidate
	for _, a := range c.Agents {
		if p, ok := c.provider(a.Provider); ok {
			all = append(all, candidateOf(c.profile(a), p, env))
		}
	}
	return all
}

func candidateOf(profile agents.Profile, p provider, env func(string) (string, bool)) Candidate {
	recipient, local := p.recipient(env)
	c := Candidate{Profile: profile, Problem: p.missing(env), Local: local, Recipient: recipient}
	if agent, ok := p.(acpProvider); ok {
		c.Asks = agent.asks()
	}
	return c
}

// Silence returns how long the models of a provider may be silent, see provider; 0 is no
// limit.
func (c Config) Silence(name string) (first, between time.Duration) {
	if p, ok := c.provider(name); ok {
		return p.silence()
	}
	return 0, 0
}

// Recipient names who receives what is sent to a provider. Local is true if that
// is this machine, which is named by the provider.
func (c Config) Recipient(name string, env func(string) (string, bool)) (recipient string, local bool) {
	p, ok := c.provider(name)
	if !ok {
		return name, false
	}
	recipient, local = p.recipient(env)
	if local {
		return name, true
	}
	return cmp.Or(recipient, name), false
}

package config

import (
	"cmp"
	"context"
	"net"
	"net/url"
	"strings"

	"roundtable/agents/openai"
)

// AddressOf returns where a provider is reached, and its preset if it has one.
func AddressOf(c openai.Config) (openai.Preset, string) {
	preset, _ := PresetNamed(c.Preset)
	return preset, cmp.Or(c.BaseURL, preset.BaseURL)
}

// AskOllama asks the local Ollama for its models.
func AskOllama(ctx context.Context) ([]string, error) {
	client, err := openai.New("ollama", openai.Config{Preset: "ollama"}, openai.Options{})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	return client.Models(ctx)
}

func PresetNamed(name string) (openai.Preset, bool) {
	for _, p := range openai.Presets() {
		if p.Name == name {
			return p, true
		}
	}
	return openai.Preset{}, false
}

// IsLocal reports whether an address is on this machine.
func IsLocal(address string) bool {
	host := hostOf(address)
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

func hostOf(address string) string {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// Recipient names who receives what a provider is sent.
func Recipient(preset, address string) string {
	if p, ok := PresetNamed(preset); ok && hostOf(p.BaseURL) == hostOf(address) && !p.Local {
		switch preset {
		case "openai":
			return "OpenAI"
		case "anthropic":
			return "Anthropic"
		case "gemini":
			return "Google"
		case "openrouter":
			return "OpenRouter and whom it forwards to"
		case "groq":
			return "Groq"
		case "deepseek":
			return "DeepSeek"
		case "mistral":
			return "Mistral"
		case "xai":
			return "xAI"
		case "dashscope":
			return "Alibaba Cloud"
		}
	}
	return hostOf(address)
}

package debate

import (
	"fmt"
	"slices"
	"strings"

	"roundtable/agents"
)

// ModelFamily returns what models of one maker have in common, by the letters that their
// names begin with. It is "" for names that no known maker gives.
func ModelFamily(model string) string {
	switch name := ModelNamePrefix(model); name {
	case "o", "chatgpt", "davinci": // OpenAI's other names
		return "gpt"
	case "ministral", "magistral", "codestral", "devstral", "mixtral", "pixtral":
		return "mistral"
	case "codellama", "tinyllama":
		return "llama"
	case "codegemma", "medgemma":
		return "gemma"
	case "qwq", "qvq", "codeqwen":
		return "qwen"
	case "aya", "baichuan", "claude", "command", "deepseek", "ernie", "exaone", "falcon", "gemini", "gemma", "glm", "gpt", "granite",
		"grok", "hunyuan", "internlm", "jamba", "kimi", "llama", "minimax", "mistral", "nemotron", "nova", "olmo", "phi", "qwen",
		"smollm", "starcoder", "yi":
		return name
	default:
		return ""
	}
}

// ModelNamePrefix returns the letters that a model's name begins with, without its
// maker.
func ModelNamePrefix(model string) string {
	name := strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	name = strings.TrimPrefix(name, "open-")
	if end := strings.IndexFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }); end >= 0 {
		name = name[:end]
	}
	return name
}

// ModelFamilies lists the model families of the panel, each once, by seat.
func (s Session) ModelFamilies() []string {
	var out []string
	for _, p := range s.Seats {
		if f := ModelFamily(p.Model); f != "" && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// WarningOneFamily warns of a panel whose models are likely to make the same mistakes.
const WarningOneFamily = "All seats use one model family and tend to make the same mistakes."

// RosterWarnings returns what weakens the verdict of this panel, for the setup and the
// verdict alike. The scripted panel has no warnings.
func (s Session) RosterWarnings() []string {
	if s.Demo() {
		return nil
	}
	var out []string
	if oneFamily(s) {
		out = append(out, WarningOneFamily)
	}
	if s.Chair != nil {
		out = append(out, s.ChairWarnings(*s.Chair)...)
	}
	return out
}

// oneFamily reports whether all seats have models of one known family, or one model.
// Agents with a loop of their own each have their own model of the name "default".
func oneFamily(s Session) bool {
	differs := func(p agents.Profile) bool {
		return p.Model != s.Seats[0].Model || p.Loop && p.Provider != s.Seats[0].Provider
	}
	if len(s.Seats) > 1 && !slices.ContainsFunc(s.Seats, differs) {
		return true
	}
	known := !slices.ContainsFunc(s.Seats, func(p agents.Profile) bool { return ModelFamily(p.Model) == "" })
	return len(s.Seats) > 1 && known && len(s.ModelFamilies()) == 1
}

// WarningChairIsMember warns of a chair that judges its own statements.
const WarningChairIsMember = "The chair is a member."

// ChairWarnings returns what ties a chair to the panel that it judges.
func (s Session) ChairWarnings(chair agents.Profile) []string {
	if _, seat := s.Seat(chair.ID); seat > 0 {
		return []string{WarningChairIsMember}
	}
	f := ModelFamily(chair.Model)
	if f == "" || !slices.Contains(s.ModelFamilies(), f) {
		return nil
	}
	var kin []string
	for _, p := range s.Seats {
		if ModelFamily(p.Model) == f {
			kin = append(kin, p.Name)
		}
	}
	return []string{fmt.Sprintf("The chair uses the same model family as %s (%s).", strings.Join(kin, ", "), f)}
}

package debate

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"roundtable/agents"
	"roundtable/internal/text"
)

// Limits of a debate, whatever its mode.
const (
	MaxSeats  = 8     // seats of any panel
	MaxRounds = 50    // rounds planned at once
	MaxTopic  = 65536 // characters of a topic
	MaxFocus  = 4000  // characters of a round's focus question
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

// ModelNamePrefix returns the letters that a model's name begins with, without its maker.
func ModelNamePrefix(model string) string {
	name := strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	name = strings.TrimPrefix(name, "open-")
	if end := strings.IndexFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }); end >= 0 {
		name = name[:end]
	}
	return name
}

// ModelIdentity returns what is the same for a model whatever provider runs it: its name
// without the maker, and without what a router adds to choose among offers of it.
func ModelIdentity(model string) string {
	name := strings.ToLower(model[strings.LastIndex(model, "/")+1:])
	for _, offer := range []string{":free", ":nitro", ":floor", ":online", ":latest"} {
		name = strings.TrimSuffix(name, offer)
	}
	return name
}

// WarningOneFamily warns of a panel whose models are likely to make the same mistakes.
const WarningOneFamily = "All seats use one model family and tend to make the same mistakes."

// RosterNote says that some seats are one agent, that all use one model family or, as the choice
// that it is, that they are one model on this machine; "" for other panels, and for the scripted one.
func (s Session) RosterNote(local func(provider string) bool) string {
	for _, p := range s.Seats {
		other := func(o agents.Profile) bool { return !o.Loop || !sameModel(o, p) }
		if one := slices.DeleteFunc(slices.Clone(s.Seats), other); len(one) > 1 {
			names := text.Each(one, func(o agents.Profile) string { return text.Line(o.Name) })
			return text.List(names) + " are one program and tend to make the same mistakes."
		}
	}
	if s.Demo() || !s.oneFamily() {
		return ""
	}
	first := s.Seats[0]
	other := func(p agents.Profile) bool { return !sameModel(p, first) }
	if slices.ContainsFunc(s.Seats, other) || !local(first.Provider) {
		return WarningOneFamily
	}
	seats := []string{"two", "three", "four", "five", "six", "seven", "eight"}[min(len(s.Seats), MaxSeats)-2]
	return fmt.Sprintf("One model in %s seats: %s may not fit into memory together.", seats, seats)
}

// oneFamily reports whether all seats have models of one known family, or one model.
// Agents with a loop of their own each have their own model of the name "default".
func (s Session) oneFamily() bool {
	family := func(p agents.Profile) string {
		if p.Loop && ModelFamily(p.Model) == "" {
			return p.Provider + "/" + p.Model
		}
		return cmp.Or(ModelFamily(p.Model), p.Model)
	}
	other := func(p agents.Profile) bool { return family(p) != family(s.Seats[0]) }
	return len(s.Seats) > 1 && !slices.ContainsFunc(s.Seats, other)
}

// NameOf returns the name of a seat or of the chair.
func (s Session) NameOf(id agents.ID) string {
	if p, seat := s.Seat(id); seat > 0 {
		return p.Name
	}
	if s.Chair != nil && s.Chair.ID == id {
		return s.Chair.Name
	}
	return string(id)
}

// NamesOf returns the names of seats or of the chair.
func (s Session) NamesOf(ids []agents.ID) []string { return text.Each(ids, s.NameOf) }

// RestoreNames replaces labels by names in what a chair or the light model wrote.
func (s Session) RestoreNames(text string) string {
	if s.Mode.Label == "" {
		return text
	}
	for i, p := range s.Seats {
		word := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(s.Mode.SeatLabel(i+1)) + `\b`)
		text = word.ReplaceAllLiteralString(text, p.Name)
	}
	return text
}

// MinNameLength is the least length of hidden names: shorter ones cannot be told from other words.
const MinNameLength = 3

// CheckPanel returns an error if the mode does not support the size of a panel, or its names.
func (m Mode) CheckPanel(panel []agents.Profile) error {
	if n := len(panel); n < m.MinSeats || n > m.MaxSeats {
		return fmt.Errorf("mode %s takes %d to %d seats; this panel has %d", m.Name, m.MinSeats, m.MaxSeats, n)
	}
	return m.CheckNames(panel)
}

// CheckNames returns an error if a name or id cannot be hidden.
func (m Mode) CheckNames(panel []agents.Profile) error {
	if m.Label == "" {
		return nil
	}
	for i, p := range panel {
		for _, name := range []string{p.Name, string(p.ID)} {
			if strings.HasPrefix(text.Fold(name), text.Fold(m.Label)) {
				return fmt.Errorf("mode %s labels its seats %s and so on, and the name %q of seat %d looks like one of these "+
					"labels; give that seat another name and id", m.Name, m.SeatLabel(1), name, i+1)
			}
			if utf8.RuneCountInString(name) < MinNameLength {
				return fmt.Errorf("mode %s hides the seats' names, and the name %q is too short to be hidden reliably; "+
					"give that seat a name and an id of at least %d letters", m.Name, name, MinNameLength)
			}
		}
	}
	return nil
}

// PromptName returns an agent's name in prompts, or its label if the mode hides names.
func (s Session) PromptName(id agents.ID) string {
	_, seat := s.Seat(id)
	switch {
	case s.Mode.Label == "":
		return s.NameOf(id)
	case seat > 0:
		return s.Mode.SeatLabel(seat)
	}
	return "the chair"
}

// SeatLabel returns the label of a seat, the same in all rounds.
func (m Mode) SeatLabel(seat int) string { return fmt.Sprintf("%s %d", m.Label, seat) }

// SpeakerOf returns who speaks in a turn of the given purpose, with the model of its round. The turns of the light
// model carry the agent whose statement it works on.
func (s Session) SpeakerOf(purpose Purpose, t agents.Turn) agents.Profile {
	id := t.Agent
	p, _ := s.Seat(id)
	switch {
	case purpose == ForLight && s.Light != nil:
		return *s.Light
	case purpose != ForMember && s.Chair != nil && s.Chair.ID == id:
		return *s.Chair
	}
	return s.seatIn(p, t.Round)
}

// SpeakersFor returns those who may be asked for a purpose, or for "" all.
func (s Session) SpeakersFor(purpose Purpose) []agents.Profile {
	switch {
	case purpose == "":
		return s.Speakers()
	case purpose == ForLight && s.Light != nil:
		return []agents.Profile{*s.Light}
	case purpose == ForFollowUp && s.Chair != nil:
		return append(slices.Clip(s.Seats), *s.Chair)
	case purpose == ForChair && s.Chair != nil:
		return []agents.Profile{*s.Chair}
	}
	return s.Seats
}

// Speakers returns all who may be asked: seats, chair and light model.
func (s Session) Speakers() []agents.Profile {
	out := append([]agents.Profile(nil), s.Seats...)
	for _, p := range []*agents.Profile{s.Chair, s.Light} {
		if p != nil {
			out = append(out, *p)
		}
	}
	return out
}

// WithOutputLimit returns the profile as it is used in this session: under a budget
// every answer has a token limit, since without one the cost of a call is unknown.
func (s Session) WithOutputLimit(p agents.Profile) agents.Profile {
	if p.MaxTokens == 0 && s.Budget.Capped() {
		p.MaxTokens = cmp.Or(s.Budget.MaxOutput, defaultOutputLimit)
	}
	return p
}

const defaultOutputLimit = 4096

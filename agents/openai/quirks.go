package openai

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"roundtable/agents"
	"roundtable/internal/text"
)

// quirkSet is a server's deviations from the OpenAI API: those that its preset or the
// configuration names, and those that were learned from refusals, for each model.
type quirkSet struct {
	names     []string // sorted
	omitTools []string // tools that the server refuses, by name
}

func (q quirkSet) equal(o quirkSet) bool {
	return slices.Equal(q.names, o.names) && slices.Equal(q.omitTools, o.omitTools)
}

func (q quirkSet) has(name string) bool { return slices.Contains(q.names, name) }

const noPrefix = "no_" // before a parameter: the quirk of servers that refuse it

func (q quirkSet) omits(param string) bool { return q.has(noPrefix + param) }

// offersTools reports whether the tools of a request are sent. A server that does not
// know tool_choice gets none if they must not be called.
func (q quirkSet) offersTools(req agents.Request) bool {
	return !q.omits(paramTools) && (req.ToolChoice == "" || !q.omits(paramToolChoice))
}

func (q quirkSet) tools(req agents.Request) []agents.ToolSpec {
	return slices.DeleteFunc(slices.Clone(req.Tools), func(s agents.ToolSpec) bool { return slices.Contains(q.omitTools, s.Name) })
}

func (q quirkSet) streams(req agents.Request) bool {
	return !q.has(unstreamed) && (!q.has(unstreamedTools) || len(req.Tools) == 0 || !q.offersTools(req))
}

// limitName returns what the limit of tokens is called: OpenAI's newer models
// know one name, most other servers the other. Both are names of quirks, too.
func (q quirkSet) limitName() string {
	if q.has(paramCompletionTokens) && !q.has(paramMaxTokens) {
		return paramCompletionTokens
	}
	return paramMaxTokens
}

// quirk is one way in which servers deviate from the API, and how they refuse what it allows.
type quirk struct {
	name   string                                  // in a configuration
	seen   string                                  // where: servers and models, with the version or the time
	param  string                                  // the field that the refusal names
	words  []string                                // one of these, in lower case, if the refusal names no field
	also   []string                                // and one of these
	not    []string                                // and none of these
	sent   func(q quirkSet, r agents.Request) bool // whether the request had what was refused; nil: each has it
	notice string                                  // "": param is named
}

// Names of quirks that are not those of a parameter.
const (
	unstreamed      = "unstreamed"       // stream is refused
	unstreamedTools = "unstreamed_tools" // tools are refused together with stream
	noSystem        = "no_system"        // the model's template has no system message
)

// quirks are tried in this order; the first that fits is learned.
var quirks = []quirk{
	{
		name: unstreamedTools, seen: "llama.cpp 2025-02",
		words: []string{paramStream}, also: []string{"tool", "function"}, not: []string{paramStreamOptions},
		sent:   func(_ quirkSet, r agents.Request) bool { return len(r.Tools) > 0 },
		notice: "does not support tools while streaming; retrying without streaming.",
	},
	{
		name: unstreamed, seen: "OpenAI, to organizations that are not verified", param: paramStream,
		sent:   quirkSet.streams,
		notice: "does not stream to this account; retrying without streaming.",
	},
	{
		name: noSystem, seen: "Gemini with Gemma 3; chat templates of Gemma and Mistral in llama.cpp, LM Studio and vLLM",
		words:  []string{"system role", "developer instruction", "only user and assistant roles", "roles must alternate"},
		notice: "knows no system message; retrying with it in the first message.",
	},
	{
		name: noPrefix + paramStreamOptions, seen: "Mistral, whose API takes no unknown field",
		param: paramStreamOptions, words: []string{paramStreamOptions, "include_usage"},
	},
	{
		name: noPrefix + paramFormat, seen: "DeepSeek",
		param: paramFormat, words: []string{paramFormat, "json_schema", "structured output"},
		sent: func(_ quirkSet, r agents.Request) bool { return len(r.Schema) > 0 },
	},
	limitQuirk(paramCompletionTokens, "OpenAI since o1", paramMaxTokens),
	limitQuirk(paramMaxTokens, "servers at the address of the preset openai that know its older name only", paramCompletionTokens),
	{
		name: noPrefix + paramReasoningEffort, seen: "OpenAI before o1",
		param: paramReasoningEffort, words: []string{paramReasoningEffort, "reasoning effort"},
		sent: func(_ quirkSet, r agents.Request) bool { return r.ReasoningEffort != "" },
	},
	{
		name: noPrefix + paramTemperature, seen: "OpenAI o1, o3 and gpt-5, which take the default alone",
		param: paramTemperature, words: []string{paramTemperature},
		sent: func(_ quirkSet, r agents.Request) bool { return r.Temperature != nil },
	},
	{
		name: noPrefix + paramToolChoice, seen: "Ollama, which ignores it",
		param: paramToolChoice, words: []string{paramToolChoice, "tool choice"},
		sent: func(q quirkSet, r agents.Request) bool { return r.ToolChoice != "" && !q.omits(paramTools) },
	},
	{
		name: noPrefix + paramTools, seen: "Ollama and OpenRouter for models without tools; vLLM without --enable-auto-tool-choice",
		param:  paramTools,
		words:  []string{paramTools, "tool use", "tool calling", "tool choice", "function call"},
		sent:   func(_ quirkSet, r agents.Request) bool { return len(r.Tools) > 0 },
		notice: "does not accept tools, so it can neither ask nor look things up; retrying without them.",
	},
}

// limitQuirk is the name of the limit of tokens, which is also sent by its other name.
func limitQuirk(name, seen, other string) quirk {
	return quirk{
		name: name, seen: seen, param: other, words: []string{other},
		sent:   func(q quirkSet, r agents.Request) bool { return r.MaxTokens > 0 && q.limitName() == other },
		notice: "does not know " + other + "; retrying with its other name.",
	}
}

// presetQuirks are what is known of the servers of the presets, so that it costs no call.
var presetQuirks = map[string]string{
	"openai":  paramCompletionTokens,         // since o1, September 2024
	"mistral": noPrefix + paramStreamOptions, // it refuses fields that it does not know: reports of January 2024 to June 2026
	"ollama":  noPrefix + paramToolChoice,    // 0.17 ignores it, November 2026
}

func quirkNames() []string {
	names := text.Each(quirks, func(k quirk) string { return k.name })
	slices.Sort(names)
	return names
}

func (c Config) quirkSet() quirkSet {
	names := append(slices.Clone(c.Quirks), presetQuirks[c.Preset])
	slices.Sort(names)
	return quirkSet{names: slices.Compact(names)}
}

func (k quirk) names(s apiError) bool {
	if k.param != "" && s.Param != "" {
		return s.Param == k.param || strings.HasPrefix(s.Param, k.param+".")
	}
	return s.hasAny(k.words...) && (k.also == nil || s.hasAny(k.also...)) && !s.hasAny(k.not...)
}

// toolPlace matches how providers name a tool by its place: OpenAI tools[3].function, Anthropic
// tools.3.custom, Gemini tools[0].function_declarations[3].
var toolPlace = regexp.MustCompile(`\b(?:tools\[0\]\.)?(?:function_declarations|tools)[.\[](\d+)\b`)

func toolsNamed(sent quirkSet, req agents.Request, s apiError) []string {
	if !sent.offersTools(req) || s.means(sampling) {
		return nil
	}
	var names []string
	words := s.Param + " " + s.Message
	offered := sent.tools(req)
	for _, at := range toolPlace.FindAllStringSubmatch(words, -1) {
		if i, err := strconv.Atoi(at[1]); err == nil && i < len(offered) {
			names = append(names, offered[i].Name)
		}
	}
	for _, tool := range offered {
		for _, form := range []string{"'%s'", `"%s"`, "`%s`", "function %s", "tool %s"} {
			if strings.Contains(words+" ", fmt.Sprintf(form, tool.Name)) && s.hasAny("function", "tool", "schema") {
				names = append(names, tool.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// infer returns the quirks that a server's refusal asks for, and what changes in
// words. Without such a request it returns the quirks that were in force.
func infer(sent quirkSet, req agents.Request, s apiError) (why string, learned quirkSet) {
	if names := toolsNamed(sent, req, s); len(names) > 0 {
		learned = quirkSet{sent.names, append(slices.Clone(sent.omitTools), names...)}
		return fmt.Sprintf("refuses %s; retrying without.", text.List(names)), learned
	}
	for _, k := range quirks {
		if sent.has(k.name) || k.sent != nil && !k.sent(sent, req) || !k.names(s) {
			continue
		}
		learned = quirkSet{append(slices.Clone(sent.names), k.name), sent.omitTools}
		slices.Sort(learned.names)
		return cmp.Or(k.notice, "does not accept "+k.param+"; retrying without it."), learned
	}
	return "", sent
}

type quirkCache struct {
	standard quirkSet

	mu      sync.Mutex
	models  map[string]quirkSet
	noticed []string
}

func (c *quirkCache) of(model string) quirkSet {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known(model)
}

func (c *quirkCache) known(model string) quirkSet {
	if q, ok := c.models[model]; ok {
		return q
	}
	return c.standard
}

// replace stores the quirks of a model's server and the notice of what changed. It
// reports whether old was still what is known.
func (c *quirkCache) replace(model string, old, q quirkSet, notice string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.known(model).equal(old) {
		return false
	}
	c.models[model] = q
	if !slices.Contains(c.noticed, notice) {
		c.noticed = append(c.noticed, notice)
	}
	return true
}

func (c *quirkCache) notices() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.noticed)
}

// adapt learns from a refusal of a request that was made for the quirks sent.
// It returns what is done about it, and false if nothing can be learned or the
// change was tried already.
func (c *Client) adapt(req agents.Request, sent quirkSet, t errorFormatter, f *fault) (string, bool) {
	switch f.Kind {
	case agents.KindRequest, agents.KindBusy, agents.KindModel, agents.KindConfig:
	default:
		return "", false
	}
	if f.Status != 0 && (f.Status < http.StatusBadRequest || f.Status == http.StatusTooManyRequests) {
		return "", false
	}
	if !f.apiError.hasAny(refusals...) && len(toolsNamed(sent, req, f.apiError)) == 0 {
		return "", false
	}
	if c.quirks.of(req.Model).equal(sent) {
		why, learned := infer(sent, req, f.apiError)
		if learned.equal(sent) {
			return "", false
		}
		why = t.subject() + " " + why
		if c.quirks.replace(req.Model, sent, learned, why) {
			return why, true
		}
	}
	return t.subject() + ": retrying with settings that another call has found to work.", true
}

// refusals are the words by which servers say that they do not know or do not
// take something, in lower case.
var refusals = []string{
	"unsupported", "not support", "n't support", "not_supported", "unknown", "unrecognized", "unrecognised", "unexpected",
	"extra_forbidden", "extra inputs", "not permitted", "not allowed", "unavailable", "cannot use", "can't use", "not accept",
	"not available", "no endpoints found", "choice requires",
	"not enabled", "only user and assistant", "roles must alternate",
}

package openai

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"roundtable/agents"
	"roundtable/internal/file"
	"roundtable/internal/text"
)

// Quirks is a server's deviations from the OpenAI API. A preset has those that are
// known; others are learned from refusals, for each model.
type Quirks struct {
	CompletionTokens bool     // the limit of tokens is called max_completion_tokens
	Unstreamed       bool     // stream is refused
	NoSystem         bool     // the model's template has no system message
	UnstreamedTools  bool     // tools are refused together with stream
	Omit             []string // parameters that the server refuses, sorted
	OmitTools        []string // tools that it refuses, by name
	ModelsKeyHeader  string   // GET /models takes the key in this header instead of Authorization

	limitRenamed bool // the other name of the limit of tokens was refused already
}

func (q Quirks) equal(o Quirks) bool {
	return q.CompletionTokens == o.CompletionTokens && q.Unstreamed == o.Unstreamed && q.NoSystem == o.NoSystem &&
		q.UnstreamedTools == o.UnstreamedTools && slices.Equal(q.Omit, o.Omit) && slices.Equal(q.OmitTools, o.OmitTools)
}

func (q Quirks) omits(param string) bool { return slices.Contains(q.Omit, param) }

// offersTools reports whether the tools of a request are sent. A server that does not
// know tool_choice gets none if they must not be called.
func (q Quirks) offersTools(req agents.Request) bool {
	return !q.omits(paramTools) && (req.ToolChoice == "" || !q.omits(paramToolChoice))
}

// tools returns the tools of a request that the server does not refuse.
func (q Quirks) tools(req agents.Request) []agents.ToolSpec {
	return slices.DeleteFunc(slices.Clone(req.Tools), func(s agents.ToolSpec) bool { return slices.Contains(q.OmitTools, s.Name) })
}

func (q Quirks) streams(req agents.Request) bool {
	return !q.Unstreamed && (!q.UnstreamedTools || len(req.Tools) == 0 || !q.offersTools(req))
}

// limitName returns what the limit of tokens is called: OpenAI's newer models
// know one name, most other servers the other.
func (q Quirks) limitName() string {
	if q.CompletionTokens {
		return paramCompletionTokens
	}
	return paramMaxTokens
}

func (q *Quirks) omit(param string) {
	if !q.omits(param) {
		q.Omit = append(slices.Clone(q.Omit), param)
		slices.Sort(q.Omit)
	}
}

// quirk is one way in which servers refuse what the API allows, and what the next
// request does differently.
type quirk struct {
	seen   string                                // where: servers and models, with the version or the time
	param  string                                // the field that the refusal names
	words  []string                              // one of these, in lower case, if the refusal names no field
	also   []string                              // and one of these
	not    []string                              // and none of these
	sent   func(q Quirks, r agents.Request) bool // whether the request had what was refused
	adapt  func(q *Quirks)                       // nil: param is omitted
	notice string                                // "": param is named
}

// quirks are tried in this order; the first that fits is learned.
var quirks = []quirk{
	{
		seen: "llama.cpp 2025-02", words: []string{paramStream}, also: []string{"tool", "function"}, not: []string{paramStreamOptions},
		sent:   func(q Quirks, r agents.Request) bool { return len(r.Tools) > 0 && !q.UnstreamedTools },
		adapt:  func(q *Quirks) { q.UnstreamedTools = true },
		notice: "does not support tools while streaming; retrying without streaming.",
	},
	{
		seen: "OpenAI, to organizations that are not verified", param: paramStream,
		sent:   Quirks.streams,
		adapt:  func(q *Quirks) { q.Unstreamed = true },
		notice: "does not stream to this account; retrying without streaming.",
	},
	{
		seen:   "Gemini with Gemma 3; chat templates of Gemma and Mistral in llama.cpp, LM Studio and vLLM",
		words:  []string{"system role", "developer instruction", "only user and assistant roles", "roles must alternate"},
		sent:   func(q Quirks, _ agents.Request) bool { return !q.NoSystem },
		adapt:  func(q *Quirks) { q.NoSystem = true },
		notice: "knows no system message; retrying with it in the first message.",
	},
	{
		seen: "Mistral, whose API takes no unknown field", param: paramStreamOptions, words: []string{paramStreamOptions, "include_usage"},
		sent: func(Quirks, agents.Request) bool { return true },
	},
	{
		seen: "DeepSeek", param: paramFormat, words: []string{paramFormat, "json_schema", "structured output"},
		sent: func(_ Quirks, r agents.Request) bool { return len(r.Schema) > 0 },
	},
	limitQuirk("OpenAI since o1", paramMaxTokens, false),
	limitQuirk("servers that know OpenAI's older name only", paramCompletionTokens, false),
	limitQuirk("servers that refuse both names", paramMaxTokens, true),
	limitQuirk("servers that refuse both names", paramCompletionTokens, true),
	{
		seen: "OpenAI before o1", param: paramReasoningEffort, words: []string{paramReasoningEffort, "reasoning effort"},
		sent: func(_ Quirks, r agents.Request) bool { return r.ReasoningEffort != "" },
	},
	{
		seen: "OpenAI o1, o3 and gpt-5, which take the default alone", param: paramTemperature, words: []string{paramTemperature},
		sent: func(_ Quirks, r agents.Request) bool { return r.Temperature != nil },
	},
	{
		seen:  "servers built with FastAPI, which take no unknown field",
		param: paramToolChoice, words: []string{paramToolChoice, "tool choice"},
		sent: func(q Quirks, r agents.Request) bool { return r.ToolChoice != "" && !q.omits(paramTools) },
	},
	{
		seen: "Ollama and OpenRouter for models without tools; vLLM without --enable-auto-tool-choice", param: paramTools,
		words:  []string{paramTools, "tool use", "tool calling", "tool choice", "function call"},
		sent:   func(_ Quirks, r agents.Request) bool { return len(r.Tools) > 0 },
		notice: "does not accept tools, so it can neither ask nor look things up; retrying without them.",
	},
}

// limitQuirk is a refusal of the limit of tokens, which is sent by its other name first.
func limitQuirk(seen, param string, renamed bool) quirk {
	k := quirk{seen: seen, param: param, words: []string{param}}
	k.sent = func(q Quirks, r agents.Request) bool {
		return r.MaxTokens > 0 && q.limitName() == param && q.limitRenamed == renamed
	}
	if !renamed {
		k.adapt = func(q *Quirks) { q.CompletionTokens, q.limitRenamed = !q.CompletionTokens, true }
		k.notice = "does not know " + param + "; retrying with its other name."
	}
	return k
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

// toolsNamed returns the tools of a request that a refusal names.
func toolsNamed(sent Quirks, req agents.Request, s apiError) []string {
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
func infer(sent Quirks, req agents.Request, s apiError) (why string, learned Quirks) {
	if names := toolsNamed(sent, req, s); len(names) > 0 {
		learned = sent
		learned.OmitTools = append(slices.Clone(sent.OmitTools), names...)
		return fmt.Sprintf("refuses %s; retrying without.", text.List(names)), learned
	}
	for _, k := range quirks {
		if k.param != "" && sent.omits(k.param) || !k.sent(sent, req) || !k.names(s) {
			continue
		}
		learned = sent
		if k.adapt == nil {
			learned.omit(k.param)
		} else {
			k.adapt(&learned)
		}
		return cmp.Or(k.notice, "does not accept "+k.param+"; retrying without it."), learned
	}
	return "", sent
}

type quirkCache struct {
	preset Quirks

	mu      sync.Mutex
	models  map[string]Quirks
	noticed []string
}

func (c *quirkCache) of(model string) Quirks {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known(model)
}

func (c *quirkCache) known(model string) Quirks {
	if q, ok := c.models[model]; ok {
		return q
	}
	return c.preset
}

// replace stores the quirks of a model's server and the notice of what changed. It
// reports whether old was still what is known.
func (c *quirkCache) replace(model string, old, q Quirks, notice string) bool {
	c.mu.Lock()
	ok := c.known(model).equal(old)
	if ok {
		c.models[model] = q
	}
	c.mu.Unlock()
	if ok {
		c.addNotice(notice)
	}
	return ok
}

func (c *quirkCache) addNotice(notice string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.noticed, notice) {
		c.noticed = append(c.noticed, notice)
	}
}

func (c *quirkCache) notices() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.noticed)
}

// adapt learns from a refusal of a request that was made for the quirks sent.
// It returns what is done about it, and false if nothing can be learned or the
// change was tried already.
func (c *Client) adapt(req agents.Request, sent Quirks, t errorFormatter, f *fault) (string, bool) {
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
			l := lesson{c.now().UTC(), learned.Unstreamed, learned.UnstreamedTools, learned.omits(paramStreamOptions)}
			if err := c.lessons.save(req.Model, l); err != nil { // it is learned again
				c.log.Warn("lessons about the server were not saved", "error", err)
			}
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

// lessonLifetime is how long a learned quirk is cached. Servers are updated.
const lessonLifetime = 24 * time.Hour

// lesson is the part of a model's quirks that is cached between runs of the program: how
// an answer is transported, not what it may contain.
type lesson struct {
	Learned         time.Time `json:"learned"`
	Unstreamed      bool      `json:"unstreamed,omitempty"`
	UnstreamedTools bool      `json:"unstreamed_tools,omitempty"`
	NoStreamOptions bool      `json:"no_stream_options,omitempty"`
}

func (l lesson) applyTo(q Quirks) Quirks {
	q.Unstreamed = q.Unstreamed || l.Unstreamed
	q.UnstreamedTools = q.UnstreamedTools || l.UnstreamedTools
	if l.NoStreamOptions {
		q.omit(paramStreamOptions)
	}
	return q
}

func (l lesson) holds(now time.Time) bool {
	age := now.Sub(l.Learned)
	return (l.Unstreamed || l.UnstreamedTools || l.NoStreamOptions) && age >= 0 && age < lessonLifetime
}

type lessons struct {
	path string
}

// newLessons returns the lessons of the server at an address, in a file below the folder
// for state. Its name does not tell the address.
func newLessons(state, address string) lessons {
	if state == "" {
		return lessons{}
	}
	sum := sha256.Sum256([]byte(address))
	return lessons{filepath.Join(state, "servers", hex.EncodeToString(sum[:8])+".json")}
}

func (l lessons) load(now time.Time) map[string]lesson {
	all := map[string]lesson{}
	raw, err := os.ReadFile(l.path)
	if err != nil || json.Unmarshal(raw, &all) != nil {
		return map[string]lesson{}
	}
	for model, x := range all {
		if !x.holds(now) {
			delete(all, model)
		}
	}
	return all
}

func (l lessons) save(model string, x lesson) error {
	if l.path == "" || !x.holds(x.Learned) {
		return nil
	}
	all := l.load(x.Learned)
	old := all[model]
	if old.Learned = x.Learned; old == x {
		return nil
	}
	all[model] = x
	raw, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encode lessons: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	return file.Replace(l.path, raw)
}

package openai

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"roundtable/agents"
	"roundtable/internal/text"
)

// answered returns the fault of an error that a server answered with. Of one within a response
// of status 200 the code is used as the status if it is one of HTTP.
func (t errorFormatter) answered(x *exchange, e *wireError) *fault {
	status := cmp.Or(e.status, e.said.status(), statusOf(e.said))
	f := t.statusFault(status, e.said, e.target)
	if f.Status = cmp.Or(e.status, e.said.status()); f.Status == 0 { // do not show a number that the server did not send
		f.Cause = strings.Replace(f.Cause, fmt.Sprintf(" (%d)", status), "", 1)
	}
	f.apiError, f.retryAfter = e.said, x.waitOf(e.said)
	return f
}

// statusOf returns the HTTP status for an error type, 500 for an unknown one.
func statusOf(s apiError) int {
	switch words := strings.ToLower(s.Type + " " + s.Code); {
	case strings.Contains(words, "overloaded"):
		return 529
	case s.means(limited):
		return http.StatusTooManyRequests
	case strings.Contains(words, "auth"), strings.Contains(words, "api_key"), strings.Contains(words, "permission"):
		return http.StatusUnauthorized
	case strings.Contains(words, "invalid_request"), strings.Contains(words, "badrequest"), strings.Contains(words, "invalid_argument"):
		return http.StatusBadRequest
	case strings.Contains(words, "not_found"):
		return http.StatusNotFound
	}
	return http.StatusInternalServerError
}

// statusFault classifies an error by its status and its words, since servers use
// the same status for different things.
func (t errorFormatter) statusFault(status int, s apiError, target string) *fault {
	switch {
	case status/100 == 3:
		return t.redirect(status, target)
	case status < 400:
		return t.notStream(text.Join(", ", fmt.Sprintf("status %d", status), s.Message))
	case isCredit(status, s):
		return t.newFault(agents.KindCredit, fmt.Sprintf("%s: no credit left for %s (%d)%s", t.name, t.model, status, t.quoted(s)),
			"Add credit or choose another provider.")
	case status < 500 && s.means(filtered):
		return t.newFault(agents.KindFilter, fmt.Sprintf("The content filter of %s blocked the request%s", t.subject(), t.quoted(s)),
			"Rephrase the topic or use another model.")
	case isNoAccess(status, s):
		return t.newFault(agents.KindAuth, fmt.Sprintf("%s does not let you use %s (%d)%s", t.name, t.model, status, t.quoted(s)),
			"Change that in your account there, or use another model.")
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status < 500 && s.means(badKey):
		return t.auth(status, s)
	case status == http.StatusRequestEntityTooLarge || s.means(windowExceeded):
		return t.newFault(agents.KindTooLong, fmt.Sprintf("The prompt is too long for %s%s", t.subject(), t.quoted(s)),
			shorterPrompt)
	case isUnknownModel(status, s):
		if gone := t.gone(t.model); gone != "" {
			return t.newFault(agents.KindModel, fmt.Sprintf("%s is %s.", t.subject(), gone), t.modelRemedy())
		}
		return t.newFault(agents.KindModel, fmt.Sprintf("%s does not offer %s%s", t.name, t.model, t.quoted(s)), t.modelRemedy())
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return t.newFault(agents.KindConfig,
			fmt.Sprintf("%s found nothing at %s for %s (%d)%s", t.name, t.settings.base, t.model, status, t.quoted(s)), t.pathRemedy())
	case s.loads(status):
		f := t.newFault(agents.KindBusy, fmt.Sprintf("%s loads the model %s (%d)%s", t.name, t.model, status, t.quoted(s)),
			"Wait until it has, or load it there.").retries()
		f.loads = true
		return f
	case isBusy(status, s):
		return t.busy(status, s)
	}
	return t.newFault(agents.KindRequest, fmt.Sprintf("%s refused the request (%d)%s", t.subject(), status, t.quoted(s)),
		t.requestRemedy(s))
}

const shorterPrompt = "Fork the debate with another model, or set the seat's context_window for new debates: " +
	"older statements are then shortened."

func (t errorFormatter) redirect(status int, target string) *fault {
	base := strings.TrimSuffix(strings.TrimSuffix(target, "/chat/completions"), "/models")
	to := cmp.Or(t.mask.quote(base), "an unknown address")
	return t.newFault(agents.KindConfig, fmt.Sprintf("%s redirects to %s (%d); the request was not sent there.", t.subject(), to, status),
		t.edit(fmt.Sprintf("If that is right, set %s to it", t.settings.addressKey)))
}

func (t errorFormatter) auth(status int, s apiError) *fault {
	if t.settings.keySource == "" {
		return t.newFault(agents.KindAuth, fmt.Sprintf("%s refused %s without a key (%d)%s", t.name, t.model, status, t.quoted(s)),
			fmt.Sprintf("Set api_key_env or api_key_command of %s and start Roundtable again.", t.name))
	}
	remedy := "Put a valid key there and start Roundtable again."
	if other := t.settings.preset.Other; other != "" {
		if t.settings.base.String() == other {
			other = t.settings.preset.BaseURL
		}
		remedy += fmt.Sprintf(" A key of the other region is for %s: set %s to that.", other, t.settings.preset.addressVariable())
	}
	return t.newFault(agents.KindAuth,
		fmt.Sprintf("%s refused the key in %s for %s (%d)%s", t.name, t.settings.keySource, t.model, status, t.quoted(s)),
		remedy)
}

func (t errorFormatter) busy(status int, s apiError) *fault {
	what := "is busy"
	switch {
	case status == http.StatusTooManyRequests:
		what = "rate-limited us"
	case status == http.StatusInternalServerError, s.means(sampling):
		what = "failed"
	}
	f := t.newFault(agents.KindBusy, fmt.Sprintf("%s %s (%d)%s", t.subject(), what, status, t.quoted(s)), "Wait a moment.").retries()
	if s.means(daily) {
		f.Remedy, f.daily = "Wait until the limit of the day is renewed, or use another model.", true
	}
	if s.means(sampling) { // chance is at fault, not the load
		f.retryOnce, f.Remedy = true, ""
	}
	return f
}

func (t errorFormatter) modelRemedy() string {
	if t.serverKind() == "ollama" {
		return fmt.Sprintf("Run `ollama pull %s`.", t.model)
	}
	return fmt.Sprintf("Run `roundtable models %s` to list its models. `roundtable continue ID --agent SEAT=MODEL` gives the seat another.",
		t.name)
}

func (t errorFormatter) pathRemedy() string {
	if strings.Contains(t.settings.base.String(), "/v1") {
		return t.edit("Check " + t.settings.addressKey)
	}
	return t.edit(fmt.Sprintf("Is %s missing /v1? If so, add it", t.settings.addressKey))
}

func (t errorFormatter) requestRemedy(s apiError) string {
	p := clean(t.mask.errors.Mask(s.Param), 40)
	field, _, _ := strings.Cut(strings.ReplaceAll(p, "[", "."), ".") // OpenAI names messages[0].role
	settings := []string{paramTemperature, paramMaxTokens, paramCompletionTokens, paramReasoningEffort}
	if p != "" && (slices.Contains(settings, field) || !slices.Contains(OwnFields(), field)) {
		return fmt.Sprintf("The server rejects %s; change or remove that setting for new debates.", p)
	}
	return "Change what the server rejects, or use another model."
}

func (s apiError) hasAny(phrases ...string) bool {
	words := strings.ToLower(s.Code + " " + s.Type + " " + s.Message)
	for _, p := range phrases {
		if strings.Contains(words, p) {
			return true
		}
	}
	return false
}

func isCredit(status int, s apiError) bool {
	// Gemini words a rate limit like a spent quota, but says how long to wait.
	return status == http.StatusPaymentRequired || s.means(noCredit) || s.means(quotaSpent) && s.Retry == 0
}

// isNoAccess reports whether the account may not use the model with any key. A model
// that "does not exist or you do not have access to it" has a wrong name more often.
func isNoAccess(status int, s apiError) bool {
	return status < 500 && s.Param != paramStream && !s.hasAny("does not exist") && s.means(noAccess)
}

func isUnknownModel(status int, s apiError) bool {
	if status != http.StatusNotFound && status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return false
	}
	return s.means(unknownModel) ||
		s.hasAny("model") && (status == http.StatusNotFound && !s.hasAny("path", "url", "route", "endpoint") ||
			s.hasAny("does not exist", "not found", "is not available"))
}

// loads reports whether the server is still loading the model. One that has failed to is not.
func (s apiError) loads(status int) bool {
	words := strings.ToLower(s.Message)
	return (status >= 500 || status == http.StatusTooEarly) && s.means(loading) && !strings.Contains(words, "fail") &&
		!strings.Contains(words, "error load") && !strings.Contains(words, "unable")
}

// isBusy reports whether the same request may succeed later. llama.cpp and others
// answer 500 to a request that is itself at fault.
func isBusy(status int, s apiError) bool {
	if s.means(sampling) {
		return true
	}
	again := []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests}
	never := []int{http.StatusNotImplemented, http.StatusHTTPVersionNotSupported}
	return slices.Contains(again, status) || status >= 500 && !slices.Contains(never, status) && !s.means(badRequest)
}

type meaning int

const (
	windowExceeded meaning = iota // the prompt, or prompt and answer together, exceed the window or what is taken in a minute
	limited                       // more requests or tokens than are allowed in a time
	daily                         // that time is a day
	loading                       // the model is being loaded
	sampling                      // no token could be chosen, or a broken call was, which one more try may repair
	noCredit
	quotaSpent   // of credit, or of a rate
	filtered     // by a content filter
	badKey       // some servers refuse it with 400
	noAccess     // the account may not use the model
	unknownModel // the server has no such model, or not any more
	badRequest   // the request itself is at fault, even with a status of 500
)

// errorWords are words of errors, in lower case, with the server and version that they
// were seen at; without a version they come from reports and were not verified. Servers send them with statuses
// of all kinds.
var errorWords = []struct {
	meaning meaning
	seen    string
	words   []string
}{
	{windowExceeded, "llama.cpp 2025-02", []string{"context size", "context shift"}},
	{windowExceeded, "llama.cpp 2025-08", []string{"exceed_context_size"}},
	{windowExceeded, "ik_llama.cpp 2026-08", []string{"too big compared to kv size"}},
	{windowExceeded, "Ollama 0.17", []string{"context length"}},
	{windowExceeded, "OpenAI, vLLM, Groq", []string{"context_length", "maximum context", "context window", "reduce the length"}},
	{windowExceeded, "Gemini", []string{"too many input tokens", "exceeds the maximum number of tokens"}},
	{windowExceeded, "Anthropic", []string{"prompt is too long"}},
	{windowExceeded, "OpenAI, Groq, of what they take in a minute", []string{"request too large for"}},
	{limited, "OpenAI, Anthropic, Groq, OpenRouter", []string{"rate limit", "rate_limit", "rate-limit", "too many requests"}},
	{limited, "Gemini", []string{"resource_exhausted"}},
	{limited, "DashScope", []string{"throttl"}},
	{daily, "Groq", []string{"(rpd)", "(tpd)", "per day"}},
	{daily, "Gemini, OpenRouter", []string{"perday", "per-day"}},
	{loading, "llama.cpp, Ollama", []string{"loading model"}},
	{loading, "LM Studio", []string{"model is loading"}},
	{sampling, "Groq", []string{"tool_use_failed"}},
	{sampling, "llama.cpp", []string{"sampling error"}},
	{unknownModel, "LM Studio", []string{"no models loaded"}},
	{noCredit, "OpenAI", []string{"insufficient_quota", "billing_hard_limit", "billing_not_active"}},
	{noCredit, "DeepSeek", []string{"insufficient balance", "insufficient_balance"}},
	{noCredit, "OpenRouter", []string{"insufficient credit", "insufficient_credit", "out of credit", "key limit exceeded"}},
	{noCredit, "LiteLLM", []string{"budget has been exceeded"}},
	{noCredit, "xAI", []string{"any credits", "available credits", "spending limit"}},
	{noCredit, "Anthropic, DashScope", []string{"credit balance", "arrearage"}},
	{quotaSpent, "OpenAI, Gemini", []string{"exceeded your current quota"}},
	{filtered, "OpenAI", []string{"content_filter", "content_policy"}},
	{filtered, "DashScope", []string{"data_inspection_failed", "datainspectionfailed"}},
	{filtered, "OpenRouter", []string{"flagged as", "moderation"}},
	{badKey, "OpenAI, xAI, Groq", []string{"incorrect api key", "invalid api key", "invalid_api_key"}},
	{badKey, "Gemini", []string{"api key not valid", "api key expired", "api_key_invalid"}},
	{badKey, "Anthropic", []string{"invalid x-api-key"}},
	{noAccess, "OpenAI", []string{"not have access to", "country, region", "must be verified"}},
	{noAccess, "Gemini", []string{"location is not supported"}},
	{noAccess, "OpenRouter", []string{"data policy"}},
	{unknownModel, "OpenAI", []string{"model_not_found", "unsupported model", "not a chat model", "not in v1/chat/completions"}},
	{unknownModel, "Azure", []string{"deploymentnotfound", "api deployment"}},
	{unknownModel, "OpenRouter", []string{"not a valid model", "no endpoints found"}},
	{unknownModel, "Groq", []string{"decommissioned"}},
	{unknownModel, "Mistral", []string{"invalid model"}},
	{unknownModel, "DeepSeek, DashScope", []string{"model not exist", "model_not_exist"}},
	{unknownModel, "Ollama", []string{"does not support chat"}},
	{badRequest, "llama.cpp 2025-02, ik_llama.cpp 2026-08", []string{
		"json.exception", "parse error", "failed to parse", "cannot use ", "is required", "expected '", "only one completion",
	}},
	{badRequest, "LM Studio and llama.cpp, of chat templates", []string{"jinja"}},
	{badRequest, "Ollama, LM Studio, vLLM", []string{"more system memory", "insufficient system resources", "cuda out of memory"}},
	{badRequest, "vLLM", []string{"badrequest", "must be ", "is not allowed"}},
	{badRequest, "Gemini, OpenAI, xAI", []string{"invalid_argument", "invalid_request", "invalid argument"}},
}

func (s apiError) means(m meaning) bool {
	for _, e := range errorWords {
		if e.meaning == m && s.hasAny(e.words...) {
			return true
		}
	}
	return false
}

package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// apiError is what a server says about an error. It may come as OpenAI's object, a
// string, Gemini's list, Anthropic's and vLLM's typed objects, FastAPI's detail,
// an HTML page or plain text.
type apiError struct {
	Message string
	Code    string // a word or a number
	Type    string
	Param   string
	Retry   time.Duration // how long the body asks to wait; 0: it does not
	Reset   time.Time     // when the body says that requests are taken again; zero: it does not
}

type apiErrorBody struct {
	Error    json.RawMessage                `json:"error"`
	Errors   json.RawMessage                `json:"errors"`
	Message  json.RawMessage                `json:"message"`
	Msg      lenientString                  `json:"msg"`
	Detail   json.RawMessage                `json:"detail"`
	Code     lenientString                  `json:"code"`
	Status   lenientString                  `json:"status"`
	Type     lenientString                  `json:"type"`
	Param    lenientString                  `json:"param"`
	Location lenientObject[[]lenientString] `json:"loc"`
	Metadata lenientObject[struct {
		Raw      lenientString   `json:"raw"`
		Provider lenientString   `json:"provider_name"`
		Headers  json.RawMessage `json:"headers"`
	}] `json:"metadata"`
}

const maxErrorDepth = 4

func parseAPIError(body []byte) apiError {
	body = bytes.TrimSpace(body)
	s := decodeAPIError(body, maxErrorDepth)
	s.Retry = waitIn(body)
	s.Message = cmp.Or(s.Message, titleOf(body), string(body))
	return s
}

func titleOf(body []byte) string {
	if title := pageTitle.FindSubmatch(body); title != nil {
		return string(title[1])
	}
	return ""
}

var pageTitle = regexp.MustCompile(`(?is)<(?:title|h1)[^>]*>\s*(.*?)\s*</(?:title|h1)>`)

// decodeAPIError decodes an error as JSON. It returns the zero value if raw holds no error.
func decodeAPIError(raw []byte, depth int) apiError {
	if len(raw) == 0 || depth == 0 {
		return apiError{}
	}
	switch raw[0] {
	case '"':
		if json.Valid(raw) {
			return apiError{Message: unquote(raw)}
		}
	case '[':
		return decodeAPIErrorList(raw, depth)
	case '{':
		return decodeAPIErrorObject(raw, depth)
	}
	return apiError{}
}

func decodeAPIErrorList(raw []byte, depth int) apiError {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return apiError{}
	}
	var out apiError
	var messages []string
	for _, item := range list[:min(len(list), 5)] {
		s := decodeAPIError(item, depth-1)
		if s.Message != "" {
			messages = append(messages, s.Message)
		}
		out = out.merge(s)
	}
	out.Message = strings.Join(messages, "; ")
	return out
}

func decodeAPIErrorObject(raw []byte, depth int) apiError {
	var b apiErrorBody
	if json.Unmarshal(raw, &b) != nil {
		return apiError{}
	}
	meta := b.Metadata.of
	out := apiError{
		Code: string(b.Code), Type: cmp.Or(string(b.Type), string(b.Status)), Param: string(b.Param), Reset: resetTime(meta.Headers),
	}
	for _, l := range b.Location.of { // of FastAPI's validator
		if l != "body" {
			out.Param = cmp.Or(out.Param, string(l))
		}
	}
	for _, inner := range []json.RawMessage{b.Error, b.Errors, b.Message, b.Detail} {
		if present(inner) {
			s := decodeAPIError(inner, depth-1)
			s.Message, out.Message = "", cmp.Or(out.Message, s.Message)
			out = s.merge(out)
		}
	}
	out.Message = cmp.Or(out.Message, string(b.Msg))
	if upstream := string(meta.Raw); upstream != "" {
		inner := parseAPIError([]byte(upstream))
		out.Message = strings.TrimSpace(out.Message + " (" + string(meta.Provider) + ": " + inner.Message + ")")
	}
	return out
}

func (s apiError) merge(t apiError) apiError {
	s.Message, s.Code = cmp.Or(s.Message, t.Message), cmp.Or(s.Code, t.Code)
	s.Type, s.Param = cmp.Or(s.Type, t.Type), cmp.Or(s.Param, t.Param)
	s.Reset = cmp.Or(s.Reset, t.Reset)
	return s
}

// waitPattern matches how long an error asks to wait, as in "Please try again in 1.5s",
// "in 5 minutes", "retryDelay": "34s" and "retry_after": 20, but no date.
var waitPattern = regexp.MustCompile(`(?i)(?:retry.?(?:delay|after|in)|try again in)\W{1,8}` +
	`(\d+(?:\.\d+)?(?:ms|[smh])?(?:\d+(?:\.\d+)?(?:ms|[smh]))*)(?: ?(second|minute|hour)s?)?(?:[^-\w]|$)`)

func waitIn(body []byte) time.Duration {
	m := waitPattern.FindSubmatch(body)
	if m == nil {
		return 0
	}
	if wait, err := time.ParseDuration(string(m[1])); err == nil {
		return min(wait, maxRetryAfter)
	}
	unit := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour}[strings.ToLower(string(m[2]))]
	wait, _ := parseDelay(string(m[1]), cmp.Or(unit, time.Second))
	return wait
}

// resetTime returns when a limit of OpenRouter's ends, such as that of its free
// models in a day. It quotes the header in the body.
func resetTime(headers json.RawMessage) time.Time {
	var h struct {
		Reset lenientString `json:"X-RateLimit-Reset"`
	}
	if len(headers) == 0 || json.Unmarshal(headers, &h) != nil {
		return time.Time{}
	}
	ms, err := strconv.ParseInt(string(h.Reset), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

func (s apiError) status() int {
	n, err := strconv.Atoi(s.Code)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

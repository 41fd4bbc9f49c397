package openai

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// said is what a server says about an error, whatever the form: OpenAI's
// object, a string, Gemini's list, Anthropic's and vLLM's typed objects,
// FastAPI's detail, a page, or plain text.
type said struct {
	Message string
	Code    string // a word or a number
	Type    string
	Param   string
	Retry   time.Duration // how long to wait, if the body says so
}

// saidBody is the union of those forms.
type saidBody struct {
	Error    json.RawMessage `json:"error"`
	Errors   json.RawMessage `json:"errors"`
	Message  json.RawMessage `json:"message"`
	Msg      text            `json:"msg"`
	Detail   json.RawMessage `json:"detail"`
	Details  json.RawMessage `json:"details"`
	Code     text            `json:"code"`
	Status   text            `json:"status"`
	Type     text            `json:"type"`
	Param    text            `json:"param"`
	Location []text          `json:"loc"`
	Metadata struct {
		Raw      text `json:"raw"`
		Provider text `json:"provider_name"`
	} `json:"metadata"`
}

// maxSaidDepth bounds how deep errors within errors are followed.
const maxSaidDepth = 4

// parseSaid reads the body of an error.
func parseSaid(body []byte) said {
	body = bytes.TrimSpace(body)
	s := readSaid(body, maxSaidDepth)
	if s.Message == "" {
		s.Message = bareMessage(body)
	}
	return s
}

// bareMessage returns the words of a body that has no message in it.
func bareMessage(body []byte) string {
	if title := pageTitle.FindSubmatch(body); title != nil {
		return string(title[1])
	}
	return string(body)
}

var pageTitle = regexp.MustCompile(`(?is)<title[^>]*>\s*(.*?)\s*</title>`)

func readSaid(raw []byte, depth int) said {
	if len(raw) == 0 || depth == 0 {
		return said{}
	}
	switch raw[0] {
	case '"':
		if json.Valid(raw) {
			return said{Message: unquote(raw)}
		}
	case '[':
		return readSaidList(raw, depth)
	case '{':
		return readSaidObject(raw, depth)
	}
	return said{}
}

// readSaidList joins the messages of a list.
func readSaidList(raw []byte, depth int) said {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return said{}
	}
	var out said
	var messages []string
	for _, item := range list[:min(len(list), 5)] {
		s := readSaid(item, depth-1)
		if s.Message != "" {
			messages = append(messages, s.Message)
		}
		out = out.or(s)
	}
	out.Message = strings.Join(messages, "; ")
	return out
}

func readSaidObject(raw []byte, depth int) said {
	var b saidBody
	if json.Unmarshal(raw, &b) != nil {
		// One field of an unexpected type must not hide the others.
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			return said{}
		}
		b = saidBody{Error: fields["error"], Message: fields["message"], Detail: fields["detail"]}
	}
	out := said{Code: string(b.Code), Type: string(b.Type), Param: string(b.Param), Retry: retryInfo(b.Details)}
	if out.Type == "" {
		out.Type = string(b.Status)
	}
	out = out.withLocation(b.Location)
	for _, inner := range []json.RawMessage{b.Error, b.Errors, b.Message, b.Detail} {
		if given(inner) {
			s := readSaid(inner, depth-1)
			s.Message, out.Message = "", firstOf(out.Message, s.Message)
			out = s.or(out)
		}
	}
	out.Message = firstOf(out.Message, string(b.Msg))
	if upstream := string(b.Metadata.Raw); upstream != "" {
		inner := parseSaid([]byte(upstream))
		out.Message = strings.TrimSpace(out.Message + " (" + string(b.Metadata.Provider) + ": " + inner.Message + ")")
	}
	return out
}

// withLocation takes the parameter's name from where a validator found fault.
func (s said) withLocation(loc []text) said {
	for _, l := range loc {
		if l != "body" {
			s.Param = firstOf(s.Param, string(l))
		}
	}
	return s
}

// or fills what s lacks from t.
func (s said) or(t said) said {
	s.Message, s.Code = firstOf(s.Message, t.Message), firstOf(s.Code, t.Code)
	s.Type, s.Param = firstOf(s.Type, t.Type), firstOf(s.Param, t.Param)
	s.Retry = max(s.Retry, t.Retry)
	return s
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// retryInfo finds how long Gemini asks to wait among an error's details.
func retryInfo(raw json.RawMessage) time.Duration {
	var details []struct {
		Delay text `json:"retryDelay"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &details) != nil {
		return 0
	}
	for _, d := range details {
		if wait, err := time.ParseDuration(string(d.Delay)); err == nil && wait > 0 {
			return wait
		}
	}
	return 0
}

// status returns the code if it is one of HTTP.
func (s said) status() int {
	n, err := strconv.Atoi(s.Code)
	if err != nil || n < 400 || n > 599 {
		return 0
	}
	return n
}

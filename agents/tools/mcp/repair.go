package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/internal/text"
)

type members = map[string]json.RawMessage

// repaired returns a message of a server so that the SDK can read it: one part of an answer that
// it cannot read costs it that part and not the answer.
func repaired(message []byte) []byte {
	var m, result members
	if json.Unmarshal(message, &m) != nil || json.Unmarshal(m["result"], &result) != nil {
		return message
	}
	has := func(name string) bool { return result[name] != nil }
	switch {
	case has("tools") && !fits(m["result"], &sdk.ListToolsResult{}):
		m["result"] = repairedList(result)
	case has("protocolVersion") && !fits(m["result"], &sdk.InitializeResult{}):
		m["result"] = repairedStart(result)
	case (has("content") || has("structuredContent")) && !fits(m["result"], &sdk.CallToolResult{}):
		m["result"] = repairedResult(result)
	default:
		return message
	}
	return marshal(m)
}

func fits(raw json.RawMessage, into any) bool { return json.Unmarshal(raw, into) == nil }

func marshal(v any) json.RawMessage {
	raw, err := encode(v, "")
	if err != nil {
		return nil
	}
	return raw
}

// repairedList returns a list of tools in which one that cannot be read has nothing but its name,
// or its schema and its description if they can be read.
func repairedList(result members) json.RawMessage {
	var list []json.RawMessage
	if !fits(result["tools"], &list) {
		list = nil
	}
	tools := []json.RawMessage{}
	for _, raw := range list {
		var tool members
		var name string
		if !fits(raw, &tool) || !fits(tool["name"], &name) || name == "" {
			continue
		}
		kept := members{"name": tool["name"]}
		for _, key := range []string{"description", "inputSchema", "annotations"} {
			if tool[key] != nil && fits(marshal(members{"name": tool["name"], key: tool[key]}), &sdk.Tool{}) {
				kept[key] = tool[key]
			}
		}
		tools = append(tools, marshal(kept))
	}
	out := members{"tools": marshal(tools)}
	if cursor := result["nextCursor"]; fits(cursor, new(string)) {
		out["nextCursor"] = cursor
	}
	return marshal(out)
}

// repairedStart returns the answer to the first request with what is needed of it.
func repairedStart(result members) json.RawMessage {
	var version any
	_ = json.Unmarshal(result["protocolVersion"], &version)
	return marshal(map[string]any{
		"protocolVersion": fmt.Sprint(version), "capabilities": map[string]any{"tools": map[string]any{}},
		"serverInfo": map[string]any{"name": "", "version": ""},
	})
}

// repairedResult returns the result of a call with what can be read of it; the rest is named.
func repairedResult(result members) json.RawMessage {
	out := members{"content": json.RawMessage("[]")}
	for _, key := range []string{"structuredContent", "isError"} {
		if result[key] != nil && fits(marshal(members{key: result[key]}), &sdk.CallToolResult{}) {
			out[key] = result[key]
		}
	}
	if string(result["isError"]) == `"true"` {
		out["isError"] = json.RawMessage("true")
	}
	var parts []json.RawMessage
	if content := result["content"]; content != nil && json.Unmarshal(content, &parts) != nil {
		parts = []json.RawMessage{content}
	}
	content := []json.RawMessage{}
	for _, part := range parts {
		content = append(content, repairedPart(part))
	}
	out["content"] = marshal(content)
	return marshal(out)
}

// repairedPart returns a part of a result, or a text in its place if it cannot be read.
func repairedPart(part json.RawMessage) json.RawMessage {
	var words string
	var object map[string]any
	switch {
	case fits(marshal(map[string]any{"content": []any{part}}), &sdk.CallToolResult{}):
		return part
	case fits(part, &words):
	case !fits(part, &object):
		words = string(part)
	case object["text"] != nil && fits(marshal(object["text"]), &words):
	case object["type"] == nil:
		words = string(part)
	default:
		words = fmt.Sprintf("[content of the kind %q: not passed on]", text.Label(fmt.Sprint(object["type"])))
	}
	return marshal(map[string]any{"type": "text", "text": words})
}

// repairedBody is the body of an HTTP response, whose messages are repaired: one, or those of a
// stream of events.
type repairedBody struct {
	io.ReadCloser
	lines *bufio.Reader // of a stream; nil: there is one message
	rest  []byte
	err   error
}

func newRepairedBody(resp *http.Response) io.ReadCloser {
	b := &repairedBody{ReadCloser: &boundedBody{resp.Body, maxResponse}}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/event-stream" {
		b.lines = bufio.NewReader(b.ReadCloser)
	}
	return b
}

// Read reads the next part.
func (b *repairedBody) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		if b.lines == nil {
			if b.rest, b.err = io.ReadAll(b.ReadCloser); b.err == nil {
				b.rest, b.err = repaired(b.rest), io.EOF
			}
			continue
		}
		var line string
		line, b.err = b.lines.ReadString('\n')
		if data, ok := strings.CutPrefix(line, "data:"); ok && b.err == nil {
			line = "data: " + string(repaired([]byte(strings.TrimSpace(data)))) + "\n"
		}
		b.rest = []byte(line)
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

package endpoint

import (
	"fmt"
	"strings"
)

// streamResponses writes a reply of Responses.
func streamResponses(a reply) {
	event := func(kind, fields string) {
		fmt.Fprintf(a.w, "event: %s\n", kind)
		a.event(`{"type":%q,%s}`, kind, fields)
	}
	response := func(kind, fields string) {
		event(kind, fmt.Sprintf(`"response":{"id":%q,"object":"response","model":"m3",%s}`, "resp_"+a.id, fields))
	}
	response("response.created", `"status":"in_progress","output":[]`)
	if a.Call != "" {
		namespace, name, nested := strings.Cut(a.Tool, " ")
		call := `"type":"function_call","name":` + quote(a.Tool) + `,"arguments":` + quote(a.Call)
		switch {
		case nested:
			call = `"type":"function_call","namespace":` + quote(namespace) + `,"name":` + quote(name) + `,"arguments":` + quote(a.Call)
		case a.Tool == "tool_search": // it is the client's, and no function
			call = `"type":"tool_search_call","execution":"client","arguments":` + a.Call
		}
		event("response.output_item.done", fmt.Sprintf(`"output_index":0,"item":{"id":%q,"call_id":%q,%s,"status":"completed"}`,
			"fc_"+a.id, "call_"+a.id, call))
	} else {
		item := func(kind, content string) {
			event(kind, fmt.Sprintf(`"output_index":0,"item":{"type":"message","id":%q,"role":"assistant","content":[%s]}`,
				"msg_"+a.id, content))
		}
		item("response.output_item.added", "")
		if !a.words(func(word string) {
			event("response.output_text.delta", fmt.Sprintf(`"item_id":%q,"output_index":0,"content_index":0,"delta":%s`,
				"msg_"+a.id, quote(word)))
		}) {
			return
		}
		item("response.output_item.done", `{"type":"output_text","annotations":[],"text":`+quote(a.Text)+"}")
	}
	response("response.completed", `"status":"completed","output":[],"usage":{"input_tokens":10,`+
		`"input_tokens_details":{"cached_tokens":0},"output_tokens":5,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":15}`)
}

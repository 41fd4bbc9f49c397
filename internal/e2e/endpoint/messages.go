package endpoint

import "fmt"

// streamMessages writes a reply of Anthropic Messages.
func streamMessages(a reply) {
	event := func(kind, fields string) {
		fmt.Fprintf(a.w, "event: %s\n", kind)
		a.event(`{"type":%q%s}`, kind, fields)
	}
	event("message_start", fmt.Sprintf(`,"message":{"id":%q,"type":"message","role":"assistant","model":"m3","content":[],`+
		`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":10,"output_tokens":1}}`, "msg_"+a.id))
	delta := func(fields string) { event("content_block_delta", `,"index":0,"delta":{`+fields+`}`) }
	block, reason := `{"type":"text","text":""}`, "end_turn"
	if a.Call != "" {
		block = fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%s,"input":{}}`, "toolu_"+a.id, quote(a.Tool))
		reason = "tool_use"
	}
	event("content_block_start", `,"index":0,"content_block":`+block)
	if a.Call != "" {
		delta(`"type":"input_json_delta","partial_json":` + quote(a.Call))
	} else if !a.words(func(word string) { delta(`"type":"text_delta","text":` + quote(word)) }) {
		return
	}
	event("content_block_stop", `,"index":0`)
	event("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":5}`, reason))
	event("message_stop", "")
}

package openai_test

import (
	"fmt"
	"strings"

	"roundtable/agents"
)

var (
	whole2 = outcome{Text: "Hello there", Finish: agents.FinishStop, Usage: "3/2/0"}
	plain2 = outcome{Text: "Hello there", Finish: agents.FinishStop}
	cutOff = outcome{Kind: agents.KindTruncated, Says: "was cut off"}
)

func cutAfter(text string) outcome {
	return outcome{Text: text, Kind: agents.KindTruncated, Says: "was cut off"}
}

// framing returns the ways in which events are framed.
func framing() []sample {
	hello, there := content("Hello"), content(" there")
	two := stream(hello, there)
	comments := strings.Repeat(": OPENROUTER PROCESSING\n\n", 200)
	return []sample{
		{name: "plain", body: helloThere, want: whole2},
		{name: "no space after data", body: strings.ReplaceAll(helloThere, "data: ", "data:"), want: whole2},
		{name: "tab after data", body: strings.ReplaceAll(helloThere, "data: ", "data:\t"), want: whole2},
		{name: "byte-order mark first", body: "\uFEFF" + helloThere, want: whole2},
		{name: "comments first", body: comments + helloThere, want: whole2},
		read("a comment within an event", whole2, "event: message\n: hm\ndata: "+hello+"\n: hm\n\n", stream(there, stop, counted, done)),
		read("event, id and retry fields", whole2, "retry: 3000\nevent: message\nid: 1\ndata: "+hello+"\n\n",
			"id: 2\ndata: "+there+"\nevent: x\n\n", stream(stop, counted, done)),
		{name: "empty data", body: "data:\n\ndata: \n\n" + stream(hello) + "data:\n\n" + stream(there, stop, counted, done), want: whole2},
		read("JSON over several data lines", whole2, "data: {\"choices\":\ndata: [{\"index\":0,\ndata:\n",
			"data: \"delta\":{\"content\":\"Hello there\"}}]}\n\n", stream(stop, counted, done)),
		{name: "no line end at the end", body: strings.TrimRight(helloThere, "\n"), want: whole2},
		{name: "DONE and no finish reason", body: stream(hello, there, done), want: plain2},
		{name: "a finish reason and no DONE", body: two + stream(stop), want: plain2},
		{name: "usage after the finish and no DONE", body: two + stream(stop, counted), want: whole2},
		read("text in the last chunk, no line end", plain2,
			stream(hello), `data: `+one(`{"delta":{"content":" there"},"finish_reason":"stop"}`)),
		{name: "neither finish reason nor DONE", body: two, want: cutAfter("Hello there")},
		{name: "cut within JSON", body: two + `data: {"choices":[{"del`, want: cutAfter("Hello there")},
		{name: "an empty stream", body: "", want: cutOff},
		{name: "something after DONE", body: helloThere + stream(content("more")) + ": and more\n\n", want: whole2},
		read("a damaged event", outcome{Text: "Hello", Kind: agents.KindMalformed, Says: "Event 2 of the answer from mock/"},
			stream(hello, `{"choices":[{"delta":{"content":" th`, there, stop, done)),
		read("an event that is no JSON", outcome{Kind: agents.KindMalformed, Says: "Event 1 of the answer from mock/"}, stream("hello")),
	}
}

// read returns a sample whose body has some parts.
func read(name string, want outcome, body ...string) sample {
	return sample{name: name, body: strings.Join(body, ""), want: want}
}

func one(choice string) string { return `{"choices":[` + choice + `]}` }

// webSources are what OpenRouter's search has found, as recorded.
const webSources = `"annotations":[{"type":"url_citation","url_citation":{"url":"https://example.org/a","title":"A","content":"…",` +
	`"start_index":0,"end_index":12}}]`

// values returns what events may hold.
func values() []sample {
	text := func(name string, want outcome, events ...string) sample {
		return sample{name: name, body: stream(events...), want: want}
	}
	return []sample{
		text("created a float, id a number", plain2,
			`{"id":17,"created":1.5e9,"choices":[{"delta":{"content":"Hello there"}}]}`, stop, done),
		text("usage in floats and nulls", whole2,
			content("Hello there"), stop,
			`{"choices":[],"usage":{"prompt_tokens":2.6,"completion_tokens":2.0,"total_tokens":null,"completion_tokens_details":null}}`,
			done),
		text("usage in strings", whole2,
			content("Hello there"), stop, `{"choices":[],"usage":{"prompt_tokens":"3","completion_tokens":"2"}}`, done),
		text("usage null", plain2, `{"choices":[{"delta":{"content":"Hello there"}}],"usage":null}`, stop, done),
		text("usage that is no object", plain2, `{"choices":[{"delta":{"content":"Hello there"}}],"usage":[1]}`, stop, done),
		text("usage below nothing", plain2,
			content("Hello there"), stop, `{"choices":[],"usage":{"prompt_tokens":-3,"completion_tokens":"x"}}`, done),
		text("usage in the other spelling", whole2,
			content("Hello there"), stop, `{"choices":[],"usage":{"input_tokens":3,"output_tokens":2}}`, done),
		text("usage with reasoning", outcome{Text: "Hello there", Finish: "stop", Usage: "3/9/7"},
			content("Hello there"), stop,
			`{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":9,"completion_tokens_details":{"reasoning_tokens":7}}}`, done),
		text("usage with the finish", whole2,
			content("Hello there"), `{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`),
		text("usage before the finish", whole2, content("Hello there"), counted, stop, done),
		text("the finish reason null as a word, then stop", plain2,
			one(`{"delta":{"content":"Hello there"},"finish_reason":"null"}`), stop, done),
		text("finish length", outcome{Text: "Hello there", Finish: agents.FinishLength},
			content("Hello there"), one(`{"delta":{},"finish_reason":"length"}`), done),
		text("finish content_filter", outcome{Text: "Hello", Finish: agents.FinishFilter},
			content("Hello"), one(`{"delta":{},"finish_reason":"content_filter"}`), done),
		text("finish error", outcome{Text: "Hello", Finish: agents.FinishError},
			content("Hello"), one(`{"delta":{},"finish_reason":"error"}`), done),
		text("finish unknown", outcome{Text: "Hello", Finish: "model said so"},
			content("Hello"), one(`{"delta":{},"finish_reason":"model\nsaid so"}`), done),
		{
			name: "finish stop at the limit of tokens", max: 2, body: helloThere,
			want: outcome{Text: "Hello there", Finish: agents.FinishLength, Usage: "3/2/0"},
		},
		{name: "finish stop below the limit of tokens", max: 3, body: helloThere, want: whole2},
		text("no choices", plain2, `{"choices":[]}`, `{"choices":null}`, `{}`, content("Hello there"), stop, done),
		text("no delta", plain2,
			one(`{"index":0}`), one(`{"delta":null}`), one(`{"delta":{"content":null}}`), content("Hello there"), stop, done),
		text("message for delta", plain2, one(`{"message":{"content":"Hello there"}}`), stop, done),
		text("another choice before ours", plain2,
			other("no"), content("Hello"), other(" never"), content(" there"), otherStop, stop, done),
		text("another choice ends before ours", plain2, other("no"), otherStop, content("Hello"), content(" there"), stop, done),
		text("content in parts", plain2,
			one(`{"delta":{"content":[{"type":"text","text":"Hello"},{"type":"text","text":" there"}]}}`), stop, done),
		text("content in parts, with thoughts", outcome{Text: "Hello there", Thought: "Hm.", Finish: "stop"},
			one(`{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Hello there"}]}}`),
			stop, done),
		text("reasoning_content", outcome{Text: "Hello there", Thought: "Hm.", Finish: "stop"},
			one(`{"delta":{"reasoning_content":"Hm."}}`), content("Hello there"), stop, done),
		text("reasoning", outcome{Text: "Hello there", Thought: "Hm.", Finish: "stop"},
			one(`{"delta":{"reasoning":"Hm.","content":""}}`), content("Hello there"), stop, done),
		text("thoughts in marks are left to the caller", outcome{Text: "<think>Hm, <b>no.</think>\n\nHello there", Finish: "stop"},
			content("<think>Hm, <b>no.</think>\n\nHello"), content(" there"), stop, done),
		text("sources of the web beside a piece", plain2, one(`{"delta":{"content":"Hello there",`+webSources+`}}`), stop, done),
		text("sources of the web at the end", plain2,
			content("Hello there"), one(`{"delta":{"content":"",`+webSources+`},"finish_reason":"stop"}`), done),
		text("white space only", outcome{Text: " \n", Finish: "stop"}, content(" \n"), stop, done), text(
			"a refusal", outcome{Text: "I can't help with that.", Kind: agents.KindFilter, Says: "mock/m refused to answer: \"I can't help with that\"."},
			one(`{"delta":{"refusal":"I can't "}}`), one(`{"delta":{"refusal":"help with that."}}`), stop, done),
		text("control characters", outcome{Text: "a\x00b\x1b[31mc", Finish: "stop"},
			one(`{"delta":{"content":"a\u0000b\u001b[31mc"}}`), stop, done),
		text("a lone surrogate", outcome{Text: "a\uFFFDb", Finish: "stop"}, one(`{"delta":{"content":"a\ud83db"}}`), stop, done),
		text("invalid UTF-8", outcome{Text: "a\uFFFD\uFFFDb", Finish: "stop"}, one("{\"delta\":{\"content\":\"a\xff\xfeb\"}}"), stop, done),
		text("the details of reasoning", outcome{
			Text: "Hello there", Thought: "Hm.", Finish: "stop",
			Extra: `{"reasoning_details":[{"index":0,"signature":"sig","text":"Hm.","type":"reasoning.text"},` +
				`{"data":"xyz","index":1,"type":"reasoning.encrypted"}]}`,
		},
			one(`{"delta":{"reasoning":"Hm","reasoning_details":[{"type":"reasoning.text","text":"Hm","index":0,"signature":null}]}}`),
			one(`{"delta":{"reasoning":".","reasoning_details":[{"type":"reasoning.text","text":".","index":0,"signature":"sig"}]}}`),
			one(`{"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"xyz","index":1}]}}`), content("Hello there"), stop,
			done),
		text("a signature with the message", outcome{Text: "Hello there", Finish: "stop", Extra: `{"extra_content":{"google":{"thought_signature":"abc"}}}`},
			one(`{"delta":{"content":"Hello there","extra_content":{"google":{"thought_signature":"abc"}}}}`), stop, done),
	}
}

// call returns an event with one delta of a tool call.
func call(fragment string) string { return one(`{"delta":{"tool_calls":[` + fragment + `]}}`) }

// aCall is an event with a whole call.
var aCall = call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{}"}}`)

// calls returns the ways in which tool calls arrive.
func calls() []sample {
	end := stream(one(`{"delta":{},"finish_reason":"tool_calls"}`), done)
	text := func(name, calls string, events ...string) sample {
		return sample{name: name, body: stream(events...) + end, want: outcome{Finish: agents.FinishToolCalls, Calls: calls}}
	}
	args := `{"path":"a \"b\" é"}`
	pieces := func(head, tail string) (events []string) {
		for i, piece := range []string{`{"path`, `":"a \`, `"b\" \u0`, `0e9"}`} {
			frag := fmt.Sprintf(`{%s"function":{"arguments":%q}}`, tail, piece)
			if i == 0 {
				frag = fmt.Sprintf(`{%s"function":{"name":"read","arguments":%q}}`, head, piece)
			}
			events = append(events, call(frag))
		}
		return events
	}
	escaped := `{"path":"a \"b\" \u00e9"}`
	return []sample{
		text("a whole call", "read("+args+")#c1",
			call(fmt.Sprintf(`{"index":0,"id":"c1","type":"function","function":{"name":"read","arguments":%q}}`, args))),
		text("arguments cut within an escape", "read("+escaped+")#c1", pieces(`"index":0,"id":"c1","type":"function",`, `"index":0,`)...),
		text("fragments with the id alone", "read("+escaped+")#c1", pieces(`"id":"c1",`, `"id":"c1",`)...),
		text("fragments with neither", "read("+escaped+")#", pieces(``, ``)...),
		text("fragments with the index as a string", "read("+escaped+")#c1", pieces(`"index":"0","id":"c1",`, `"index":"0",`)...),
		text("the id null", "read("+escaped+")#", pieces(`"index":0,"id":null,`, `"index":0,"id":null,`)...),
		text("the id after the name", "read({})#c1",
			call(`{"index":0,"function":{"name":"read"}}`), call(`{"index":0,"id":"c1","function":{"arguments":"{}"}}`)),
		text("two calls by index", `read({"a":1})#c1 list({})#c2`,
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"a\""}}`),
			call(`{"index":1,"id":"c2","function":{"name":"list","arguments":"{"}}`), call(`{"index":0,"function":{"arguments":":1}"}}`),
			call(`{"index":1,"function":{"arguments":"}"}}`)),
		text("two calls without index", `read({"a":1})#c1 read({"a":2})#c2`,
			call(`{"id":"c1","function":{"name":"read","arguments":"{\"a\":1"}}`), call(`{"function":{"arguments":"}"}}`),
			call(`{"id":"c2","function":{"name":"read","arguments":"{\"a\":"}}`), call(`{"function":{"arguments":"2}"}}`)),
		text("two calls without index and id in pieces, and the name after the last one", `read({"a":1})# read({"a":2})#`,
			call(`{"function":{"name":"read","arguments":""}}`), call(`{"function":{"arguments":"{\"a\":1}"}}`),
			call(`{"function":{"name":"read","arguments":""}}`), call(`{"function":{"arguments":"{\"a\":2"}}`),
			call(`{"function":{"name":"read","arguments":"}"}}`), call(`{"function":{"name":"read","arguments":""}}`)),
		text("two calls without index and id in one delta", `read({})# read({})#`,
			one(`{"delta":{"tool_calls":[{"function":{"name":"read","arguments":""}},{"function":{"name":"read","arguments":""}}]}}`)),
		text("two calls of index 0", `read({"a":1})#c1 list({"b":2})#c2`,
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"a\":1"}}`),
			call(`{"index":0,"function":{"arguments":"}"}}`),
			call(`{"index":0,"id":"c2","function":{"name":"list","arguments":"{\"b\""}}`),
			call(`{"index":0,"function":{"arguments":":2}"}}`)),
		text("the same id twice", `read({})#c list({"a":1})#c`,
			call(`{"index":0,"id":"c","function":{"name":"read","arguments":"{}"}}`),
			call(`{"index":1,"id":"c","function":{"name":"list","arguments":"{\"a\":"}}`),
			call(`{"index":1,"function":{"arguments":"1}"}}`)),
		text("arguments an object", `read({"a":[1,2]})#c1`,
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":{"a":[1,2]}}}`)),
		text("a tail with an index that no call has", `read({"a":1})#c1`,
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"a\""}}`),
			call(`{"index":1,"function":{"arguments":":"}}`), call(`{"index":2,"function":{"arguments":"1}"}}`)),
		text("two heads of index 0 and the second tail of index 1", `read({})#c1 list({"b":2})#c2`,
			aCall, call(`{"index":0,"id":"c2","function":{"name":"list","arguments":""}}`),
			call(`{"index":1,"function":{"arguments":"{\"b\":"}}`), call(`{"index":1,"function":{"arguments":"2}"}}`)),
		text("a tail of an earlier call, then one without index", `read({})#c1 list({})#c2`,
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{"}}`),
			call(`{"index":1,"id":"c2","function":{"name":"list","arguments":"{"}}`), call(`{"index":0,"function":{"arguments":"}"}}`),
			call(`{"function":{"arguments":"}"}}`)),
		text("indexes from 1 and tails from 0", `read({"a":1})#c1 list({})#c2`,
			call(`{"index":1,"id":"c1","function":{"name":"read","arguments":""}}`),
			call(`{"index":0,"function":{"arguments":"{\"a\":1}"}}`),
			call(`{"index":2,"id":"c2","function":{"name":"list","arguments":""}}`), call(`{"index":0,"function":{"arguments":"{}"}}`)),
		text("arguments null", `read({})#c1`, call(`{"index":0,"id":"c1","function":{"name":"read","arguments":null}}`)),
		text("no arguments", `read({})#c1`, call(`{"index":0,"id":"c1","function":{"name":"read"}}`)),
		text("arguments that are no JSON", `read({"a":)#c1`,
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"a\":"}}`)),
		text("the name after the arguments", `read({"a":1})#c1`,
			call(`{"index":0,"id":"c1","function":{"arguments":"{\"a\":"}}`),
			call(`{"index":0,"function":{"name":"read","arguments":"1}"}}`)),
		text("the name with every fragment", `read({"a":1})#c1`,
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{\"a\":"}}`),
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"1"}}`),
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"}"}}`)),
		text("the name in pieces", `read_file({})#c1`,
			call(`{"index":0,"id":"c1","function":{"name":"read_"}}`), call(`{"index":0,"function":{"name":"file","arguments":"{}"}}`)),
		text("calls that are no list", `read({})#c1`,
			one(`{"delta":{"tool_calls":{"index":0,"id":"c1","function":{"name":"read","arguments":"{}"}}}}`)),
		text("calls null, then a call", `read({})#c1`, one(`{"delta":{"tool_calls":null}}`), aCall),
		text("an empty fragment", `read({})#c1`, call(`{}`), call(`null`), aCall),
		text("a signature with the call", `read({})#c1{"extra_content":{"google":{"thought_signature":"s"}}}`,
			call(`{"index":0,"id":"c1","function":{"name":"read","arguments":"{}"},"extra_content":{"google":{"thought_signature":"s"}}}`)),
		read("thoughts with a call go back",
			outcome{Thought: "Hm.", Finish: agents.FinishToolCalls, Calls: "read({})#c1", Extra: `{"reasoning_content":"Hm."}`},
			stream(one(`{"delta":{"reasoning_content":"Hm"}}`), one(`{"delta":{"reasoning_content":"."}}`), aCall), end),
		read("a call with finish stop", outcome{Finish: agents.FinishStop, Calls: "read({})#c1"}, stream(aCall, stop, done)),
		read("a call cut by the limit of tokens", outcome{Finish: agents.FinishLength, Calls: "read({})#c1"},
			stream(aCall, call(`{"index":1,"id":"c2","function":{"name":"read","arguments":"{\"a"}}`)),
			stream(one(`{"delta":{},"finish_reason":"length"}`), done)),
		read("a call and the content filter", outcome{Finish: agents.FinishFilter},
			stream(aCall, one(`{"delta":{},"finish_reason":"content_filter"}`), done)),
		read("a call written as text", outcome{Text: "<tool_call>\n{\"name\": \"read\"}\n</tool_call>", Finish: "stop"},
			stream(content("<tool_call>\n"), content(`{"name": "read"}`), content("\n</tool_call>"), stop, done)),
	}
}

// inBandErrors returns every form of an error within a stream, first and after text.
func inBandErrors() (all []sample) {
	const said = "upstream is overwhelmed"
	for name, body := range map[string]string{
		"object":                   stream(`{"error":{"message":"` + said + `","type":"server_error","code":null}}`),
		"after event: error":       "event: error\n" + stream(`{"message":"`+said+`"}`),
		"plain words":              "event: error\n" + stream(said),
		"string":                   stream(`{"error":"` + said + `"}`),
		"with choices":             stream(`{"id":"gen-1","error":{"code":502,"message":"` + said + `"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`),
		"of type error":            "event: error\n" + stream(`{"type":"error","error":{"type":"api_error","message":"`+said+`"}}`),
		"of object error":          stream(`{"object":"error","message":"` + said + `","type":"InternalServerError","param":null,"code":500}`),
		"in a field called error":  "error: {\"code\":500,\"message\":\"" + said + "\",\"type\":\"server_error\"}\n\n",
		"detail":                   stream(`{"detail":"` + said + `"}`),
		"no blank line after":      "data: {\"error\":{\"message\":\"" + said + "\"}}\n",
		"over several data lines":  "data: {\"error\":\ndata: {\"message\":\"" + said + "\"}}\n\n",
		"a message of an upstream": stream(`{"error":{"message":"Provider returned error","code":502,"metadata":{"provider_name":"Up","raw":"{\"error\":{\"message\":\"` + said + `\"}}"}}}`),
	} {
		want := outcome{Kind: agents.KindBusy, Says: said}
		all = append(all, sample{name: "error: " + name, body: body + "\n\n" + stream(done), want: want})
		want.Text = "Hello"
		all = append(all, sample{name: "error after text: " + name, body: stream(content("Hello")) + body, want: want})
	}
	return append(all,
		read("error: null beside an answer", plain2, stream(`{"error":null,"choices":[{"delta":{"content":"Hello there"}}]}`, stop, done)),
		read("error: of the request", outcome{Kind: agents.KindRequest, Says: "bad schema"},
			stream(`{"error":{"message":"bad schema","type":"invalid_request_error"}}`)),
		read("error: the window is full", outcome{Text: "Hello", Kind: agents.KindTooLong, Says: "context shift is disabled"},
			stream(content("Hello")), `error: {"code":500,"message":"context shift is disabled","type":"server_error"}`+"\n\n", stream(done)),
		read("error: the key", outcome{Kind: agents.KindAuth, Says: "without a key (401)"},
			stream(`{"error":{"message":"no","code":401}}`)),
	)
}

// documents returns what may come instead of a stream.
func documents() []sample {
	answer := `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello there"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`
	const json = "application/json"
	not := func(says string) outcome {
		return outcome{Kind: agents.KindMalformed, Says: "mock/m did not send an event stream: " + says}
	}
	of := func(kind, name string, want outcome, body string) sample {
		return sample{name: name, kind: kind, body: body, want: want}
	}
	return []sample{
		of(json, "a whole answer", whole2, answer),
		of(json, "a whole answer after a byte-order mark", whole2, "\uFEFF\n"+answer),
		of(json, "a whole answer without a finish reason", plain2, one(`{"message":{"content":"Hello there"}}`)),
		of(json, "a whole answer with sources", plain2, one(`{"message":{"content":"Hello there",`+webSources+`}}`)),
		of(json, "a whole answer with a call", outcome{Finish: "tool_calls", Calls: "read({})#"},
			one(`{"message":{"content":null,"tool_calls":[{"id":"","type":"function","function":{"name":"read","arguments":"{}"}}]},`+
				`"finish_reason":"tool_calls"}`)),
		of("", "a whole answer in an event", whole2, stream(answer)),
		of(json, "a whole answer cut off", cutOff, answer[:60]),
		of(json, "a JSON error", outcome{Kind: agents.KindBusy, Says: `mock/m failed (500): "out of memory".`},
			`{"error":{"message":"out of memory","type":"server_error","code":500}}`),
		of(json, "a JSON error of the path", not(`"Unexpected endpoint or method. [POST /chat/completions]".`),
			`{"error":"Unexpected endpoint or method. (POST /chat/completions)"}`),
		of(json, "a JSON array with an error", outcome{Kind: agents.KindRequest, Says: `mock/m refused the request (400): "bad thing".`},
			`[{"error":{"code":400,"message":"bad thing","status":"INVALID_ARGUMENT"}}]`),
		of(json, "other JSON", not(`"{'ok':true}".`), `{"ok":true}`),
		of("application/x-ndjson", "JSON by lines", not(`"{'message':{'content':'Hello'},'done':false} {'done':true}".`),
			"{\"message\":{\"content\":\"Hello\"},\"done\":false}\n{\"done\":true}\n"),
		of("text/html", "a page", outcome{Kind: agents.KindMalformed, Says: `event stream but a web page: "Sign in".`},
			"<!DOCTYPE html>\n<html><title>Sign in</title></html>\n"),
		of("text/plain", "plain words", not(`"Bad gateway".`), "Bad gateway\n"),
		of("text/plain", "nothing", not("nothing."), ""),
		of("text/plain; charset=utf-8", "a stream called text/plain", whole2, helloThere),
		of(" ", "a stream of no type", whole2, helloThere),
	}
}

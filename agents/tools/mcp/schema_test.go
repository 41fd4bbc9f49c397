package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"roundtable/agents"
	"roundtable/agents/tools/mcp"
)

// answering starts a server whose results of some methods are given.
func answering(t testing.TB, results map[string]string) *mcp.Servers {
	t.Helper()
	config := hostile(t, "plain")
	for method, result := range results {
		config.Env[method] = result
	}
	return start(t, map[string]mcp.Config{"x": config}, mcp.Options{})
}

func listing(schema string) map[string]string {
	return map[string]string{"tools/list": `{"tools":[{"name":"echo","inputSchema":` + schema + `}]}`}
}

func TestTools_schemasAreOfferedAsProvidersTakeThem(t *testing.T) {
	deep := strings.Repeat(`{"properties":{"a":`, 40) + `{}` + strings.Repeat(`}}`, 40)
	for _, c := range []struct{ name, schema, want, left string }{
		{"empty objects of PHP", `{"type":"object","properties":[]}`, `{"properties":{},"type":"object"}`, ""},
		{
			"in every place", `{"properties":{"a":[],"b":{"type":"object","properties":[],"additionalProperties":[]}},"required":[]}`,
			`{"properties":{"a":{},"b":{"additionalProperties":{},"properties":{},"type":"object"}},"required":[],"type":"object"}`, "",
		},
		{
			"draft-04 of @dokploy/mcp", `{"type":"object","properties":{"ttl":{"type":"integer","exclusiveMinimum":true,"minimum":0,"maximum":9007199254740991}},` +
				`"required":["ttl"],"additionalProperties":false,"$schema":"https://json-schema.org/draft/2020-12/schema"}`,
			`{"additionalProperties":false,"properties":{"ttl":{"exclusiveMinimum":0,"maximum":9007199254740991,"type":"integer"}},"required":["ttl"],"type":"object"}`, "",
		},
		{
			"draft-04", `{"id":"http://x/y","definitions":{"n":{"type":"number","maximum":9,"exclusiveMaximum":false}},"properties":{"a":{"$ref":"#/definitions/n"}}}`,
			`{"$defs":{"n":{"maximum":9,"type":"number"}},"properties":{"a":{"$ref":"#/$defs/n"}},"type":"object"}`, "",
		},
		{
			"draft-03", `{"properties":{"a":{"type":"any","required":true},"b":{"type":"str"}}}`,
			`{"properties":{"a":{},"b":{}},"type":"object"}`, "echo/properties/a/required, echo/properties/a/type, echo/properties/b/type",
		},
		{
			"parameters that are named like keywords", `{"properties":{"id":{"type":"string"},"properties":{"type":"object"},"$ref":{"type":"string"},"definitions":{}}}`,
			`{"properties":{"$ref":{"type":"string"},"definitions":{},"id":{"type":"string"},"properties":{"type":"object"}},"type":"object"}`, "",
		},
		{
			"patterns of JavaScript", `{"properties":{"mail":{"type":"string","format":"email","pattern":"^(?!\\.)[^@]+@[^@]+$"}}}`,
			`{"properties":{"mail":{"format":"email","type":"string"}},"type":"object"}`, "echo/properties/mail/pattern",
		},
		{
			"booleans", `{"properties":{"data":true,"none":false}}`,
			`{"properties":{"data":{},"none":{"not":{}}},"type":"object"}`, "",
		},
		{
			"lists", `{"properties":{"a":{"type":"array"},"b":{"type":"array","items":[{"type":"string"},{"type":"number"}]}}}`,
			`{"properties":{"a":{"items":{},"type":"array"},"b":{"items":{},"prefixItems":[{"type":"string"},{"type":"number"}],"type":"array"}},"type":"object"}`, "",
		},
		{
			"a reference at the top", `{"$ref":"#/definitions/Args","definitions":{"Args":{"type":"object","properties":{"a":{}},"required":["a"]}}}`,
			`{"$defs":{"Args":{"properties":{"a":{}},"required":["a"],"type":"object"}},"properties":{"a":{}},"required":["a"],"type":"object"}`, "",
		},
		{
			"choices at the top", `{"type":"object","oneOf":[{"properties":{"id":{"type":"string"}},"required":["id"]},{"properties":{"url":{}}}]}`,
			`{"properties":{"id":{"type":"string"},"url":{}},"type":"object"}`, "echo/oneOf",
		},
		{"references to nothing", `{"properties":{"a":{"$ref":"http://127.0.0.1:1/x"},"b":{"$ref":"#/nowhere"}}}`, `{"properties":{"a":{},"b":{}},"type":"object"}`, "echo/properties/a/$ref, echo/properties/b/$ref"},
		{"a loop", `{"$defs":{"a":{"$ref":"#/$defs/a"}},"properties":{"text":{"$ref":"#/$defs/a"}}}`, `{"$defs":{"a":{"$ref":"#/$defs/a"}},"properties":{"text":{"$ref":"#/$defs/a"}},"type":"object"}`, ""},
		{"escape codes", `{"properties":{"a\u001b[2J":{},"b":{"enum":["\u202e"]}}}`, `{"properties":{"b":{}},"type":"object"}`, "echo/properties/a, echo/properties/b/enum"},
		{"another type", `{"type":"array","enum":[]}`, `{"properties":{},"type":"object"}`, "echo/enum, echo/type"},
		{"a text", `"no schema"`, `{"properties":{},"type":"object"}`, "echo"},
		{"nothing", `null`, `{"properties":{},"type":"object"}`, "echo"},
		{"nested too deep", deep, "", "echo" + strings.Repeat("/properties/a", 33)},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, notices := toolsOf(t, answering(t, listing(c.schema)))
			if names(all) != "x__echo" {
				t.Fatalf("offered %q with notices %q", names(all), notices)
			}
			if got := string(all[0].Spec().Schema); got != c.want && c.want != "" {
				t.Errorf("schema = %s\n   want %s", got, c.want)
			}
			want := ""
			if c.left != "" {
				want = "The schemas of the MCP server x are sent without what cannot be checked: " + c.left + "."
			}
			if len(notices) < 200 && notices != want {
				t.Errorf("notices %q, want %q", notices, want)
			}
			if got := call(t, all, "x__echo", "a"); got.Summary != "you said a" {
				t.Errorf("result = %+v", got)
			}
		})
	}
}

func TestTools_oneThatCannotBeReadDoesNotCostTheOthers(t *testing.T) {
	all, notices := toolsOf(t, answering(t, map[string]string{
		"initialize": `{"protocolVersion":"2025-06-18","capabilities":{"tools":[]},"serverInfo":"php"}`,
		"tools/list": `{"tools":[7,{"name":5},{"name":"echo","inputSchema":{},"annotations":{"readOnlyHint":"yes"}},{"name":"other","inputSchema":{}}],"nextCursor":null}`,
	}))
	if names(all) != "x__echo" || notices != "" {
		t.Errorf("offered %q with notices %q", names(all), notices)
	}
}

func TestCall_passesWhatCanBeReadOfAResult(t *testing.T) {
	for _, c := range []struct{ name, result, want string }{
		{"an unknown kind", `{"content":[{"type":"text","text":"a"},{"type":"video","url":"x"},{"type":"text","text":"b"}]}`, "a\n\n[content of the kind \"video\": not passed on]\n\nb"},
		{"a text", `{"content":"a"}`, "a"},
		{"one part", `{"content":{"type":"text","text":"a"}}`, "a"},
		{"parts without a kind", `{"content":[{"text":"a"},"b",{"n":1},7,null]}`, "a\n\nb\n\n{\"n\":1}\n\n7"},
		{"a broken part", `{"content":[{"type":"image","data":"not base64!","mimeType":"image/png"},{"type":"text","text":"a"}]}`, "[content of the kind \"image\": not passed on]\n\na"},
		{"structured", `{"content":null,"structuredContent":{"n":1}}`, `{"n":1}`},
		{"a text as bytes", `{"content":[{"type":"resource","resource":{"uri":"a:b","mimeType":"text/plain","blob":"aGVsbG8="}}]}`, "[the resource a:b]\nhello"},
		{"wrong members", `{"content":[{"type":"text","text":"a","annotations":[]}],"isError":"false","_meta":[]}`, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, _ := toolsOf(t, answering(t, map[string]string{"tools/call": c.result}))
			got := call(t, all, "x__echo", "a")
			if want := "<<result of x__echo of the MCP server x>>" + c.want + "<<end>>"; got.Status != agents.ToolOK || got.Text != want {
				t.Errorf("result = %s %q, want %q", got.Status, got.Text, want)
			}
		})
	}
	all, _ := toolsOf(t, answering(t, map[string]string{"tools/call": `{"content":"no","isError":"true"}`}))
	if got := call(t, all, "x__echo", "a"); got.Status != agents.ToolError {
		t.Errorf("result = %+v", got)
	}
}

func TestTools_noTypeOfGoIsInAnyNotice(t *testing.T) {
	for _, c := range []struct{ method, result, want string }{
		{"initialize", `{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"a","version":"1"}}`, `it speaks the protocol version "1999-01-01", which is not supported; the newest is 20`},
		{"initialize", `{"protocolVersion":7}`, `it speaks the protocol version "7", which is not supported`},
		{"initialize", `[]`, "cannot be used: its answer does not have the form of the protocol"},
		{"tools/list", `[]`, "its tools cannot be listed: its answer does not have the form of the protocol"},
		{"tools/list", `{"tools":7}`, `has no tool "echo"`},
		{"tools/call", `[]`, "gave no answer: its answer does not have the form"},
	} {
		t.Run(c.method+c.result, func(t *testing.T) {
			all, said := toolsOf(t, answering(t, map[string]string{c.method: c.result}))
			for _, one := range all {
				said += call(t, all, one.Spec().Name, "a").Text
			}
			contains(t, "notices", said, c.want)
			for _, word := range []string{"json:", "struct", " Go ", "mcp.", "[]", "map["} {
				if strings.Contains(said, word) {
					t.Errorf("%q is in %q", word, said)
				}
			}
		})
	}
}

func TestTools_areSharedUnlessTheyOnlyRead(t *testing.T) {
	list := map[string]string{"tools/list": `{"tools":[{"name":"echo","inputSchema":{}},{"name":"other","inputSchema":{},"annotations":{"readOnlyHint":true}}]}`}
	config := hostile(t, "plain")
	config.Env["tools/list"], config.Allow = list["tools/list"], []string{"echo", "other"}
	alone := config
	alone.PerSeat = true
	all, _ := toolsOf(t, start(t, map[string]mcp.Config{"x": config, "y": alone}, mcp.Options{}))
	got := ""
	for _, one := range all {
		shared, _ := one.(interface{ Shared() bool })
		got += fmt.Sprint(one.Spec().Name, " ", shared.Shared(), "; ")
	}
	if want := "x__echo true; x__other false; y__echo false; y__other false; "; got != want {
		t.Errorf("shared: %s, want %s", got, want)
	}
}

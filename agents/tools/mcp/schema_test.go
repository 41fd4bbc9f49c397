package mcp_test

import (
	"fmt"
	"strings"
	"testing"
)

func listing(schema string) map[string]string {
	return map[string]string{"tools/list": `{"tools":[{"name":"echo","inputSchema":` + schema + `}]}`}
}

func TestTools_schemasAreOfferedAsProvidersTakeThem(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"empty objects of PHP", `{"type":"object","properties":[]}`, `{"properties":{},"type":"object"}`},
		{
			"in every place", `{"properties":{"b":{"type":"object","properties":[]}},"required":[]}`,
			`{"properties":{"b":{"properties":{},"type":"object"}},"required":[],"type":"object"}`,
		},
		{
			"draft-04 of @dokploy/mcp", `{"type":"object","properties":{"ttl":{"type":"integer","exclusiveMinimum":true,"minimum":0}},` +
				`"required":["ttl"],"$schema":"https://json-schema.org/draft/2020-12/schema"}`,
			`{"properties":{"ttl":{"exclusiveMinimum":0,"type":"integer"}},"required":["ttl"],"type":"object"}`,
		},
		{
			"other bounds", `{"properties":{"a":{"exclusiveMaximum":true,"maximum":9,"exclusiveMinimum":false,"minimum":1},` +
				`"b":{"exclusiveMinimum":true},"c":{"exclusiveMaximum":5}}}`,
			`{"properties":{"a":{"exclusiveMaximum":9,"minimum":1},"b":{},"c":{"exclusiveMaximum":5}},"type":"object"}`,
		},
		{
			"parameters that are named like keywords", `{"properties":{"items":{"type":"string"},"properties":{"type":"object"},"type":{"enum":["a"]}}}`,
			`{"properties":{"items":{"type":"string"},"properties":{"type":"object"},"type":{"enum":["a"]}},"type":"object"}`,
		},
		{"lists", `{"properties":{"a":{"type":"array"}}}`, `{"properties":{"a":{"items":{},"type":"array"}},"type":"object"}`},
		{
			"choices at the top", `{"type":"object","properties":{"id":{},"url":{}},"oneOf":[{"required":["id"]},{"required":["url"]}]}`,
			`{"properties":{"id":{},"url":{}},"type":"object"}`,
		},
		{"escape codes", `{"properties":{"a\u001b[2J":{},"b":{"title":"\u202eB"}}}`, `{"properties":{"b":{"title":"B"}},"type":"object"}`},
		{"another type", `{"type":"array","enum":[]}`, `{"properties":{},"type":"object"}`},
		{"a text", `"no schema"`, `{"properties":{},"type":"object"}`},
		{"nothing", `null`, `{"properties":{},"type":"object"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, notices := toolsOf(t, started(t, "plain", listing(c.schema)))
			if names(all) != "x__echo" || notices != "" {
				t.Fatalf("offered %q with notices %q", names(all), notices)
			}
			if got := string(all[0].Spec.Schema); got != c.want {
				t.Errorf("schema = %s\n   want %s", got, c.want)
			}
			if got := call(t, all, "x__echo", "a"); got.Summary != "you said a" {
				t.Errorf("result = %+v", got)
			}
		})
	}
	for _, schema := range []string{`{"$ref":"#/definitions/Args","definitions":{"Args":{"type":"object"}}}`, `{"anyOf":[{"properties":{"a":{}}}]}`} {
		all, notices := toolsOf(t, started(t, "plain", listing(schema)))
		if want := "x__echo is not offered: its schema cannot be sent: it is a choice or a reference, and no object with properties."; len(all) > 0 ||
			notices != want {
			t.Errorf("offered %q with notices %q", names(all), notices)
		}
	}
}

func TestTools_noTypeOfGoIsInAnyNotice(t *testing.T) {
	for _, c := range []struct{ method, result, want string }{
		{"initialize", `{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"a","version":"1"}}`, `it speaks the protocol version "1999-01-01", which is not supported; the newest is 20`},
		{"initialize", `{"protocolVersion":7}`, "cannot be used: its answer does not have the form of the protocol"},
		{"initialize", `[]`, "cannot be used: its answer does not have the form of the protocol"},
		{"tools/list", `[]`, "its tools cannot be listed: its answer does not have the form of the protocol"},
		{"tools/list", `{"tools":7}`, "its tools cannot be listed: its answer does not have the form of the protocol"},
		{"tools/call", `[]`, "gave no answer: its answer does not have the form"},
		{"tools/call", `{"content":[{"type":"video","url":"x"}]}`, "gave no answer: it cannot be read"},
	} {
		t.Run(c.method+c.result, func(t *testing.T) {
			all, said := toolsOf(t, started(t, "plain", map[string]string{c.method: c.result}))
			for _, one := range all {
				said += call(t, all, one.Spec.Name, "a").Text
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
	all, _ := toolsOf(t, started(t, "plain", list, "other"))
	got := ""
	for _, one := range all {
		got += fmt.Sprint(one.Spec.Name, " ", one.Shared, "; ")
	}
	if want := "x__echo true; x__other false; "; got != want {
		t.Errorf("shared: %s, want %s", got, want)
	}
}

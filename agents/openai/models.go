package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

const modelsTimeout = 15 * time.Second

// itsModels stands for the model in sentences about the list of them.
const itsModels = "its models"

// Models returns the names of the models the server offers, sorted.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	t := c.teller(itsModels)
	t.wanted = "a list of models"
	inner, cancel := context.WithCancelCause(ctx)
	limits := c.set.timeouts
	limits.FirstPayload, limits.Idle, limits.Total = Duration(modelsTimeout), Duration(modelsTimeout), Duration(modelsTimeout)
	x := &exchange{c: c, ctx: inner, guard: newGuard(limits, cancel)}
	defer x.close()
	names, err := x.models()
	if err != nil {
		return nil, t.fault(ctx, x, err).Failure
	}
	return names, nil
}

func (x *exchange) models() ([]string, error) {
	req, err := http.NewRequestWithContext(x.ctx, http.MethodGet, x.c.set.base.String()+"/models", nil)
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	x.c.authorize(req)
	if h := x.c.set.preset.Quirks.ModelsKeyHeader; h != "" {
		req.Header.Del("Authorization")
		req.Header.Set(h, x.c.key.value())
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	resp, err := x.send(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	most := x.c.set.limits.Event
	body, err := io.ReadAll(io.LimitReader(guarded{resp.Body, x.guard}, int64(most)+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > most:
		return nil, limitError{"event_bytes", most}
	}
	names, err := parseModels(body)
	for i := range names {
		names[i] = x.c.mask.words(names[i])
	}
	return names, err
}

// parseModels reads the lists of OpenAI ("data") and of others ("models").
func parseModels(body []byte) ([]string, error) {
	type model struct {
		ID   text `json:"id"`
		Name text `json:"name"`
	}
	var list struct {
		Data   []model         `json:"data"`
		Models []model         `json:"models"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, &notStreamError{head: string(body)}
	}
	if given(list.Error) {
		return nil, &saidError{parseSaid(body)}
	}
	all := list.Data
	if len(all) == 0 {
		all = list.Models
	}
	names := []string{}
	for _, m := range all {
		if name := strings.TrimPrefix(firstOf(string(m.ID), string(m.Name)), "models/"); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

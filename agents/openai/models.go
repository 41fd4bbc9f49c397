package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	goopenai "github.com/sashabaranov/go-openai"
)

const modelsTimeout = 15 * time.Second

// modelList takes the place of the model in sentences about the list of models.
const modelList = "its models"

// Models returns the names of the models that the server offers, sorted.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	t := c.errorFormatter(modelList)
	t.expected = "a list of models"
	timeouts := c.settings.timeouts
	timeouts.FirstPayload, timeouts.Idle, timeouts.Total = Duration(modelsTimeout), Duration(modelsTimeout), Duration(modelsTimeout)
	x := c.newExchange(ctx, timeouts)
	defer x.close()
	names, err := x.models()
	if err != nil {
		return nil, t.fault(ctx, x, err).Failure
	}
	for i := range names {
		names[i] = clean(c.mask.inAnswer(strings.TrimPrefix(names[i], "models/")), maxQuote)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// models lists the models by go-openai's client. A list that it cannot read is
// read again here: other servers name the list or its elements differently.
func (x *exchange) models() ([]string, error) {
	doer := &modelsDoer{exchange: x}
	cfg := goopenai.DefaultConfig("") // the doer sets the key, so that go-openai never has it
	cfg.BaseURL, cfg.HTTPClient = x.client.settings.base.String(), doer
	list, err := goopenai.NewClientWithConfig(cfg).ListModels(x.ctx)
	if err != nil && doer.body == nil {
		return nil, err
	}
	names := []string{}
	for _, m := range list.Models {
		if m.ID != "" {
			names = append(names, m.ID)
		}
	}
	if len(names) > 0 {
		return names, nil
	}
	return parseModels(doer.body)
}

// modelsDoer is the HTTP client of go-openai's client. It keeps the body.
type modelsDoer struct {
	*exchange
	body []byte
}

var _ goopenai.HTTPDoer = (*modelsDoer)(nil)

// Do sends the request with the provider's key and within the exchange's limits.
func (d *modelsDoer) Do(req *http.Request) (*http.Response, error) {
	d.client.authorize(req)
	if h := d.client.settings.preset.Quirks.ModelsKeyHeader; h != "" {
		req.Header.Del("Authorization")
		req.Header.Set(h, d.client.key.value())
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	resp, err := d.send(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	most := d.client.settings.limits.Event
	body, err := io.ReadAll(io.LimitReader(timedReader{resp.Body, d.watchdog}, int64(most)+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > most:
		return nil, limitError{"event_bytes", most}
	}
	d.body = body
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// parseModels reads the lists that go-openai does not know: one called "models",
// as Ollama has it, and elements with a name or with an id that is not a string.
func parseModels(body []byte) ([]string, error) {
	type model struct {
		ID   lenientString `json:"id"`
		Name lenientString `json:"name"`
	}
	var list struct {
		Data   []model         `json:"data"`
		Models []model         `json:"models"`
		Error  json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, &notStreamError{head: string(body)}
	}
	if present(list.Error) {
		return nil, &inBandError{parseAPIError(body)}
	}
	models := list.Data
	if len(models) == 0 {
		models = list.Models
	}
	names := []string{}
	for _, m := range models {
		if name := cmp.Or(string(m.ID), string(m.Name)); name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

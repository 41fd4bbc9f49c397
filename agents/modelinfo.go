package agents

import "context"

// ModelInfo is what a provider says of a model that it offers.
type ModelInfo struct {
	Name     string   `json:"name"`
	Window   int      `json:"context_window,omitempty"` // tokens; 0: it does not say
	PriceIn  *float64 `json:"price_in,omitempty"`       // USD per million input tokens; nil: it does not say
	PriceOut *float64 `json:"price_out,omitempty"`      // USD per million output tokens; nil: it does not say
}

// ModelLister is implemented by providers that can be asked for their models.
type ModelLister interface {
	Models(ctx context.Context) ([]ModelInfo, error)
}

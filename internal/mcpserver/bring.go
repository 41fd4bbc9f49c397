package mcpserver

//lint:file-ignore SA1019 clients name their folders as roots for as long as the protocol has them

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/debate/control"
	"roundtable/internal/text"
)

// Text is evidence that a client sends itself.
type Text struct {
	Name string `json:"name" jsonschema:"such as the diff of a branch"`
	Text string `json:"text"`
}

// Brought are the arguments with which a client brings something to a debate.
type Brought struct {
	Evidence     []Text   `json:"evidence,omitempty" jsonschema:"texts that the debate is about; the seats cite them as F1, F2"`
	Files        []string `json:"files,omitempty" jsonschema:"paths of files or folders that are read as evidence"`
	Dir          string   `json:"workspace,omitempty" jsonschema:"a folder in which the seats may read files"`
	Folders      []string `json:"-"` // that the client works in, of which it may name files; none: those of the server
	BudgetUSD    float64  `json:"budgetUsd,omitempty" jsonschema:"stop before the debate costs more; lowers the configured limit"`
	BudgetTokens int      `json:"budgetTokens,omitempty" jsonschema:"stop before the debate takes more tokens"`
}

// askFolders takes the folders of a client that names files. If they are not known the result asks, and the call is repeated.
func (s *Server) askFolders(ctx context.Context, req *mcp.CallToolRequest, b *Brought) *mcp.CallToolResult {
	c, names := req.ClientCapabilities(), len(b.Files) > 0 || b.Dir != ""
	if !names || s.options.Rooted || c == nil || c.RootsV2 == nil || req.Params.RequestState != "" {
		return nil
	}
	listed, ok := req.Params.InputResponses["roots"].(*mcp.ListRootsResult)
	switch {
	case ok:
	case req.ProtocolVersion() >= formVersion:
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"roots": &mcp.ListRootsParams{}}}
	default: // an earlier version, which is asked at once, and has none if it does not answer
		ctx, cancel := context.WithTimeout(ctx, s.options.Wait)
		defer cancel()
		if listed, _ = req.Session.ListRoots(ctx, nil); listed == nil {
			return nil
		}
	}
	for _, root := range listed.Roots {
		if u, err := url.Parse(root.URI); err == nil && u.Scheme == "file" && u.Host == "" && strings.HasPrefix(u.Path, "/") {
			b.Folders = append(b.Folders, strings.TrimPrefix(filepath.FromSlash(u.Path), `\`)) // before a drive
		}
	}
	return nil
}

func (b Brought) budget(of debate.Budget) debate.Budget {
	of.USD, of.Tokens = cmp.Or(b.BudgetUSD, of.USD), cmp.Or(b.BudgetTokens, of.Tokens)
	return of
}

// extras are what a call adds to a session: read and checked, and not stored yet.
type extras struct {
	evidence  []debate.Evidence
	notes     []string // what to know of it
	workspace bool
	actions   []extra
}

type extra struct {
	argument string
	id       control.ID
	values   control.Values
}

func (s *Server) check(ctx context.Context, c *control.Controller, in continueInput) (x extras, err error) {
	session := c.Session()
	x.workspace = in.Dir != ""
	x.evidence, x.notes, err = s.debates.Bring(ctx, session, in.Brought)
	wrong := []error{err}
	if len(x.evidence) > 0 {
		for i := range x.evidence {
			x.evidence[i].Author = c.Author
		}
		_, err := debate.AddEvidence(session.Evidence, x.evidence)
		if err := cmp.Or(c.WhyNotLater(), err); err != nil {
			wrong = append(wrong, fmt.Errorf("evidence and files: %w", err))
		}
	}
	for _, seat := range slices.Sorted(maps.Keys(in.Models)) {
		v := control.Values{Seat: agents.ID(seat), Text: in.Models[seat]}
		x.actions = append(x.actions, extra{"models", control.ChangeModel, v})
	}
	if b := in.budget(session.Budget); b != session.Budget {
		x.actions = append(x.actions, extra{"budgetUsd and budgetTokens", control.SetBudget, control.Values{Budget: &b}})
	}
	if focus := text.Clean(strings.TrimSpace(in.FocusQuestion)); focus != "" {
		x.actions = append(x.actions, extra{"focusQuestion", control.SetFocus, control.Values{Text: focus}})
	}
	for _, a := range x.actions {
		if err := c.Check(a.id, a.values); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", a.argument, err))
		}
	}
	return x, errors.Join(wrong...)
}

func (s *Server) add(c *control.Controller, x extras) error {
	id := c.Session().ID
	if x.workspace {
		if err := s.debates.Allow(s.ctx, c.Session()); err != nil {
			return err
		}
	}
	if len(x.evidence) > 0 {
		session, err := s.debates.AddEvidence(s.ctx, id, x.evidence...)
		if err != nil {
			return err
		}
		c.SetEvidence(session.Evidence)
		s.note(id, x.notes)
	}
	for _, a := range x.actions {
		if _, err := c.Act(s.ctx, a.id, a.values); err != nil {
			return err
		}
	}
	return nil
}

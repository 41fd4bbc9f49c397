package linear

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"roundtable/debate"
	"roundtable/debate/cite"
	"roundtable/internal/text"
)

// attach offers the files that a text mentions as evidence, and returns the text with their
// ids in place of their paths. What names no file stays text. Add stores evidence and returns
// all that there is.
func attach(ctx context.Context, p *Program, content string, add func([]debate.Evidence) ([]debate.Evidence, error)) (string, error) {
	all := cite.Mentions(content)
	ids := map[string]string{} // by path
	var declined []string
	for _, m := range all {
		known := func(path string) bool { return ids[path] != "" || slices.Contains(declined, path) }
		if m.Word == "" || slices.ContainsFunc(m.Paths(), known) {
			continue
		}
		path, found, err := mentioned(ctx, p, m)
		if err != nil {
			return "", err
		}
		if len(found) == 0 {
			declined = append(declined, path)
			continue
		}
		has, err := add(found)
		if err != nil {
			p.say("! %s", sentence(err))
			continue
		}
		first := func(e debate.Evidence) bool { return e.SHA256 == found[0].SHA256 && e.Name == found[0].Name }
		if i := slices.IndexFunc(has, first); i >= 0 {
			ids[path] = has[i].ID
			p.say("Attached %s as %s.", text.Line(has[i].Name), has[i].ID)
		}
	}
	return cite.ReplaceMentions(content, all, ids), nil
}

// mentioned returns the file of a mention, if there is one and the user attaches it.
func mentioned(ctx context.Context, p *Program, m cite.Mention) (path string, found []debate.Evidence, err error) {
	var refused error
	for _, path = range m.Paths() {
		var notices []string
		if found, notices, refused = p.Setup.Read(ctx, path); refused != nil || len(found) == 0 {
			continue
		}
		yes, err := agrees(ctx, p, found, notices)
		if err != nil || !yes {
			found = nil
		}
		return path, found, err
	}
	switch {
	case errors.Is(refused, fs.ErrNotExist):
		p.say("There is no file %s; it stays as text.", text.Label(path))
	case refused != nil:
		p.say("@%s stays as text. %s", text.Label(path), sentence(refused))
	}
	return path, nil, nil
}

// agrees asks whether what was read is attached. Yes is not the preset answer if there is
// something to know before.
func agrees(ctx context.Context, p *Program, found []debate.Evidence, notices []string) (bool, error) {
	preset, size := "yes", 0
	for _, notice := range notices {
		p.say("! %s", text.Line(notice))
		preset = "no"
	}
	for _, e := range found {
		size += e.Size
	}
	name := text.Line(found[0].Name)
	if n := len(found) - 1; n > 0 {
		name += " and " + text.Count(n, "more file")
	}
	yes, err := p.confirm(ctx, fmt.Sprintf("Attach %s, %s? Every seat reads it.", name, text.Bytes(int64(size))), preset)
	if err == nil && !yes {
		p.say("Not attached; its path stays as text.")
	}
	return yes, err
}

// attachHere is attach for the debate that is open.
func (p *Program) attachHere(ctx context.Context, content string) (string, error) {
	return attach(ctx, p, content, func(added []debate.Evidence) ([]debate.Evidence, error) {
		stored, err := p.AddEvidence(context.WithoutCancel(ctx), p.open.Session().ID, added...)
		if err == nil {
			p.open.SetEvidence(stored.Evidence)
		}
		return stored.Evidence, err
	})
}

package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"roundtable/debate"
	"roundtable/debate/report"
	"roundtable/internal/evidence"
	"roundtable/internal/text"
	"roundtable/store"
	"roundtable/tui/setup"
)

// debatePrefix begins the name of a stored debate where the path of a file is expected. A file
// of such a name has ./ before it.
const debatePrefix = "debate:"

// earlierShown is how many earlier debates are shown to a new one.
const earlierShown = 3

// readDebate reads the decision of the stored debate that a path names; ok is false if it
// names a file.
func readDebate(
	ctx context.Context, st *store.Store, now time.Time, path string,
) (found evidence.Found, ok bool, err error) {
	typed, ok := strings.CutPrefix(path, debatePrefix)
	if !ok {
		return found, false, nil
	}
	refuse := func(err error) (evidence.Found, bool, error) {
		return found, true, &evidence.Refusal{
			Name: text.Label(path), Reason: "cannot be attached", Advice: text.Sentence(text.Capitalize(err.Error())), Err: err,
		}
	}
	id, err := st.Resolve(ctx, typed)
	if err != nil {
		return refuse(err)
	}
	s, err := st.Session(ctx, id)
	if err != nil {
		return refuse(err)
	}
	decision, err := report.Earlier(s, now)
	if err != nil {
		return refuse(err)
	}
	found, err = evidence.NewReader(nil).Text("debate "+s.ID, decision)
	return found, true, err
}

// Earlier returns the debates of the user that match a topic, the best match first.
func Earlier(ctx context.Context, st *store.Store, topic string) ([]setup.Earlier, error) {
	list, err := st.Earlier(ctx, topic, earlierShown)
	var out []setup.Earlier
	for _, s := range list {
		out = append(out, setup.Earlier{
			Path: debatePrefix + s.ID, Name: s.Name(), Result: report.EarlierResult(s), Line: report.EarlierLine(s),
		})
	}
	return out, err
}

// WarnOfEarlier names the earlier debates that match the topic of a new one on standard error.
// The demo has no use for them, and the topics of reviews are all alike.
func (a *App) WarnOfEarlier(ctx context.Context, st *store.Store, s debate.Session) {
	if s.Demo() || s.Mode.Reviews() {
		return
	}
	list, err := Earlier(ctx, st, s.Topic)
	if err != nil {
		a.Log.Warn("earlier debates", "cause", err)
	}
	for _, e := range list {
		name := "debate " + strings.TrimPrefix(e.Path, debatePrefix)
		if !slices.ContainsFunc(s.Evidence, func(f debate.Evidence) bool { return f.Name == name }) {
			a.Warn(fmt.Sprintf("%s\n  `--file %s` lets the seats read it.", lineWithTopic(e), e.Path))
		}
	}
}

// maxEarlierTopic is how much of a topic is said, in characters.
const maxEarlierTopic = 100

func lineWithTopic(e setup.Earlier) string {
	return e.Line + " Topic: " + text.Clip(text.Line(e.Name), maxEarlierTopic)
}

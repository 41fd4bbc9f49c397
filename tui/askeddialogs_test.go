package tui_test

import (
	"context"
	"errors"
	"time"

	"roundtable/agents"
	"roundtable/debate"
	"roundtable/tui"
	"roundtable/tui/setup"
)

// demonstrated is the debate of the demo, whose first round runs.
func demonstrated() debate.Session {
	s := session(3, 2)
	for i := range s.Seats {
		s.Seats[i].Provider = debate.DemoProvider
	}
	return s
}

// secondDialogs are what is asked and typed after the verdict, in a fork, in the demo,
// and when something goes wrong.
func secondDialogs() []dialog {
	one := sessionOf(func() debate.Session { return held(3, 1, 4) })
	over := sessionOf(concluded)
	running := func(r *harness, script *scripted) {
		r.press("space")
		script.current().speaking(held(3, 1, 4))
		r.wait(2 * time.Second)
	}
	waits := func(r *harness, script *scripted) {
		r.press("space")
		script.current().events <- asksToRun("t1", "go", "test", "./billing/...")
		r.wait(2 * time.Second)
	}
	asksChair := func(r *harness, script *scripted) {
		r.press("a")
		r.typeText("What is left to fear?")
		r.press("enter")
		answers := turn("brook", 4)
		answers.Step = debate.FollowUpStep
		script.current().events <- debate.FollowUpStarted{
			Turn: answers, Profile: concluded().Seats[1], Question: "What is left to fear?", At: time.Now(),
		}
		script.current().events <- debate.Text{Turn: answers, Text: "The report job, until it is moved."}
		r.wait(2 * time.Second)
	}
	return []dialog{
		{"the whole topic", sessionOf(cited), nil, press("Q")},
		{"a message in the last round", sessionOf(func() debate.Session { return held(3, 2, 2) }), nil, press("i")},
		{"a focus question after the verdict", over, press("esc"), press("f")},
		{"a follow-up question", over, nil, all(press("a"), typing("What is left to fear?"))},
		{"a follow-up is answered", over, nil, asksChair},
		{"another follow-up meanwhile", over, asksChair, press("a")},
		{"another round after the verdict", over, nil, press("+", "")},
		{"retry after the verdict", sessionOf(failedAtTheEnd), press("esc"), press("1", "R", "")},
		{"what is searched", one, nil, all(press("/"), typing("invoices"))},
		{"a key that can do nothing", one, nil, press("v")},
		{"a fork while a round runs", choices(answered()), press("+", "", "+", "", "space"), press("F", "enter", "ctrl+u", "B", "enter", "")},
		{"another debate while a round runs", one, running, all(press("s"), press("ctrl+n"), typing("Rust or Go?"), press("ctrl+s", ""))},
		{"a command to approve", one, waits, press("A")},
		{"a pattern of commands", one, waits, all(press("A"), settles, press("down", "down", "down", "down"), typing(" -run X"))},
		{"no command to approve", one, nil, press("A")},
		{"the start row", sessionOf(gate), nil, all(keys(), typing("42"), press("ctrl+s", "ctrl+s"))},
		{"commands over the form", sessionOf(gate), nil, keys("ctrl+p")},
		{"the demo", sessionOf(demonstrated), nil, func(r *harness, script *scripted) {
			r.press("space")
			s := demonstrated()
			s.History = append(s.History, debate.Round{Number: 1, Began: time.Now(), Manifest: started(s, 1)})
			script.current().events <- debate.RoundStarted{Session: s, Round: 1, At: time.Now()}
			script.current().events <- debate.TurnStarted{Turn: turn("ada", 1), Profile: s.Seats[0], At: time.Now()}
			r.wait(2 * time.Second)
		}},
		{"the database is gone", lostDeps, nil, press("q", "")},
		{"quit without the database", lostDeps, nil, press("ctrl+c", "")},
		{"export with a copy", lostDeps, nil, press("e", "")},
		{"quit with a draft that is lost", func() tui.Deps {
			d := offering(3)
			d.ReadOnly = "the database is read-only"
			return d
		}, nil, all(typing(" Now?"), press("ctrl+c", ""))},
		{"a panel that exists", func() tui.Deps {
			d := offering(3)
			d.SavePanel = func(context.Context, setup.NewPanel) (string, error) {
				return "", &setup.ConsentError{Question: "Write a config with 3 seats to config.toml?", Verb: "write it"}
			}
			return d
		}, keys("tab", "tab", "tab"), all(press("w"), typing("four"), press("enter", ""))},
		{"the models of a seat", func() tui.Deps {
			d := offering(3)
			d.Models = func(context.Context, string) ([]agents.ModelInfo, error) {
				return []agents.ModelInfo{{Name: "gpt-6", Window: 400_000, PriceIn: num(1.5), PriceOut: num(9)}, {Name: "gpt-5-mini"}}, nil
			}
			return d
		}, keys("tab", "tab", "tab", "down"), press("m")},
		{"models that are not listed", func() tui.Deps {
			d := offering(3)
			d.Models = func(context.Context, string) ([]agents.ModelInfo, error) {
				return nil, errors.New("openai is busy (429)")
			}
			return d
		}, keys("tab", "tab", "tab", "down"), press("m")},
	}
}

func settles(r *harness, _ *scripted) { r.wait(5 * time.Second) }

// failedAtTheEnd is a concluded debate in whose last round Ada failed.
func failedAtTheEnd() debate.Session {
	s := concluded()
	x := &s.History[3].Responses[0]
	x.State, x.Statement = debate.TurnFailed, debate.Statement{}
	x.Failure = &debate.TurnFailure{Kind: agents.KindNetwork, Cause: "openai does not answer."}
	return s
}

// lostDeps are those of a debate whose database was removed.
func lostDeps() tui.Deps {
	d := sessionOf(func() debate.Session { return held(3, 1, 4) })()
	d.Check = func() error {
		return errors.New("Cannot save: the database was removed or moved (/data/roundtable.db).")
	}
	d.SaveCopy = func(context.Context) (string, error) { return "/home/roundtable-copy.db", nil }
	return d
}

package store

import (
	"context"
	"database/sql"

	"roundtable/debate"
)

// insertFollowUp stores the question of a follow-up, whose turn has just begun. Other
// turns have none.
func insertFollowUp(ctx context.Context, tx *sql.Tx, t debate.TurnStart) error {
	if t.Turn.Step != debate.FollowUpStep {
		return nil
	}
	id, err := runningTurn(ctx, tx, t.Turn)
	if err != nil {
		return err
	}
	return insertQuestion(ctx, tx, id, t.Turn.Session, t.Question)
}

// insertQuestion stores the question of a follow-up and makes it searchable.
func insertQuestion(ctx context.Context, tx *sql.Tx, turn int64, session, question string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO followups (turn, question) VALUES (?, ?)`, turn, question)
	if err != nil {
		return err
	}
	return addSearchText(ctx, tx, searchText{Session: session, Kind: InFollowUp, Text: question})
}

// loadFollowUps adds the questions to the follow-ups of a session, whose turns are read.
func loadFollowUps(ctx context.Context, tx *sql.Tx, d *debate.Session) error {
	if len(d.FollowUps) == 0 {
		return nil
	}
	questions, err := rowsOf(ctx, tx, func(row *sql.Rows) (question string, err error) {
		err = row.Scan(&question)
		return question, err
	}, `SELECT coalesce(f.question, '') FROM turns t LEFT JOIN followups f ON f.turn = t.id
		WHERE t.session = ? AND t.step = ? AND t.state <> 'due' ORDER BY t.id`, d.ID, debate.FollowUpStep)
	for i := range min(len(questions), len(d.FollowUps)) {
		d.FollowUps[i].Question = questions[i]
	}
	return err
}

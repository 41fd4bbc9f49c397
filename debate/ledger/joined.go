package ledger

func (l *Ledger) join(from int, e Event) {
	into := l.index(e.Payload.Into)
	if into < 0 || into == from || l.Requests[from].State != Pending {
		return
	}
	r, target := &l.Requests[from], &l.Requests[into]
	target.Asks, r.Asks = append(target.Asks, r.Asks...), nil
	r.State, r.JoinedTo = Withdrawn, target.ID
	r.Seq, target.Seq = max(r.Seq, e.Seq), max(target.Seq, e.Seq)
	target.updatePriority()
}

func (l Ledger) joined(r Request) Request {
	for range l.Requests {
		into, ok := l.Find(r.JoinedTo)
		if !ok {
			return r
		}
		r = into
	}
	return r
}

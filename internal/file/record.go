package file

// Kind is what an operation does to a file or folder.
type Kind string

// The kinds of operations.
const (
	Create     Kind = "create"
	Mkdir      Kind = "make folder"
	Write      Kind = "write"
	Truncate   Kind = "truncate"
	Sync       Kind = "sync" // of the content of a file
	Rename     Kind = "rename"
	Remove     Kind = "remove"
	SyncFolder Kind = "sync folder" // of the names in it
)

// Op is an operation that changes a file or folder, or makes a change durable.
type Op struct {
	Kind   Kind
	Path   string
	To     string // of a rename
	Offset int64  // of a write
	Size   int64  // of a write: how much is written; of a truncation: what is left
}

// Recorder is told of each operation before it happens.
type Recorder interface {
	// Record reports whether the recorder did the operation itself. With an error the operation
	// fails. Data is what is written; it is only valid until Record returns.
	Record(op Op, data []byte) (done bool, err error)
}

func (s System) do(op Op, data []byte, real func() error) error {
	if s.Recorder != nil {
		if done, err := s.Recorder.Record(op, data); done || err != nil {
			return err
		}
	}
	return real()
}

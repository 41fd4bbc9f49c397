package workspace

import (
	"fmt"
	"os"
)

// Of the output of a command, the most bytes that are kept, and the folder of the workspace
// that has the files.
const (
	maxKept    = 16 << 20
	keptFolder = ".roundtable"
)

// keptOutput is a file of the workspace that gets the output of a command. A folder in which
// it cannot be made is no reason not to run the command.
type keptOutput struct {
	name string
	file *os.File // nil: nothing is kept
	size int64
	left int64 // bytes that may still be kept
}

// keepOutput makes a file for the output of one command. It is made through os.Root: an
// earlier command may have replaced the folder by a link that leads out.
func (f folder) keepOutput() *keptOutput {
	k := &keptOutput{left: maxKept}
	root, err := f.Open()
	if err != nil {
		return k
	}
	defer root.Close()            //nolint:errcheck // the file stays open
	root.Mkdir(keptFolder, 0o700) //nolint:errcheck // it may be there; otherwise the next call fails
	k.name = fmt.Sprintf("%s/output-%d.txt", keptFolder, f.outputs.Add(1))
	if k.file, err = root.OpenFile(k.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		k.file = nil
	}
	return k
}

// Write implements io.Writer. It never fails, since the output is read to its end.
func (k *keptOutput) Write(p []byte) (int, error) {
	if k.file != nil && k.left > 0 {
		n, err := k.file.Write(p[:min(int64(len(p)), k.left)])
		if k.size, k.left = k.size+int64(n), k.left-int64(n); err != nil { // the disk is full
			k.left = 0
		}
	}
	return len(p), nil
}

// close reports whether the output was kept.
func (k *keptOutput) close() bool { return k.file != nil && k.file.Close() == nil }

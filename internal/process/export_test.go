package process

// NewFolderLocking makes a folder whose lock is taken by a function.
var NewFolderLocking = newFolder

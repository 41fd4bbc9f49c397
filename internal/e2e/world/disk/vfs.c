//go:build cgo && linux

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "_cgo_export.h"
#include "vfs.h"

enum {
	sqliteOK = 0,
	sqliteBusy = 5,
	shmLock = 2,
	shmExclusive = 8,
	openDeleteOnClose = 0x00000008,
	capBatchAtomic = 0x00004000, // its writes go past xWrite
};

// A recorded file is followed in memory by the file of the wrapped layer. A file that is not
// recorded is one of the wrapped layer.
typedef struct {
	sqlite3_file base;
	uintptr_t handle;
} recordedFile;

static sqlite3_vfs *wrapped;

static sqlite3_file *realOf(sqlite3_file *f) { return (sqlite3_file *)((recordedFile *)f + 1); }

static int recordedClose(sqlite3_file *f) {
	int rc = realOf(f)->pMethods->xClose(realOf(f));
	diskClose(((recordedFile *)f)->handle);
	return rc;
}

static int recordedRead(sqlite3_file *f, void *p, int n, long long off) {
	return realOf(f)->pMethods->xRead(realOf(f), p, n, off);
}

// verdict returns what to return to SQLite, or -1 if the wrapped layer has to do the operation.
static int verdict(int rc, int code) {
	if (rc > 0) errno = code;
	return rc;
}

static int recordedWrite(sqlite3_file *f, const void *p, int n, long long off) {
	int code = 0;
	int rc = verdict(diskWrite(((recordedFile *)f)->handle, (void *)p, n, off, &code), code);
	return rc >= 0 ? rc : realOf(f)->pMethods->xWrite(realOf(f), p, n, off);
}

static int recordedTruncate(sqlite3_file *f, long long size) {
	int code = 0;
	int rc = verdict(diskTruncate(((recordedFile *)f)->handle, size, &code), code);
	return rc >= 0 ? rc : realOf(f)->pMethods->xTruncate(realOf(f), size);
}

static int recordedSync(sqlite3_file *f, int flags) {
	int code = 0;
	return verdict(diskSync(((recordedFile *)f)->handle, &code), code);
}

static int recordedFileSize(sqlite3_file *f, long long *size) { return realOf(f)->pMethods->xFileSize(realOf(f), size); }

static int recordedLock(sqlite3_file *f, int level) { return realOf(f)->pMethods->xLock(realOf(f), level); }

static int recordedUnlock(sqlite3_file *f, int level) { return realOf(f)->pMethods->xUnlock(realOf(f), level); }

static int recordedCheckReservedLock(sqlite3_file *f, int *out) {
	return realOf(f)->pMethods->xCheckReservedLock(realOf(f), out);
}

static int recordedFileControl(sqlite3_file *f, int op, void *arg) {
	return realOf(f)->pMethods->xFileControl(realOf(f), op, arg);
}

static int recordedSectorSize(sqlite3_file *f) { return realOf(f)->pMethods->xSectorSize(realOf(f)); }

static int recordedDeviceCharacteristics(sqlite3_file *f) {
	return realOf(f)->pMethods->xDeviceCharacteristics(realOf(f)) & ~capBatchAtomic;
}

static int recordedShmMap(sqlite3_file *f, int page, int size, int extend, void volatile **out) {
	return realOf(f)->pMethods->xShmMap(realOf(f), page, size, extend, out);
}

// The right to write to the log is waited for here: a program that is refused it tries again
// later, and in a bubble of virtual time later may never come while others wait for its locks.
static int recordedShmLock(sqlite3_file *f, int offset, int n, int flags) {
	int rc = realOf(f)->pMethods->xShmLock(realOf(f), offset, n, flags);
	int waits = offset == 0 && flags == (shmLock | shmExclusive);
	for (int tries = 0; rc == sqliteBusy && waits && tries < 50000; tries++) {
		usleep(100);
		rc = realOf(f)->pMethods->xShmLock(realOf(f), offset, n, flags);
	}
	return rc;
}

static void recordedShmBarrier(sqlite3_file *f) { realOf(f)->pMethods->xShmBarrier(realOf(f)); }

static int recordedShmUnmap(sqlite3_file *f, int removes) {
	return realOf(f)->pMethods->xShmUnmap(realOf(f), removes);
}

// Version 2 has no memory mapping, so that every write is seen.
static const sqlite3_io_methods recordedMethods = {
	2,
	recordedClose,
	recordedRead,
	recordedWrite,
	recordedTruncate,
	recordedSync,
	recordedFileSize,
	recordedLock,
	recordedUnlock,
	recordedCheckReservedLock,
	recordedFileControl,
	recordedSectorSize,
	recordedDeviceCharacteristics,
	recordedShmMap,
	recordedShmLock,
	recordedShmBarrier,
	recordedShmUnmap,
};

static int openFile(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out) {
	uintptr_t handle = 0;
	int code = 0;
	f->pMethods = NULL;
	if (name != NULL && !(flags & openDeleteOnClose)) {
		int rc = verdict(diskOpen((char *)name, flags, &handle, &code), code);
		if (rc >= 0) return rc;
	}
	if (handle == 0) return wrapped->xOpen(wrapped, name, f, flags, out);
	int rc = wrapped->xOpen(wrapped, name, realOf(f), flags, out);
	if (rc != sqliteOK) {
		code = errno;
		diskClose(handle);
		errno = code;
		return rc;
	}
	((recordedFile *)f)->handle = handle;
	f->pMethods = &recordedMethods;
	return rc;
}

static int deleteFile(sqlite3_vfs *vfs, const char *name, int syncFolder) {
	int code = 0;
	int rc = verdict(diskDelete((char *)name, syncFolder, &code), code);
	return rc >= 0 ? rc : wrapped->xDelete(wrapped, name, syncFolder);
}

int diskInstall(void) {
	static sqlite3_vfs recording;
	wrapped = sqlite3_vfs_find(NULL);
	if (wrapped == NULL) return 1;
	recording = *wrapped; // its other methods do without the file system that they are called for
	if (recording.iVersion > 3) recording.iVersion = 3;
	recording.szOsFile += (int)sizeof(recordedFile);
	recording.pNext = NULL;
	recording.zName = "recording";
	recording.xOpen = openFile;
	recording.xDelete = deleteFile;
	return sqlite3_vfs_register(&recording, 1);
}

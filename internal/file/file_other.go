//go:build !unix

package file

// NoFollow is not needed: users may not make symbolic links.
const NoFollow = 0

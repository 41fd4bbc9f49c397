package mcpserver

//lint:file-ignore SA1019 clients name their folders as roots for as long as the protocol has them

import (
	"context"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const rootsID = "roots"

// findFolders sets the folders that the client of a call may name files of: the configured
// ones, those of the client, or the one that the server was started in. If ask is not nil,
// the client has to be asked first, and repeats the call with its folders.
func (s *Server) findFolders(ctx context.Context, req *mcp.CallToolRequest, b *Brought) (ask *mcp.CallToolResult) {
	if b.Folders = s.options.Roots; len(b.Folders) > 0 || len(b.Files) == 0 && b.Dir == "" {
		return nil
	}
	var listed *mcp.ListRootsResult
	switch c := req.ClientCapabilities(); {
	case c == nil || c.RootsV2 == nil:
	case req.ProtocolVersion() < formVersion:
		ctx, cancel := context.WithTimeout(ctx, s.options.Wait)
		defer cancel()
		if r, err := req.Session.ListRoots(ctx, nil); err == nil {
			listed = r
		}
	case req.Params.InputResponses == nil:
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{rootsID: &mcp.ListRootsParams{}}}
	default:
		listed, _ = req.Params.InputResponses[rootsID].(*mcp.ListRootsResult)
	}
	if listed != nil {
		for _, root := range listed.Roots {
			if folder := folderOf(root.URI); folder != "" {
				b.Folders = append(b.Folders, folder)
			}
		}
	}
	if len(b.Folders) == 0 && s.options.Folder != "" {
		b.Folders = []string{s.options.Folder}
	}
	return nil
}

// folderOf returns the folder of the URI of a root; "" if it is no folder of this machine.
func folderOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // before the drive
	}
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}

-- The definitions of MCP servers' tools that the user has approved.
CREATE TABLE tool_definitions (
  server   TEXT NOT NULL,
  tool     TEXT NOT NULL, -- the server's own name for it
  hash     TEXT NOT NULL,
  text     TEXT NOT NULL, -- JSON
  approved INTEGER NOT NULL,
  PRIMARY KEY (server, tool)
);

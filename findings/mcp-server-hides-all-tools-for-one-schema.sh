#!/usr/bin/env bash
# Subject:     tools/list of @modelcontextprotocol/server
# Versions:    @modelcontextprotocol/server 2.4.0, zod 4.3.4
# Expectation: registerTool refuses a schema that JSON Schema cannot express, such as one with z.date(), or tools/list leaves that
#              tool out.
# Behaviour:   Registering succeeds, and tools/list fails as a whole: the client sees none of the other tools either.
# Seen on 28 November 2026:
#              registered: good, bad
#              tools/list: {"code":-32603,"message":"Date cannot be represented in JSON Schema"}
#              without the schema: good, bad
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --save-exact --ignore-scripts --no-audit --no-fund @modelcontextprotocol/server@2.4.0 zod@4.3.4 >/dev/null

cat >list.mjs <<'SCRIPT'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

async function list(outputSchema) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'server', version: '1' });
    const call = () => ({ content: [], structuredContent: {} });
    server.registerTool('good', { inputSchema: z.object({}) }, call);
    server.registerTool('bad', { inputSchema: z.object({}), ...outputSchema }, call);
    return server;
  });
  const response = await handler.fetch(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    }),
  );
  const [, data] = /^data: (.*)$/m.exec(await response.text());
  const { result, error } = JSON.parse(data);
  return error ? JSON.stringify(error) : result.tools.map(({ name }) => name).join(', ');
}

console.log('registered: good, bad');
const failed = await list({ outputSchema: z.object({ at: z.date() }) });
const whole = await list({});
console.log(`tools/list: ${failed}`);
console.log(`without the schema: ${whole}`);
const isSame = failed.includes('cannot be represented in JSON Schema') && whole === 'good, bad';
console.log(isSame ? 'The behaviour is the same.' : 'The behaviour has changed.');
process.exit(isSame ? 0 : 1);
SCRIPT
node list.mjs

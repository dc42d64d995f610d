import { createMcpHandler, type McpHttpHandler, Server } from '@modelcontextprotocol/server';
import type { Program } from '#server/automation/tokens/find-program.ts';
import { settings } from '#server/core/env.ts';
import { log } from '#server/core/log.ts';
import { developerApi } from '#server/developer-api/developer-api.ts';
import { READING_TOOLS } from '#server/mcp/reading-tools.ts';
import { callTool, describeTool } from '#server/mcp/tool.ts';
import { NOTICE } from '#server/mcp/untrusted.ts';
import { WRITING_TOOLS } from '#server/mcp/writing-tools.ts';

/** All tools by name, with their descriptions: one that cannot be described would empty the list of every client. */
export const TOOLS = new Map(
  [...READING_TOOLS, ...WRITING_TOOLS].map((tool) => [tool.name, { tool, description: describeTool(tool) }]),
);

const INSTRUCTIONS = [
  'Reads and answers the conversations of a support team with its contacts.',
  NOTICE,
  'Suggest replies instead of sending them, unless the person you work for has asked you to send.',
  'Tools that the API token may not use are not listed.',
].join(' ');

/**
 * Serves MCP over HTTP: revision 2026-07-28 without sessions and, for older clients, 2025-11-25. Each request gets a server of
 * its own, which knows the program of the request's token. `Server` instead of `McpServer`, because the listed tools depend on
 * the token and their schemas are computed once.
 */
export const mcpHandler: McpHttpHandler = createMcpHandler(
  ({ authInfo }) => {
    const program = authInfo?.extra?.program as Program | undefined;
    if (!program) throw new Error('The request has no program.');
    const info = { name: 'shared-inbox', title: settings().SERVICE_NAME, version: '1' };
    const server = new Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
    server.setRequestHandler('tools/list', () => ({ tools: listTools(program) }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const found = TOOLS.get(params.name);
      const unknown = { content: [{ type: 'text' as const, text: 'There is no tool with this name.' }] };
      return found ? callTool(found.tool, program, params.arguments) : { ...unknown, isError: true };
    });
    return server;
  },
  {
    // No list changes during a request, so that nobody waits for notifications.
    maxSubscriptions: 0,
    onerror: (error) => log().debug({ err: error }, 'mcp.refused'),
  },
);

/** Returns the tools that a program may use. */
function listTools(program: Program) {
  return [...TOOLS.values()].flatMap(({ tool, description }) =>
    developerApi.refuse(program, tool.procedure) === undefined ? [description] : [],
  );
}

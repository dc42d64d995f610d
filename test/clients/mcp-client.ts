import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** Revisions of the protocol that the service speaks, newest first. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;

export type Revision = (typeof REVISIONS)[number];

/** Connects a client of the SDK. By default it negotiates nothing, as a program that sets no option. */
export async function connectMcp(url: string, token: string, revision?: Revision): Promise<Client> {
  const versionNegotiation = revision === '2026-07-28' ? { mode: { pin: revision } } : undefined;
  const client = new Client({ name: 'test', version: '1' }, versionNegotiation ? { versionNegotiation } : {});
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  return client;
}

type Called = { isError: boolean; text: string; structured: Record<string, unknown> | undefined };

/** Calls a tool. Returns its structured result and the text that older clients read. */
export async function callMcp(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Called> {
  const result = await client.callTool({ name, arguments: args });
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return {
    isError: result.isError === true,
    text,
    structured: result.structuredContent as Called['structured'],
  };
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends one JSON-RPC request as a client of a revision would, without the SDK. */
export async function postMcp(
  url: string,
  token: string,
  {
    revision,
    method,
    params = {},
    headers = {},
  }: {
    revision: Revision;
    method: string;
    params?: Record<string, unknown>;
    headers?: Record<string, string>;
  },
): Promise<{ status: number; headers: Headers; body: string }> {
  const isNew = revision === '2026-07-28';
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isNew ? { 'mcp-method': method, ...name } : {}),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: isNew ? { ...params, _meta: ENVELOPE } : params,
    }),
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execute } from '#bench/programs/floor-database.ts';
import { digest } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { listConversationsByChange } from '#server/inbox/conversations/list-by-change.ts';

// The floor of bench/benchmarks/developer-api.ts: a bare node:http program that looks up the token and runs the statement of
// the service's list of conversations. It checks nothing, counts no calls and logs nothing.

async function findToken(req: IncomingMessage): Promise<{ workspace_id: string }> {
  const token = (req.headers.authorization ?? '').slice('Bearer '.length);
  const { rows } = await execute(
    'token',
    `select t.id, t.label, t.abilities, w.id as workspace_id, w.name as workspace_name
     from api_tokens t join workspaces w on w.id = t.workspace_id where t.token_hash = $1 and t.revoked_at is null`,
    [Buffer.from(digest(token))],
  );
  return rows[0];
}

/** Returns the statement that the service sends. */
async function statementOf(workspaceId: string, limit: number): Promise<Prisma.Sql> {
  let sent = Prisma.empty;
  const recording = {
    $queryRaw: async <Rows>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) => {
      sent = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
      return [] as Rows;
    },
    $executeRaw: async () => 0,
  };
  await listConversationsByChange(recording, { workspaceId, after: null, limit });
  return sent;
}

async function respond(req: IncomingMessage): Promise<string> {
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
  const found = await findToken(req);
  if (pathname.endsWith('/me')) return JSON.stringify(found);
  const { text, values } = await statementOf(found.workspace_id, Number(searchParams.get('limit')));
  const { rows } = await execute('conversations', text, values);
  return JSON.stringify({ data: rows });
}

function send(res: ServerResponse, status: number, json: string): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
  res.end(json);
}

const server = createServer((req, res) => {
  respond(req).then(
    (json) => send(res, 200, json),
    (error: unknown) => send(res, 500, JSON.stringify({ error: String(error) })),
  );
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

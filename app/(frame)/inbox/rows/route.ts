import { currentSession } from '#app/data/current-session.ts';
import { listConversations } from '#app/data/list-conversations.ts';
import { readInboxView } from '#app/lib/inbox-path.ts';

const ROWS_MAX = 300;

/**
 * Further rows of the inbox as JSON, for a list that loads on while one scrolls: the query of the inbox itself, `cursor`
 * and `rows`. `workspace` is the one that the list was made for; when another one is open by now, there is nothing to add.
 */
export async function GET(request: Request): Promise<Response> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const session = await currentSession();
  if (session?.workspace?.id !== query.workspace)
    return answer(409, { message: 'Another workspace is open.' });
  const rows = Number(query.rows);
  const page = await listConversations(readInboxView(query), {
    ...(query.cursor ? { cursor: query.cursor } : {}),
    ...(Number.isInteger(rows) && rows > 0 ? { rows: Math.min(rows, ROWS_MAX) } : {}),
  });
  return answer(200, page);
}

function answer(status: number, body: object): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'private, no-store' } });
}

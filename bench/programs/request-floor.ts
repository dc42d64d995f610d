import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { execute, inTransaction } from '#bench/programs/floor-database.ts';
import { token } from '#bench/programs/floor-token.ts';
import { digest } from '#server/core/secrets.ts';

// The floor of bench/benchmarks/requests.ts: a bare node:http program that reads and writes the same rows as
// the service with prepared statements. It checks no role and no value, and logs nothing. With
// FLOOR_WITHOUT_LIMITS it does not count calls either.
const API = '/api/automation/v1';
type Caller = { connection_id: string; workspace_id: string; user_id: string; name: string };
type Found = {
  caller: Caller;
  path: string;
  query: URLSearchParams;
  body: Record<string, string & string[]>;
};

async function findCaller(req: IncomingMessage): Promise<Caller> {
  const token = (req.headers.authorization ?? '').slice('Bearer '.length);
  const { rows } = await execute(
    'caller',
    `select c.id as connection_id, w.id as workspace_id, w.name as workspace_name, u.id as user_id, u.name, u.email
     from access_tokens t join connections c on c.id = t.connection_id join workspaces w on w.id = c.workspace_id
     join users u on u.id = c.user_id join members m on m.workspace_id = w.id and m.user_id = u.id
     where t.token_hash = $1 and t.created_at = any(c.live_token_times) and t.expires_at > now()`,
    [Buffer.from(digest(token))],
  );
  return rows[0];
}

async function consumeLimit(key: string): Promise<number> {
  if (process.env.FLOOR_WITHOUT_LIMITS) return 0;
  const now = Date.now();
  const { rows } = await execute(
    'limit',
    `insert into rate_limits (key, points, expire) values ($1, 1, $2) on conflict (key) do update set
       points = case when rate_limits.expire <= $3 then 1 else rate_limits.points + 1 end,
       expire = case when rate_limits.expire <= $3 then $2 else rate_limits.expire end
     returning points`,
    [key, now + 60_000, now],
  );
  return rows[0].points;
}

const RECORD = `json_build_object('id', c.id, 'subject', c.subject, 'status', c.status, 'priority', c.priority,
  'channel', c.channel, 'tags', coalesce((select json_agg(g.name order by g.created_at, g.position)
    from conversation_tags g where g.conversation_id = c.id), '[]'),
  'assignee', case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end,
  'team', case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end,
  'contact', case when k.id is not null then json_build_object('id', k.id, 'name', concat_ws(' ', k.first_name, k.last_name),
    'first_name', k.first_name, 'last_name', k.last_name, 'email', k.email, 'phone', k.phone, 'city', k.city,
    'language', k.language, 'company', case when o.id is not null then json_build_object('id', o.id, 'name', o.name) end,
    'created_at', k.created_at, 'url', 'http://inbox.test/contacts/' || k.id) end,
  'created_at', c.created_at, 'updated_at', c.updated_at, 'resolved_at', c.resolved_at,
  'url', 'http://inbox.test/inbox?selected=' || c.id)`;
const JOINS = `left join users u on u.id = c.assignee_id left join teams t on t.id = c.team_id
  left join contacts k on k.id = c.contact_id left join companies o on o.id = k.company_id`;

async function recordOf(on: pg.PoolClient, id: string): Promise<string> {
  const text = `select ${RECORD}::text as record from conversations c ${JOINS} where c.id = $1`;
  const { rows } = await execute('record', text, [id], on);
  return rows[0].record;
}

async function recordEvents(on: pg.PoolClient, caller: Caller, events: [key: string, body: string][]) {
  const ids = events.map(() => uuidv7());
  await execute(
    'events',
    `with made as (insert into events (id, workspace_id, key, body, filter_values)
       select id, $1, key, body, '{}' from unnest($2::uuid[], $3::text[], $4::text[]) e (id, key, body) returning id)
     insert into events_to_fan_out (event_id) select id from made`,
    [caller.workspace_id, ids, events.map(([key]) => key), events.map(([, body]) => body)],
    on,
  );
}

async function addEntries(on: pg.PoolClient, caller: Caller, conversationId: string, kinds: string[]) {
  await execute(
    'timeline',
    `insert into timeline_entries (id, workspace_id, conversation_id, kind, actor_kind, actor_id, actor_name, connection_id)
     select id, $1, $2, kind, 'workflow', $3, $4, $5 from unnest($6::uuid[], $7::text[]) e (id, kind)`,
    [
      caller.workspace_id,
      conversationId,
      caller.user_id,
      caller.name,
      caller.connection_id,
      kinds.map(() => uuidv7()),
      kinds,
    ],
    on,
  );
}

function create({ caller, body }: Found): Promise<string> {
  return inTransaction(async (client) => {
    const [contact, conversation, message] = [uuidv7(), uuidv7(), uuidv7()];
    const at = caller.workspace_id;
    await execute(
      'contact',
      'insert into contacts (id, workspace_id, first_name, email, updated_at) values ($1, $2, $3, $4, now())',
      [contact, at, body.to_name, body.to_email],
      client,
    );
    await execute(
      'conversation',
      `insert into conversations (id, workspace_id, channel, subject, contact_id, assignee_id, mailbox_id,
         ai_agent_silenced, assigned_at, updated_at)
       select $1, $2, 'email', $3, $4, $5, id, true, now(), now() from mailboxes where workspace_id = $2 and is_default`,
      [conversation, at, body.subject, contact, caller.user_id],
      client,
    );
    await addEntries(client, caller, conversation, ['created', 'assigned']);
    await execute(
      'message',
      `insert into messages (id, workspace_id, conversation_id, direction, author_kind, author_id, author_name,
         connection_id, content, send_status)
       values ($1, $2, $3, 'outbound', 'workflow', $4, $5, $6, $7, 'queued')`,
      [message, at, conversation, caller.user_id, caller.name, caller.connection_id, body.content],
      client,
    );
    await execute(
      'job',
      `insert into job_outbox (task, payload, job_key) values ('send-message', $1, $2)`,
      [JSON.stringify({ messageId: message }), message],
      client,
    );
    const record = await recordOf(client, conversation);
    const keys = ['contact.created', 'conversation.created', 'conversation.assigned'];
    await recordEvents(
      client,
      caller,
      keys.map((key) => [key, record]),
    );
    return record;
  });
}

function note({ caller, path, body }: Found): Promise<string> {
  const [id, conversation] = [uuidv7(), path.split('/')[2] ?? ''];
  return inTransaction(async (client) => {
    await execute(
      'note',
      `insert into notes (id, workspace_id, conversation_id, author_kind, author_id, author_name, connection_id, content)
       values ($1, $2, $3, 'workflow', $4, $5, $6, $7)`,
      [
        id,
        caller.workspace_id,
        conversation,
        caller.user_id,
        caller.name,
        caller.connection_id,
        body.content,
      ],
      client,
    );
    await execute(
      'moved',
      'update conversations set updated_at = now() where id = $1',
      [conversation],
      client,
    );
    return JSON.stringify({ id, conversation_id: conversation, content: body.content });
  });
}

function patch({ caller, path, body }: Found): Promise<string> {
  const conversation = path.split('/')[2] ?? '';
  return inTransaction(async (client) => {
    await execute(
      'status',
      `update conversations set status = $2, status_changed_at = now(), updated_at = now() where id = $1`,
      [conversation, body.status],
      client,
    );
    await addEntries(client, caller, conversation, ['status_changed']);
    await execute(
      'clocks',
      `update sla_clocks set paused_at = now() where id = (select id from sla_clocks
         where conversation_id = $1 and kind = 'resolution' order by started_at desc limit 1)`,
      [conversation],
      client,
    );
    const record = await recordOf(client, conversation);
    await recordEvents(client, caller, [['conversation.status_changed', record]]);
    return record;
  });
}

function tag({ caller, path, body }: Found): Promise<string> {
  const [conversation, tagging] = [path.split('/')[2] ?? '', uuidv7()];
  const [name = ''] = body.tags ?? [];
  const at = caller.workspace_id;
  return inTransaction(async (client) => {
    await execute(
      'tag',
      'insert into conversation_tags (conversation_id, workspace_id, key, name) values ($1, $2, $3, $4)',
      [conversation, at, name.toLowerCase(), name],
      client,
    );
    await execute(
      'tagging',
      `with made as (insert into taggings (id, workspace_id, conversation_id, actor_kind) values ($1, $2, $3, 'workflow'))
       insert into samples (conversation_id, workspace_id, event, filter, subject_id, occurred_at)
       select $3, $2, 'conversation.tagged', filter, $1, now() from unnest($4::text[]) filter
       on conflict (conversation_id, event, filter) do update set subject_id = excluded.subject_id`,
      [tagging, at, conversation, ['', name.toLowerCase()]],
      client,
    );
    await execute(
      'tagging-tag',
      'insert into tagging_tags (tagging_id, workspace_id, position, key, name) values ($1, $2, 0, $3, $4)',
      [tagging, at, name.toLowerCase(), name],
      client,
    );
    await addEntries(client, caller, conversation, ['tagged']);
    await execute(
      'moved',
      'update conversations set updated_at = now() where id = $1',
      [conversation],
      client,
    );
    const record = await recordOf(client, conversation);
    await recordEvents(client, caller, [['conversation.tagged', record]]);
    return record;
  });
}

async function search({ caller, query }: Found): Promise<string> {
  const text = `select coalesce(json_agg(record), '[]')::text as found from (
      select ${RECORD} as record from contacts s join conversations c on c.contact_id = s.id and c.workspace_id = s.workspace_id
      ${JOINS} where s.workspace_id = $1 and s.email = $2 and c.merged_into_id is null and not c.is_test
      order by c.created_at desc, c.id desc limit 10) f`;
  const { rows } = await execute('search', text, [caller.workspace_id, query.get('contact_email')]);
  return rows[0].found;
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function respond(req: IncomingMessage): Promise<[status: number, json: string]> {
  const { pathname, searchParams: query } = new URL(req.url ?? '', 'http://localhost');
  if (pathname === '/oauth/token') {
    await consumeLimit(`token:${req.headers['x-forwarded-for']}`);
    return [200, await token(new URLSearchParams(await bodyOf(req)))];
  }
  const path = pathname.slice(API.length);
  const caller = await findCaller(req);
  await consumeLimit(`api:${caller.connection_id}`);
  if (path === '/me') return [200, JSON.stringify(caller)];
  const body = req.method === 'GET' ? {} : JSON.parse(await bodyOf(req));
  const given: Found = { caller, path, query, body };
  if (path === '/conversations/search') return [200, await search(given)];
  if (path === '/conversations') return [201, await create(given)];
  if (path.endsWith('/notes')) return [201, await note(given)];
  if (path.endsWith('/tags')) return [200, await tag(given)];
  return [200, await patch(given)];
}

function send(res: ServerResponse, status: number, json: string): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) });
  res.end(json);
}

const server = createServer((req, res) => {
  respond(req).then(
    ([status, json]) => send(res, status, json),
    (error: unknown) => send(res, 500, JSON.stringify({ error: String(error) })),
  );
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

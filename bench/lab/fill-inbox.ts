import pg from 'pg';
import type { Lab } from '#bench/lab/lab.ts';
import { fillConversations } from '#prisma/demo-conversations/fill-conversations.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db } from '#server/core/database/prisma.ts';
import type { InboxFilter } from '#server/inbox/lists/inbox-filter.ts';
import { addSavedView } from '#server/inbox/saved-views/saved-views.ts';
import type { OrderedInput } from '#server/screens/inbox/views.ts';
import { inBulk } from '#test/database/in-bulk.ts';

/** PostgreSQL settings for filling a workspace of a million conversations within minutes. */
export const FILLING = { shared_buffers: '512MB', max_wal_size: '8GB', maintenance_work_mem: '512MB' };

/** Name of the database of this size. Those of versions that filled no words for searches had another one. */
export const filledName = (conversations: number) => `searchable_${conversations}`;

/** Returns the database that all read-only benchmarks of this size share. Its data stays for the next run. */
export function filledDatabase(lab: Lab, conversations: number): Promise<string> {
  return lab.sharedDatabase(filledName(conversations));
}

/** Ids of the custom fields of a filled workspace, and of the rarest choice of a plan. */
type FilledFields = Record<'plan' | 'enterprise' | 'amount' | 'reference', string>;

/** A filled workspace: an admin, a team, custom fields, and a conversation with values to search for. */
export type FilledInbox = {
  fields: FilledFields;
  workspaceId: string;
  userId: string;
  teamId: string;
  conversationId: string;
  email: string;
  orderNumber: string;
};

/**
 * Finds the workspace that an earlier run filled in this database, or fills a new one. `db()` must be
 * connected to the database at `url`.
 */
export async function fillInbox(url: string, conversations: number): Promise<FilledInbox> {
  const name = `${conversations} conversations`;
  const known = await db().workspace.findFirst({ where: { name }, include: { members: true, teams: true } });
  const workspace = known ?? (await db().workspace.create({ data: { name: 'Being filled', plan: 'scale' } }));
  if (!known) {
    for (let n = 0; n < 12; n += 1) {
      const user = await db().user.create({
        data: { name: `Teammate ${n}`, email: `t${n}.${workspace.id}@bench.test` },
      });
      const role = n === 0 ? 'admin' : 'agent';
      await db().member.create({ data: { workspaceId: workspace.id, userId: user.id, role } });
    }
    for (const team of ['Support', 'Billing', 'Sales']) {
      await db().team.create({ data: { workspaceId: workspace.id, name: team } });
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const started = performance.now();
    const seconds = () => Math.round((performance.now() - started) / 1000);
    // Building an index at the end is faster than growing it.
    const indexes = ['messages', 'conversations', 'contacts'].map((table) => `${table}_search`);
    for (const index of indexes) await client.query(`drop index ${index}`);
    await client.query('set synchronous_commit = off');
    // Skip foreign key checks, which would double the time: all referenced rows exist. The words for searches are written all the same.
    const written = ['messages', 'conversations'];
    for (const table of written)
      await client.query(`alter table ${table} enable always trigger ${table}_search`);
    await client.query('set session_replication_role = replica');
    await fillConversations(client, {
      workspaceId: workspace.id,
      count: conversations,
      onProgress: (made) => {
        if (made % 50_000 === 0) console.log(`${made} conversations after ${seconds()} s`);
      },
    });
    for (const index of indexes) {
      await client.query(`create index ${index} on ${index.replace('_search', '')} using gin (search)`);
    }
    for (const table of written) await client.query(`alter table ${table} enable trigger ${table}_search`);
    await client.query('vacuum analyze');
    await client.end();
    // Name the workspace last: an interrupted run must not look complete.
    await db().workspace.update({ where: { id: workspace.id }, data: { name } });
    console.log(`Filled in ${seconds()} s.`);
  }
  const email = `t0.${workspace.id}@bench.test`;
  const user = await db().user.findUniqueOrThrow({ where: { email } });
  const [team] = await db().team.findMany({ where: { workspaceId: workspace.id }, take: 1 });
  if (!team) throw new Error('The workspace is incomplete.');
  await saveViews(workspace.id, { user, teamId: team.id });
  return {
    fields: await fillFields(workspace.id),
    workspaceId: workspace.id,
    userId: user.id,
    teamId: team.id,
    ...(await searchValues(workspace.id)),
  };
}

/**
 * Returns the custom fields of a workspace, after filling those of a new one: each contact has a plan, of which one in a hundred is the rarest;
 * each fourth conversation has a reference of its own, and each tenth an amount.
 */
async function fillFields(workspaceId: string): Promise<FilledFields> {
  const known = await db().customField.findMany({ where: { workspaceId }, include: { choices: true } });
  const [plan, amount, reference] = ['Plan', 'Amount', 'Reference'].map((name) =>
    known.find((field) => field.name === name),
  );
  const enterprise = plan?.choices.find(({ name }) => name === 'Enterprise');
  if (plan && amount && reference && enterprise)
    return { plan: plan.id, enterprise: enterprise.id, amount: amount.id, reference: reference.id };
  await inBulk(async (bulk) => {
    await bulk.$transaction(
      async (tx) => {
        await tx.customField.deleteMany({ where: { workspaceId } });
        await tx.$executeRaw`
        with field as (
          insert into custom_fields (id, workspace_id, subject, type, name, position)
          values (gen_random_uuid(), ${workspaceId}::uuid, 'contact', 'choice', 'Plan', 0) returning id
        ), choice as (
          insert into field_choices (id, workspace_id, field_id, name, position)
          select gen_random_uuid(), ${workspaceId}::uuid, field.id, name, n
          from field, unnest(array['Free', 'Pro', 'Enterprise']) with ordinality as given (name, n) returning id, field_id, name
        )
        insert into contact_field_values (contact_id, field_id, workspace_id, choice_id)
        select c.id, choice.field_id, c.workspace_id, choice.id
        from (select id, workspace_id, row_number() over (order by id) as n from contacts where workspace_id = ${workspaceId}::uuid) c
        join choice on choice.name = case when n % 100 = 0 then 'Enterprise' when n % 4 = 0 then 'Pro' else 'Free' end`;
        await tx.$executeRaw`
        with field as (
          insert into custom_fields (id, workspace_id, subject, type, name, position)
          select gen_random_uuid(), ${workspaceId}::uuid, 'conversation', type::field_type, name, position
          from (values ('number', 'Amount', 1), ('text', 'Reference', 2)) given (type, name, position) returning id, type
        )
        insert into conversation_field_values (conversation_id, field_id, workspace_id, number, text)
        select c.id, field.id, c.workspace_id, case when type = 'number' then n end, case when type = 'text' then 'Case ' || n end
        from (select id, workspace_id, row_number() over (order by id) as n from conversations where workspace_id = ${workspaceId}::uuid) c
        join field on n % case type when 'number' then 10 else 4 end = 0`;
      },
      { timeout: 900_000 },
    );
    for (const table of ['contact_field_values', 'conversation_field_values'])
      await bulk.$executeRawUnsafe(`vacuum analyze ${table}`);
  });
  return fillFields(workspaceId);
}

/** Number of shared views. The other 20 are private. The product allows no more of either. */
const SHARED_VIEWS = 30;

/** Saves the views of the benchmarks, in place of those that earlier runs saved. */
async function saveViews(workspaceId: string, { user: by, teamId }: { user: Teammate; teamId: string }) {
  // An earlier version filled the workspace without an admin.
  await db().member.updateMany({ where: { workspaceId, userId: by.id }, data: { role: 'admin' } });
  await db().savedView.deleteMany({ where: { workspaceId } });
  for (const [n, filters] of savedFilters(teamId).entries()) {
    const name = `View ${n + 1}`;
    await addSavedView({ workspaceId, by, name, filters, isShared: n < SHARED_VIEWS });
  }
}

/** Filters of the saved views, all different: each kind once among open conversations, once elsewhere in an order. */
function savedFilters(teamId: string): OrderedInput[] {
  const kinds: OrderedInput[] = [
    { assignee: 'me' },
    { assignee: 'unassigned' },
    { teamId },
    { channel: 'whatsapp' },
    { channel: 'slack', assignee: 'unassigned' },
    { priority: 'urgent' },
    { priority: 'high', active: '7d' },
    { sla: 'overdue' },
    { sla: 'soon', teamId },
    { verified: 'no' },
    { verified: 'yes', channel: 'webchat' },
    { active: '1d' },
    { active: 'over-7d', assignee: 'me' },
    { created: '7d' },
    { created: 'over-30d', priority: 'low' },
    { reply: 'failed' },
    { unread: 'yes' },
    { unread: 'yes', teamId },
    { tag: 'Refund' },
    { tag: 'VIP', assignee: 'me' },
    { tag: 'no such tag' },
    { search: 'refund' },
    { search: 'finland green' },
    { teamId, channel: 'email', priority: 'high' },
    { teamId, assignee: 'me', tag: 'Delivery' },
  ];
  const elsewhere: OrderedInput[] = [
    { status: 'pending', order: 'oldest' },
    { status: 'solved', order: 'newest' },
    { order: 'waiting' },
    { order: 'due' },
  ];
  return [
    ...kinds.map((kind) => ({ ...kind, status: 'open' as const })),
    ...kinds.map((kind, n) => ({ ...kind, ...elsewhere[n % elsewhere.length] })),
  ];
}

/** Conversations of the contact that benchmarks search for, in a workspace of any size. */
const SEARCHED_CONVERSATIONS = 3;

/** Returns a conversation of a contact with an email address, and an order number from its messages. */
async function searchValues(workspaceId: string) {
  const [contact] = await db().$queryRaw<{ id: string }[]>`
    select s.id from contacts s join conversations c on c.contact_id = s.id
    where s.workspace_id = ${workspaceId}::uuid and s.email is not null
    group by s.id having count(*) = ${SEARCHED_CONVERSATIONS} order by s.id limit 1`;
  if (!contact) throw new Error('No contact has as many conversations.');
  const known = await db().conversation.findFirstOrThrow({
    where: { workspaceId, contactId: contact.id },
    select: {
      id: true,
      contact: { select: { email: true } },
      messages: { select: { content: true }, take: 1 },
    },
  });
  const email = known.contact?.email ?? '';
  const orderNumber = /AB-\d+/.exec(known.messages[0]?.content ?? '')?.[0] ?? 'AB-0000001';
  return { conversationId: known.id, email, orderNumber };
}

/** Inbox filters of the benchmarks, by name: common and rare values, single and combined conditions. */
export function inboxFilters({
  userId,
  teamId,
  email,
  orderNumber,
  fields,
}: FilledInbox): Record<string, Omit<InboxFilter, 'workspaceId'>> {
  const plan = { subject: 'contact', fieldId: fields.plan } as const;
  const amount = { subject: 'conversation', fieldId: fields.amount } as const;
  const reference = { subject: 'conversation', fieldId: fields.reference } as const;
  return {
    open: { status: 'open' },
    'all statuses': {},
    'assigned to me, open': { status: 'open', assigneeId: userId },
    'assigned to me, all': { assigneeId: userId },
    'unassigned, open': { status: 'open', assigneeId: null },
    'team, closed': { status: 'closed', teamId },
    'channel, open': { status: 'open', channel: 'slack' },
    'team and channel and me': { teamId, channel: 'slack', assigneeId: userId },
    'priority, open': { status: 'open', priority: 'urgent' },
    'overdue, open': { status: 'open', sla: 'overdue' },
    'due soon and team': { sla: 'soon', teamId },
    'not verified': { isVerified: false },
    'no message for 30 days, open': { status: 'open', active: 'over-30d' },
    'created in a week': { created: '7d' },
    'tag, common': { tag: 'Refund' },
    'tag, common, pending': { tag: 'Refund', status: 'pending' },
    'tag, none': { tag: 'no such tag' },
    'search, very common word': { search: 'order ' },
    'search, common prefix': { search: 'the' },
    'search, less common words': { search: 'finland green' },
    'search, rare word (an order)': { search: orderNumber },
    'search, a first name': { search: 'yuki ' },
    'search, a full name': { search: 'yuki nowak' },
    'search, email': { search: email },
    'search, no match': { search: 'xylophone' },
    'search, common words never together': { search: 'xylophone order' },
    'search, common word and team, open': { search: 'refund', teamId, status: 'open' },
    'field, rare choice': { fields: [{ ...plan, operator: 'any', values: [fields.enterprise] }] },
    'field, rare choice and team, open': {
      fields: [{ ...plan, operator: 'any', values: [fields.enterprise] }],
      teamId,
      status: 'open',
    },
    'field, text': { fields: [{ ...reference, operator: 'is', values: ['case 400'] }] },
    'field, part of a text': { fields: [{ ...reference, operator: 'has', values: ['se 4'] }] },
    'field, part of no text': { fields: [{ ...reference, operator: 'has', values: ['xylophone'] }] },
    'field, number, few': { fields: [{ ...amount, operator: 'lt', values: ['100'] }] },
    'field, number, open': { fields: [{ ...amount, operator: 'gt', values: ['100'] }], status: 'open' },
    'field, without a value': { fields: [{ ...amount, operator: 'empty', values: [] }] },
  };
}

import pg from 'pg';
import type { Lab } from '#bench/lab/lab.ts';
import { fillConversations } from '#prisma/demo-conversations/fill-conversations.ts';
import { db } from '#server/core/database/prisma.ts';
import type { InboxFilter } from '#server/screens/inbox/inbox-sql.ts';

/** What a PostgreSQL needs to fill a workspace of a million conversations in some minutes. */
export const FILLING = { shared_buffers: '512MB', max_wal_size: '8GB', maintenance_work_mem: '512MB' };

/** The database of all benchmarks that read a workspace of so many conversations, which keeps it for the next one. */
export function filledDatabase(lab: Lab, conversations: number): Promise<string> {
  return lab.keptDatabase(`filled_${conversations}`);
}

/** A filled workspace, a member and a team of it, and one conversation with what can be searched for. */
export type FilledInbox = {
  workspaceId: string;
  userId: string;
  teamId: string;
  conversationId: string;
  email: string;
  orderNumber: string;
};

/**
 * The workspace of so many conversations that an earlier run filled in this database, or a new one. `db()` must lead there.
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
      await db().member.create({ data: { workspaceId: workspace.id, userId: user.id, role: 'agent' } });
    }
    for (const team of ['Support', 'Billing', 'Sales']) {
      await db().team.create({ data: { workspaceId: workspace.id, name: team } });
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const started = performance.now();
    const seconds = () => Math.round((performance.now() - started) / 1000);
    // Only here: an index that is made at the end is made faster than one that grows.
    const indexes = ['messages', 'conversations', 'contacts'].map((table) => `${table}_search`);
    for (const index of indexes) await client.query(`drop index ${index}`);
    await client.query('set synchronous_commit = off');
    // What is made refers to what is there: checking each reference would double the time.
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
    await client.query('vacuum analyze');
    await client.end();
    // Only now: a run that was stopped is no workspace of this size.
    await db().workspace.update({ where: { id: workspace.id }, data: { name } });
    console.log(`Filled in ${seconds()} s.`);
  }
  const [member] = await db().member.findMany({ where: { workspaceId: workspace.id }, take: 1 });
  const [team] = await db().team.findMany({ where: { workspaceId: workspace.id }, take: 1 });
  if (!member || !team) throw new Error('The workspace is not whole.');
  return {
    workspaceId: workspace.id,
    userId: member.userId,
    teamId: team.id,
    ...(await knownOf(workspace.id)),
  };
}

/** A conversation of a contact with an address, and the number of an order that its messages name. */
async function knownOf(workspaceId: string) {
  const known = await db().conversation.findFirstOrThrow({
    where: { workspaceId, contact: { email: { not: null } } },
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

/** What is asked of an inbox in benchmarks, by name: common and rare, one condition and several. */
export function inboxFilters({
  userId,
  teamId,
  email,
  orderNumber,
}: FilledInbox): Record<string, Omit<InboxFilter, 'workspaceId'>> {
  return {
    open: { status: 'open' },
    'all statuses': {},
    'assigned to me, open': { status: 'open', assigneeId: userId },
    'assigned to me, all': { assigneeId: userId },
    'unassigned, open': { status: 'open', assigneeId: null },
    'team, closed': { status: 'closed', teamId },
    'channel, open': { status: 'open', channel: 'slack' },
    'team and channel and me': { teamId, channel: 'slack', assigneeId: userId },
    'tag, common': { tag: 'Refund' },
    'tag, common, pending': { tag: 'Refund', status: 'pending' },
    'tag, none': { tag: 'no such tag' },
    'search, very common word': { search: 'order ' },
    'search, common beginning': { search: 'the' },
    'search, less common words': { search: 'finland green' },
    'search, rare word (an order)': { search: orderNumber },
    'search, a first name': { search: 'yuki ' },
    'search, a whole name': { search: 'yuki nowak' },
    'search, email': { search: email },
    'search, found nowhere': { search: 'xylophone' },
    'search, common words never together': { search: 'xylophone order' },
    'search, common word and team, open': { search: 'refund', teamId, status: 'open' },
  };
}

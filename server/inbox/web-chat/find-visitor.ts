import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { db } from '#server/core/database/prisma.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';

/** A conversation in which what a visitor writes may appear. */
type VisitedConversation = {
  id: string;
  status: ConversationStatus;
  /** Since when what the team writes in it is for this visitor too; null: never, or from the beginning (`isOwn`). */
  readableSince: Date | null;
  /** The visitor's own conversation, as opposed to one that it was merged into. */
  isOwn: boolean;
};

/** Someone who writes in a web chat, known by their token. */
export type Visitor = {
  tokenHash: Uint8Array<ArrayBuffer>;
  workspaceId: string;
  contactId: string | null;
  /** An address is known of them, typed by themselves or by the team. */
  hasAddress: boolean;
  /** What the external ids of their own messages begin with. */
  prefix: string;
  /** Their own conversation and, in turn, those it was merged into. */
  conversations: VisitedConversation[];
};

type Row = {
  workspaceId: string;
  contactId: string | null;
  hasAddress: boolean;
  id: string | null;
  status: ConversationStatus;
  since: Date | null;
  isReadable: boolean;
};

/** So many merges in a row are followed. */
const MERGES_MAX = 10;

/**
 * The visitor who has a token, with where they write; undefined when no one has it, or their workspace is deleted. One
 * round trip.
 *
 * Where a conversation was merged into another one, the team answers both there from that moment on. It is read by the
 * visitor when the other one is a web chat that they began themselves. Else what the team writes there is for someone
 * who is not known to be this visitor, though perhaps of the same contact, or leaves by another channel: an address
 * that a visitor types proves nothing (decisions: conversations and contacts, 13).
 */
export async function findVisitor(token: string | undefined): Promise<Visitor | undefined> {
  const tokenHash = token === undefined ? undefined : visitorTokenHash(token);
  return tokenHash && readVisitor(tokenHash);
}

/** The same by the digest of the token. */
export async function readVisitor(tokenHash: Uint8Array<ArrayBuffer>): Promise<Visitor | undefined> {
  const rows = await db().$queryRaw<Row[]>(visits(tokenHash));
  const [visitor] = rows;
  if (!visitor) return undefined;
  return {
    tokenHash,
    workspaceId: visitor.workspaceId,
    contactId: visitor.contactId,
    hasAddress: visitor.hasAddress,
    prefix: messagePrefix(tokenHash),
    conversations: rows.flatMap(({ id, status, since, isReadable }, place) =>
      id === null ? [] : [{ id, status, readableSince: isReadable ? since : null, isOwn: place === 0 }],
    ),
  };
}

function visits(tokenHash: Uint8Array<ArrayBuffer>): Prisma.Sql {
  return Prisma.sql`
    with recursive v as (
      select v.workspace_id, v.contact_id, v.conversation_id, v.contact_claimed or p.email is not null as has_address
      from visitors v
      join workspaces w on w.id = v.workspace_id
      left join contacts p on p.workspace_id = v.workspace_id and p.id = v.contact_id
      where v.token_hash = ${tokenHash} and w.deleted_at is null
    ), visited as (
      select c.id, c.workspace_id, c.status, c.merged_into_id, null::timestamptz as since, true as is_readable, 0 as place
      from v join conversations c on c.workspace_id = v.workspace_id and c.id = v.conversation_id
      union all
      select c.id, c.workspace_id, c.status, c.merged_into_id, merge.created_at, coalesce(begun.is_theirs, false),
        visited.place + 1
      from visited
      join lateral (
        select t.created_at, t.data ->> 'intoId' as into_id from timeline_entries t
        where t.conversation_id = visited.id and t.kind = 'merged'
        order by t.created_at desc limit 1
      ) merge on true
      join conversations c on c.workspace_id = visited.workspace_id and c.id = merge.into_id::uuid
      left join lateral (
        -- A message of the merged conversation's visitor may be here too, but never as the first one.
        select starts_with(m.external_id, ${messagePrefix(tokenHash)}) as is_theirs from messages m
        where m.conversation_id = c.id and m.direction = 'inbound' and c.channel = 'webchat'
        order by m.created_at, m.id limit 1
      ) begun on true
      where visited.merged_into_id is not null and visited.place < ${MERGES_MAX}::int
    )
    select v.workspace_id as "workspaceId", v.contact_id as "contactId", v.has_address as "hasAddress", visited.id,
      visited.status::text as status, visited.since, visited.is_readable as "isReadable"
    from v left join visited on true
    order by visited.place`;
}

/** What a visitor's token begins with; the log cuts off whatever follows. */
const VISITOR_PREFIX = 'kzv_';

const FORM = /^kzv_[0-9A-Za-z]{43}$/;

/** A new token: 32 random bytes after the prefix. It is sent once, to the browser that keeps it. */
function newVisitorToken(): string {
  return newSecret(VISITOR_PREFIX);
}

/** The only form in which a visitor's token is stored or looked up; undefined for what can be none. */
export function visitorTokenHash(token: string): Uint8Array<ArrayBuffer> | undefined {
  return FORM.test(token) ? digest(token) : undefined;
}

/**
 * The prefix of the ids that a visitor's browser gives its messages: no one else's begins so. So a message sent
 * again is known as the same only to its sender, and a visitor's own messages are distinguished from others.
 */
function messagePrefix(tokenHash: Uint8Array): string {
  const tag = createHash('sha256').update('webchat message').update(tokenHash).digest('hex').slice(0, 32);
  return `webchat:${tag}:`;
}

/**
 * Lets someone new into the web chat of a workspace. One statement.
 * @returns their token, or null when there is no such workspace
 */
export async function makeVisitor(workspaceId: string): Promise<string | null> {
  if (!isUuid(workspaceId)) return null;
  const token = newVisitorToken();
  const made = await db().$executeRaw`
    insert into visitors (token_hash, workspace_id)
    select ${visitorTokenHash(token)}::bytea, id from workspaces
    where id = ${workspaceId}::uuid and deleted_at is null`;
  return made === 1 ? token : null;
}

import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import { sql } from '#server/core/database/sql.ts';
import { digest, newSecret } from '#server/core/secrets.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { ConversationStatus } from '#server/generated/prisma/enums.ts';

/** A conversation that can contain a visitor's messages. */
type VisitedConversation = {
  id: string;
  status: ConversationStatus;
  /** From when the visitor may read the team's messages; null: from the start if `isOwn`, else never. */
  readableSince: Date | null;
  /** The conversation that the visitor started, not one that it was merged into. */
  isOwn: boolean;
};

/** A visitor of a web chat, identified by a token. */
export type Visitor = {
  tokenHash: Uint8Array<ArrayBuffer>;
  workspaceId: string;
  contactId: string | null;
  /** True if the visitor or the team has entered an email address. */
  hasAddress: boolean;
  /** Prefix of the external ids of the visitor's messages. */
  prefix: string;
  /** The visitor's conversation, followed by the chain of its merge targets. */
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

/** Maximum length of the chain of merges. */
const MERGES_MAX = 10;

/**
 * Returns the visitor with a token and their conversations; undefined if the token is unknown or the workspace deleted. A
 * deleted conversation is left out: the visitor's next message starts another. The visitor does not notice that one is
 * marked as spam (docs/rulings.md 3.34). One round trip.
 *
 * After a merge, the team replies to both contacts in the target. The visitor may read that only if the target is a web
 * chat that they started too. Otherwise it may be meant for someone else, even if both have the same contact: an address
 * typed by a visitor proves nothing (docs/rulings.md 3.13).
 */
export async function findVisitor(token: string | undefined): Promise<Visitor | undefined> {
  const tokenHash = token === undefined ? undefined : visitorTokenHash(token);
  return tokenHash && readVisitor(tokenHash);
}

/** Returns the visitor like `findVisitor`, by the digest of the token. */
export async function readVisitor(tokenHash: Uint8Array<ArrayBuffer>): Promise<Visitor | undefined> {
  const rows = await sql().$queryRaw<Row[]>(visitorQuery(tokenHash));
  const [visitor] = rows;
  if (!visitor) return undefined;
  return {
    tokenHash,
    workspaceId: visitor.workspaceId,
    contactId: visitor.contactId,
    hasAddress: visitor.hasAddress,
    prefix: messagePrefix(tokenHash),
    conversations: rows.flatMap(({ id, status, since, isReadable }, index) =>
      id === null ? [] : [{ id, status, readableSince: isReadable ? since : null, isOwn: index === 0 }],
    ),
  };
}

function visitorQuery(tokenHash: Uint8Array<ArrayBuffer>): Prisma.Sql {
  return Prisma.sql`
    with recursive v as (
      select v.workspace_id, v.contact_id, v.conversation_id, v.contact_claimed or coalesce(p.email, p.claimed_email) is not null as has_address
      from visitors v
      join workspaces w on w.id = v.workspace_id
      left join contacts p on p.workspace_id = v.workspace_id and p.id = v.contact_id
      where v.token_hash = ${tokenHash} and w.deleted_at is null
    ), visited as (
      select c.id, c.workspace_id, c.status, c.merged_into_id, null::timestamptz as since, true as is_readable, 0 as place
      from v join conversations c on c.workspace_id = v.workspace_id and c.id = v.conversation_id
        and c.removal is distinct from 'deleted'
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
        and c.removal is distinct from 'deleted'
      left join lateral (
        -- After a merge, later messages may be from another visitor, but never the first one.
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

/** A visitor's token. The log redacts it by its prefix. */
const TOKEN_PATTERN = /^kzv_[0-9A-Za-z]{43}$/;

/** Returns the digest by which a token is stored and looked up; undefined for text that is not a token. */
export function visitorTokenHash(token: string): Uint8Array<ArrayBuffer> | undefined {
  return TOKEN_PATTERN.test(token) ? digest(token) : undefined;
}

/**
 * Returns the visitor-specific prefix of message ids from a visitor's browser. With it, a repeated id matches only messages
 * of the same visitor, and a visitor's own messages can be recognized.
 */
function messagePrefix(tokenHash: Uint8Array): string {
  const tag = createHash('sha256').update('webchat message').update(tokenHash).digest('hex').slice(0, 32);
  return `webchat:${tag}:`;
}

/**
 * Creates a visitor of a workspace's web chat. One statement.
 * @returns the visitor's token; null if the workspace does not exist
 */
export async function createVisitor(workspaceId: string): Promise<string | null> {
  if (!isUuid(workspaceId)) return null;
  const token = newSecret('kzv_');
  const inserted = await sql().$executeRaw`
    insert into visitors (token_hash, workspace_id)
    select ${visitorTokenHash(token)}::bytea, id from workspaces
    where id = ${workspaceId}::uuid and deleted_at is null`;
  return inserted === 1 ? token : null;
}

import { validate as isUuid, v4 as uuidv4 } from 'uuid';
import { sql } from '#server/core/database/sql.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { isVisibleById } from '#server/inbox/conversations/visible-conversations.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/**
 * Records that an input can name: a conversation, or what belongs to one. An undone assignment or reply is also seen by the teammate
 * who made it within the last minutes, in case it hid the conversation.
 */
const TABLES = {
  message: 'messages',
  note: 'notes',
  pendingReply: 'pending_replies',
  undoneReply: 'pending_replies',
  suggestedReply: 'suggested_replies',
  run: 'command_runs',
} as const;

type Named = 'conversation' | 'undoneAssignment' | keyof typeof TABLES;

/** Time in which a teammate can undo what hid a conversation from them, in minutes. */
const UNDO_MINUTES = 5;

const SINCE = Prisma.sql`now() - make_interval(mins => ${UNDO_MINUTES}::int)`;

/**
 * SQL for whether a teammate did what they undo. Only the last assignment of a conversation `c` counts: undoing it gives nobody more
 * than it took from them.
 */
const OWN: Partial<Record<Named, (userId: string) => Prisma.Sql>> = {
  undoneReply: (userId) => Prisma.sql`x.author_id = ${userId}::uuid and x.created_at > ${SINCE}`,
  undoneAssignment: (userId) => Prisma.sql`coalesce((
    select t.actor_kind = 'teammate' and t.actor_id = ${userId}::uuid and t.created_at > ${SINCE} from timeline_entries t
    where t.conversation_id = c.id and t.kind in ('assigned', 'unassigned', 'team_set', 'team_removed')
    order by t.created_at desc, t.id desc limit 1), false)`,
};

/** The ids in an input, by their path; `*` is each item of a list: `{ 'before.*.id': 'conversation' }`. */
export type NamedInputs = Record<string, Named>;

/**
 * Replaces the ids of conversations that a teammate does not see, and of what belongs to them, by ids of nothing. So a procedure
 * answers about them exactly as about something that does not exist, and cannot change them.
 * @returns the input, and a function that puts the original ids back into the response
 */
export async function hideUnseen(
  names: NamedInputs,
  input: unknown,
  reader: { workspaceId: string; visibility: Visibility },
): Promise<{ input: unknown; restore: (response: unknown) => unknown }> {
  const given = Object.entries(names).flatMap(([path, kind]) =>
    idsAt(input, path.split('.')).map((id) => ({ id, kind })),
  );
  const hidden = new Set((await findUnseen(given, reader)).map((id) => id.toLowerCase()));
  if (hidden.size === 0) return { input, restore: (response) => response };
  const replaced = new Map<string, string>();
  const replace = (id: string) => {
    if (!hidden.has(id.toLowerCase())) return id;
    const other = uuidv4();
    replaced.set(other, id);
    return other;
  };
  const safe = Object.keys(names).reduce((value, path) => replaceAt(value, path.split('.'), replace), input);
  return { input: safe, restore: (response) => restoreIds(response, replaced) };
}

/** Returns the ids among the given ones that belong to conversations that the teammate does not see. One statement. */
async function findUnseen(
  given: { id: string; kind: Named }[],
  { workspaceId, visibility }: { workspaceId: string; visibility: Visibility },
): Promise<string[]> {
  const byKind = Map.groupBy(given, ({ kind }) => kind);
  const selects = [...byKind].map(([kind, named]) => {
    const ids = named.map(({ id }) => id);
    const through =
      kind === 'conversation' || kind === 'undoneAssignment'
        ? Prisma.sql`join conversations c on c.id = given.id`
        : Prisma.sql`join ${Prisma.raw(TABLES[kind])} x on x.id = given.id join conversations c on c.id = x.conversation_id`;
    const isOwn = OWN[kind]?.(visibility.userId) ?? Prisma.sql`false`;
    return Prisma.sql`select given.id from unnest(${ids}::uuid[]) as given (id) ${through}
      where c.workspace_id = ${workspaceId}::uuid and not ${isVisibleById(visibility)} and not (${isOwn})`;
  });
  if (selects.length === 0) return [];
  const rows = await sql().$queryRaw<{ id: string }[]>(Prisma.join(selects, ' union all '));
  return rows.map(({ id }) => id);
}

/** Returns the ids of records at a path. Other values name nothing. */
function idsAt(value: unknown, [key, ...rest]: string[]): string[] {
  if (key === undefined) return typeof value === 'string' && isUuid(value) ? [value] : [];
  if (key === '*') return Array.isArray(value) ? value.flatMap((item) => idsAt(item, rest)) : [];
  return isObject(value) ? idsAt(value[key], rest) : [];
}

function replaceAt(value: unknown, [key, ...rest]: string[], replace: (id: string) => string): unknown {
  if (key === undefined) return typeof value === 'string' ? replace(value) : value;
  if (key === '*') return Array.isArray(value) ? value.map((item) => replaceAt(item, rest, replace)) : value;
  return isObject(value) && key in value ? { ...value, [key]: replaceAt(value[key], rest, replace) } : value;
}

/** Replaces texts and keys that are ids of nothing by the original ids. */
function restoreIds(value: unknown, replaced: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return replaced.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => restoreIds(item, replaced));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [replaced.get(key) ?? key, restoreIds(item, replaced)]),
  );
}

/** Returns whether a value has only its own keys, unlike a date. */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

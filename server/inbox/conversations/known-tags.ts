import { tagKey } from '#server/contract/tag-key.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/** Returns the keys that belong to a tag of the workspace: one that was created in advance, or that a conversation has. */
export async function findKnownKeys(db: SqlDb, workspaceId: string, keys: string[]): Promise<Set<string>> {
  const known = await db.$queryRaw<{ key: string }[]>`
    select asked.key from unnest(${keys}::text[]) asked (key)
    where exists (select from tags t where t.workspace_id = ${workspaceId}::uuid and t.key = asked.key)
      or exists (select from conversation_tags t where t.workspace_id = ${workspaceId}::uuid and t.key = asked.key)`;
  return new Set(known.map(({ key }) => key));
}

/**
 * Checks tags that a teammate adds in the inbox. Programs and automations belong to owners and admins, and may add any.
 * @throws Refusal when one does not exist yet, and only owners and admins create tags in this workspace
 */
export async function refuseNewTags(
  db: SqlDb,
  { workspaceId, role, tags }: { workspaceId: string; role: Role; tags: string[] },
): Promise<void> {
  if (isAdmin(role)) return;
  const [workspace] = await db.$queryRaw<{ isLimited: boolean }[]>`
    select new_tags_by_admins as "isLimited" from workspaces where id = ${workspaceId}::uuid`;
  if (!workspace?.isLimited) return;
  const known = await findKnownKeys(db, workspaceId, tags.map(tagKey));
  const unknown = tags.filter((tag) => !known.has(tagKey(tag)));
  if (unknown.length === 0) return;
  const which = unknown.length === 1 ? `The tag ${unknown[0]} does` : `The tags ${unknown.join(', ')} do`;
  throw invalid({
    tags: [
      `${which} not exist, and only owners and admins create tags. Choose an existing tag, or ask one of them.`,
    ],
  });
}

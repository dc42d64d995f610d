import { textProblem } from '#server/contract/fields.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import { type ReadDb, runRead } from '#server/core/database/batch-reads.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound, Refusal } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { cleanName } from '#server/core/text.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { inLockedWorkspace, ONLY_MANAGERS } from '#server/teammates/require-role.ts';
import { isAdmin } from '#server/teammates/roles.ts';

/** Maximum number of shared views of a workspace, and of private ones of a teammate. */
const SHARED_MAX = 30;
const PRIVATE_MAX = 20;

/** Maximum length of a name, in code points. */
const NAME_MAX_LENGTH = 60;

/** `filters`: as the screens store them. */
export type SavedView = { id: string; name: string; isShared: boolean; filters: Prisma.JsonObject };

type By = { workspaceId: string; by: Teammate };

/**
 * Adds a view for the teammate, or for all teammates of the workspace.
 * @throws Refusal when the name is invalid, there are too many, or `by` shares it and is neither owner nor admin
 */
export function addSavedView({
  workspaceId,
  by,
  name: typed,
  filters,
  isShared,
}: By & { name: string; filters: Prisma.InputJsonObject; isShared: boolean }): Promise<{ id: string }> {
  const name = parseName(typed);
  return asMember({ workspaceId, by }, async (tx, mayShare) => {
    if (isShared && !mayShare) throw new Refusal('forbidden', ONLY_MANAGERS);
    const ownerId = isShared ? null : by.id;
    const max = isShared ? SHARED_MAX : PRIVATE_MAX;
    if ((await tx.savedView.count({ where: { workspaceId, ownerId } })) >= max) {
      const whose = isShared ? `A workspace can have up to ${max} shared` : `You can have up to ${max}`;
      throw invalid({ name: [`${whose} views. Delete one first.`] });
    }
    return tx.savedView.create({ data: { workspaceId, ownerId, name, filters }, select: { id: true } });
  });
}

/** @throws Refusal when the name is invalid, there is no such view, or `by` may not change it */
export async function renameSavedView({
  workspaceId,
  by,
  id,
  name: typed,
}: By & { id: string; name: string }): Promise<void> {
  const name = parseName(typed);
  await asMember({ workspaceId, by }, async (tx, mayShare) => {
    await requireEditable(tx, { workspaceId, by, id, mayShare });
    await tx.savedView.update({ where: { id }, data: { name } });
  });
}

/** @throws Refusal when there is no such view, or `by` may not delete it */
export async function deleteSavedView({ workspaceId, by, id }: By & { id: string }): Promise<void> {
  await asMember({ workspaceId, by }, async (tx, mayShare) => {
    await requireEditable(tx, { workspaceId, by, id, mayShare });
    await tx.savedView.delete({ where: { id } });
  });
}

/** Sorts names independently of case, and "View 2" before "View 10". */
const COLLATOR = new Intl.Collator('en', { numeric: true });

/** Returns the shared views and those of the teammate, by name. */
export function listSavedViews(
  db: ReadDb,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<SavedView[]> {
  const statement = Prisma.sql`
    select id, name, owner_id is null as "isShared", filters from saved_views
    where workspace_id = ${workspaceId}::uuid and (owner_id is null or owner_id = ${userId}::uuid)
    order by id limit ${SHARED_MAX + PRIVATE_MAX}::int`;
  return runRead(db, statement, (rows: SavedView[]) => rows.sort((a, b) => COLLATOR.compare(a.name, b.name)));
}

/** Runs a change and updates the open pages. `mayShare`: the teammate is an owner or admin now. */
function asMember<T>(who: By, work: (tx: Tx, mayShare: boolean) => Promise<T>): Promise<T> {
  return inLockedWorkspace(who, async (tx, role) => {
    if (!role) throw notFound('The workspace');
    const result = await work(tx, isAdmin(role));
    afterCommit(tx, () => publish(who.workspaceId, 'conversations'));
    return result;
  });
}

/** Another teammate's private view is not found. */
async function requireEditable(
  tx: Tx,
  { workspaceId, by, id, mayShare }: By & { id: string; mayShare: boolean },
): Promise<void> {
  const view = await tx.savedView.findFirst({
    where: { workspaceId, id, OR: [{ ownerId: null }, { ownerId: by.id }] },
    select: { ownerId: true },
  });
  if (!view) throw notFound('The view');
  if (view.ownerId === null && !mayShare) throw new Refusal('forbidden', ONLY_MANAGERS);
}

/** @throws Refusal when the name is invalid */
function parseName(typed: string): string {
  const name = cleanName(typed);
  const problem =
    name === '' ? 'The name must not be empty.' : textProblem(name, { label: 'name', max: NAME_MAX_LENGTH });
  if (problem) throw invalid({ name: [problem] });
  return name;
}

import { type Replacement, startReplacing } from '#server/administration/tags/replace-tag.ts';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { tagKey } from '#server/contract/tag-key.ts';
import { TAG_MAX_LENGTH, tagList } from '#server/contract/tag-list.ts';
import { afterCommit } from '#server/core/database/after-commit.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { invalid, notFound } from '#server/core/errors.ts';
import { publish } from '#server/core/live/publish.ts';
import { findKnownKeys } from '#server/inbox/conversations/known-tags.ts';
import { listKnownTags } from '#server/inbox/conversations/list-tags.ts';
import type { FlowContent } from '#server/inbox/flows/flow.ts';
import { readFlow, replaceTag, storedFlow, tagKeysOf } from '#server/inbox/flows/stored-flow.ts';
import { addAuditEntry } from '#server/teammates/audit-log.ts';
import { asManager } from '#server/teammates/require-role.ts';

/** Maximum number of tags that a workspace creates in advance or colours. */
const MANAGED_TAGS_MAX = 500;
/** Number of colours (`Tag.tint`). */
export const TINTS = 8;

type By = { workspaceId: string; by: Teammate };

/**
 * Creates a tag that no conversation has yet, so that teammates can choose it.
 * @throws Refusal when `by` is neither owner nor admin, the name is invalid or a tag's, or there are 500
 */
export async function createTag({
  workspaceId,
  by,
  name: typed,
}: By & { name: string }): Promise<{ id: string }> {
  const name = parseTagName(typed);
  const key = tagKey(name);
  await asManager({ workspaceId, by }, async (tx) => {
    if ((await findKnownKeys(tx, workspaceId, [key])).has(key)) throw nameTaken(name);
    await refuseMore(tx, workspaceId);
    await tx.tag.create({ data: { workspaceId, key, name } });
    await addAuditEntry(tx, { workspaceId, kind: 'tag_created', by, data: { tagName: name } });
    afterCommit(tx, () => publish(workspaceId, 'conversations'));
  });
  return { id: key };
}

/**
 * Sets the colour of a tag in the inbox, or removes it (null).
 * @throws Refusal when `by` is neither owner nor admin, or there is no such tag
 */
export async function setTagTint(change: By & { key: string; tint: number | null }): Promise<void> {
  const { workspaceId, by, key, tint } = change;
  await asManager({ workspaceId, by }, async (tx) => {
    const name = await findName(tx, { workspaceId, key });
    const { count } = await tx.tag.updateMany({ where: { workspaceId, key }, data: { tint } });
    if (count === 0) {
      await refuseMore(tx, workspaceId);
      await tx.tag.create({ data: { workspaceId, key, name, tint } });
    }
    afterCommit(tx, () => publish(workspaceId, 'access'));
  });
}

/**
 * Renames a tag at all conversations, also in automations and saved views. Earlier timeline entries keep the old name.
 * @throws Refusal when `by` is neither owner nor admin, there is no such tag, the name is invalid or another tag's, or the tag is
 * being changed
 */
export async function renameTag(change: By & { key: string; name: string }): Promise<{ id: string }> {
  const { workspaceId, by, key } = change;
  const name = parseTagName(change.name);
  const into = { key: tagKey(name), name };
  await asManager({ workspaceId, by }, async (tx) => {
    const before = await findName(tx, { workspaceId, key });
    if (before === name) return;
    if (into.key !== key && (await findKnownKeys(tx, workspaceId, [into.key])).has(into.key))
      throw nameTaken(name);
    await refuseWhileReplaced(tx, workspaceId, [key, into.key]);
    await tx.tag.updateMany({ where: { workspaceId, key }, data: into });
    await addAuditEntry(tx, { workspaceId, kind: 'tag_renamed', by, data: { from: before, to: name } });
    await replace(tx, { workspaceId, key, name: before, into }, by);
  });
  return { id: into.key };
}

/**
 * Gives all conversations of a tag another one instead, also in automations and saved views.
 * @throws Refusal when `by` is neither owner nor admin, there is no such tag, both are the same, or one is being changed
 */
export async function mergeTag(change: By & { key: string; into: string }): Promise<void> {
  const { workspaceId, by, key } = change;
  const intoKey = tagKey(change.into.trim());
  if (key === intoKey) throw invalid({ into: ['Choose another tag.'] });
  await asManager({ workspaceId, by }, async (tx) => {
    const name = await findName(tx, { workspaceId, key });
    const intoName = await nameOf(tx, { workspaceId, key: intoKey });
    if (intoName === undefined) throw invalid({ into: ['There is no such tag. Choose one that exists.'] });
    const into = { key: intoKey, name: intoName };
    await refuseWhileReplaced(tx, workspaceId, [key, intoKey]);
    await tx.tag.deleteMany({ where: { workspaceId, key } });
    await addAuditEntry(tx, { workspaceId, kind: 'tag_merged', by, data: { from: name, to: into.name } });
    await replace(tx, { workspaceId, key, name, into }, by);
  });
}

/**
 * Removes a tag from all conversations, with a timeline entry each.
 * @throws Refusal when `by` is neither owner nor admin, there is no such tag, an automation uses it, or it is being changed
 */
export async function deleteTag({ workspaceId, by, key }: By & { key: string }): Promise<void> {
  await asManager({ workspaceId, by }, async (tx) => {
    const name = await findName(tx, { workspaceId, key });
    const [flow] = (await findAutomations(tx, workspaceId)).filter(({ keys }) => keys.includes(key));
    if (flow) {
      throw invalid({
        tag: [`The automation ${flow.name} uses this tag. Remove it there first, or merge the tag.`],
      });
    }
    await refuseWhileReplaced(tx, workspaceId, [key]);
    await tx.tag.deleteMany({ where: { workspaceId, key } });
    await addAuditEntry(tx, { workspaceId, kind: 'tag_deleted', by, data: { tagName: name } });
    await replace(tx, { workspaceId, key, name, into: null }, by);
  });
}

/**
 * Sets whether only owners, admins and programs may add a tag that does not exist yet. Today's tags then stay, even once no
 * conversation has them.
 * @throws Refusal when `by` is neither owner nor admin
 */
export async function limitNewTags({
  workspaceId,
  by,
  isLimited,
}: By & { isLimited: boolean }): Promise<void> {
  await asManager({ workspaceId, by }, async (tx) => {
    const { count } = await tx.workspace.updateMany({
      where: { id: workspaceId, newTagsByAdmins: !isLimited },
      data: { newTagsByAdmins: isLimited },
    });
    if (count === 0) return;
    if (isLimited) await keepTags(tx, workspaceId);
    await addAuditEntry(tx, { workspaceId, kind: isLimited ? 'new_tags_limited' : 'new_tags_opened', by });
  });
}

async function keepTags(tx: Tx, workspaceId: string): Promise<void> {
  const created = await tx.tag.findMany({ where: { workspaceId }, select: { key: true } });
  const keys = new Set(created.map(({ key }) => key));
  // Twice the maximum: as many can be created as in use.
  const known = await listKnownTags(tx, { workspaceId, limit: 2 * MANAGED_TAGS_MAX });
  const used = known.filter(({ key }) => !keys.has(key)).slice(0, MANAGED_TAGS_MAX - keys.size);
  await tx.tag.createMany({ data: used.map(({ key, name }) => ({ workspaceId, key, name })) });
}

/** Returns the automations of a workspace with the keys of the tags that they name. Those that cannot be read do nothing. */
export async function findAutomations(
  tx: Pick<Tx, 'flow'>,
  workspaceId: string,
): Promise<{ id: string; name: string; content: FlowContent; keys: string[] }[]> {
  const flows = await tx.flow.findMany({
    where: { workspaceId },
    select: { id: true, name: true, condition: true, actions: true },
  });
  return flows.flatMap(({ id, name, ...stored }) => {
    const content = readFlow(stored);
    return content ? [{ id, name, content, keys: tagKeysOf(content) }] : [];
  });
}

/** @throws Refusal when the name is not that of one tag */
function parseTagName(typed: string): string {
  const { data, error } = tagList.safeParse([typed]);
  if (error) throw invalid({ name: [`The name of a tag must have 1 to ${TAG_MAX_LENGTH} characters.`] });
  const [name = ''] = data;
  // A list of tags that is typed as one text is split there.
  if (name.includes(',')) throw invalid({ name: ['The name of a tag must not contain a comma.'] });
  return name;
}

function nameTaken(name: string) {
  return invalid({
    name: [`There is already a tag called ${name}. To combine two tags, merge one into the other.`],
  });
}

/** @throws Refusal when there is no such tag */
async function findName(tx: Tx, tag: { workspaceId: string; key: string }): Promise<string> {
  const name = await nameOf(tx, tag);
  if (name === undefined) throw notFound('The tag');
  return name;
}

/** Returns the name of a tag: that of its row, otherwise the spelling at one of its conversations. */
async function nameOf(
  tx: Tx,
  { workspaceId, key }: { workspaceId: string; key: string },
): Promise<string | undefined> {
  const [found] = await tx.$queryRaw<{ name: string }[]>`
    (select name, 1 as place from tags where workspace_id = ${workspaceId}::uuid and key = ${key})
    union all
    (select name, 2 from conversation_tags where workspace_id = ${workspaceId}::uuid and key = ${key} limit 1)
    order by place limit 1`;
  return found?.name;
}

async function refuseMore(tx: Tx, workspaceId: string): Promise<void> {
  if ((await tx.tag.count({ where: { workspaceId } })) < MANAGED_TAGS_MAX) return;
  throw invalid({ name: [`A workspace can have up to ${MANAGED_TAGS_MAX} such tags. Delete one first.`] });
}

/** @throws Refusal while a job still replaces one of the tags, or gives conversations one of them */
async function refuseWhileReplaced(tx: Tx, workspaceId: string, keys: string[]): Promise<void> {
  const running = await tx.tagReplacement.findFirst({
    where: { workspaceId, OR: [{ key: { in: keys } }, { newKey: { in: keys } }] },
    select: { name: true },
  });
  if (running) {
    throw invalid({
      name: [`Conversations with the tag ${running.name} are still being changed. Try again in a minute.`],
    });
  }
}

/** Replaces a tag in automations and saved views now, and at conversations now and in a job. */
async function replace(tx: Tx, replacement: Replacement, by: Teammate): Promise<void> {
  const { workspaceId, key, into } = replacement;
  if (into !== null) {
    for (const { id, content, keys } of await findAutomations(tx, workspaceId)) {
      if (!keys.includes(key)) continue;
      await tx.flow.update({ where: { id }, data: storedFlow(replaceTag(content, key, into)) });
    }
    const views = await tx.$queryRaw<{ id: string; tag: string }[]>`
      select id, filters->>'tag' as tag from saved_views
      where workspace_id = ${workspaceId}::uuid and filters ? 'tag'`;
    const ids = views.flatMap(({ id, tag }) => (tagKey(tag) === key ? [id] : []));
    if (ids.length > 0) {
      await tx.$executeRaw`
        update saved_views set filters = jsonb_set(filters, '{tag}', to_jsonb(${into.name}::text))
        where id = any (${ids}::uuid[])`;
    }
  }
  await startReplacing(tx, replacement, by);
  // Open pages fetch the names and colours of tags again.
  afterCommit(tx, () => publish(workspaceId, 'access'));
}

import { beforeEach, describe, expect } from 'vitest';
import { continueReplacing } from '#server/administration/tags/replace-tag.ts';
import { db } from '#server/core/database/prisma.ts';
import { errorsOf } from '#test/fixtures/errors-of.ts';
import { FLOW_FORM } from '#test/fixtures/flow-form.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';

beforeEach(forgetJobs);

/**
 * - `tags`: the procedures of the admin.
 * - `tagged`: creates conversations with tags, and returns their ids.
 * - `tagsOf`: the tags of a conversation, in their order.
 */
const test = screensTest
  .extend('tags', async ({ screensOf }) => (await screensOf('admin')).tags)
  .extend('tagged', ({ workspaceId }) => async (names: string[], count = 1) => {
    const made = await db().conversation.createManyAndReturn({
      data: Array.from({ length: count }, () => ({ workspaceId, channel: 'email' as const })),
      select: { id: true },
    });
    await db().conversationTag.createMany({
      data: made.flatMap(({ id }) =>
        names.map((name, position) => ({
          conversationId: id,
          workspaceId,
          key: name.toLowerCase(),
          name,
          position,
        })),
      ),
    });
    return made.map(({ id }) => id);
  })
  .extend('tagsOf', ({ service: _ }) => async (conversationId = '') => {
    const tags = await db().conversationTag.findMany({
      where: { conversationId },
      orderBy: [{ createdAt: 'asc' }, { position: 'asc' }],
    });
    return tags.map(({ name }) => name);
  });

describe('a renamed tag', () => {
  test('is renamed at conversations in its place, in automations and in saved views, and keeps its colour', async ({
    workspaceId,
    screensOf,
    tags,
    tagged,
    tagsOf,
  }) => {
    const { flows, savedViews } = await screensOf('admin');
    const [id] = await tagged(['First', 'Refnud', 'Last']);
    await flows.create({
      ...NO_FLOW,
      name: 'Money',
      trigger: 'tagged',
      triggerTags: 'REFNUD',
      words: 'money',
      withTags: 'refnud, other',
      tags: 'VIP, REFNUD',
    });
    await savedViews.add({ name: 'Refunds', isShared: true, filters: { tag: 'refnud', status: 'open' } });
    await savedViews.add({ name: 'Others', isShared: true, filters: { tag: 'other' } });
    await tags.setTint({ key: 'refnud', tint: 3 });

    await tags.rename({ key: 'refnud', name: ' Refund ' });
    expect(await tagsOf(id)).toEqual(['First', 'Refund', 'Last']);
    const {
      flows: [flow],
    } = await flows.get();
    expect(flow?.content).toMatchObject({
      trigger: { tags: ['Refund'] },
      condition: { tags: ['Refund', 'other'] },
      actions: { tags: ['VIP', 'Refund'] },
    });
    const views = await db().savedView.findMany({ where: { workspaceId }, orderBy: { name: 'asc' } });
    expect(views.map(({ filters }) => filters)).toMatchObject([
      { tag: 'other' },
      { tag: 'Refund', status: 'open' },
    ]);
    expect((await tags.list({ search: 'ref' })).tags).toMatchObject([
      { key: 'refund', name: 'Refund', tint: 3, conversations: { count: 1 }, automations: ['Money'] },
    ]);
    expect(await auditedTags(workspaceId)).toEqual([['tag_renamed', { from: 'Refnud', to: 'Refund' }]]);
    expect(await db().timelineEntry.count({ where: { workspaceId } })).toBe(0);
  });

  test('gets another spelling at all conversations', async ({ tags, tagged, tagsOf }) => {
    const [one] = await tagged(['vip']);
    const [other] = await tagged(['VIP']);
    await tags.rename({ key: 'vip', name: 'Vip' });
    expect([await tagsOf(one), await tagsOf(other)]).toEqual([['Vip'], ['Vip']]);
  });

  test('does not get the name of another tag, an empty one, one with a comma, or one of 41 characters', async ({
    tags,
    tagged,
  }) => {
    await tagged(['vip', 'refund']);
    expect(await errorsOf(tags.rename({ key: 'vip', name: 'REFUND' }))).toEqual({
      name: [expect.stringContaining('merge one into the other')],
    });
    for (const name of ['', 'a, b', 'a'.repeat(41)])
      expect(await errorsOf(tags.rename({ key: 'vip', name }))).toEqual({ name: [expect.any(String)] });
    expect(await errorsOf(tags.rename({ key: 'unknown', name: 'New' }))).toMatch(/not found|does not exist/i);
  });

  test('starts no workflow of the platform', async ({ workspaceId, connection: _, tags, tagged }) => {
    await tagged(['vip']);
    await tags.rename({ key: 'vip', name: 'Important' });
    expect(await db().event.count({ where: { workspaceId } })).toBe(0);
  });
});

test('a merged tag is replaced once, also where both were', async ({ tags, tagged, tagsOf, workspaceId }) => {
  const [both] = await tagged(['bug', 'Defect']);
  const [one] = await tagged(['bug']);
  await tags.merge({ key: 'bug', into: 'defect' });
  expect([await tagsOf(both), await tagsOf(one)]).toEqual([['Defect'], ['Defect']]);
  expect(await auditedTags(workspaceId)).toEqual([['tag_merged', { from: 'bug', to: 'Defect' }]]);
  expect(await errorsOf(tags.merge({ key: 'defect', into: 'Defect' }))).toEqual({
    into: [expect.any(String)],
  });
  expect(await errorsOf(tags.merge({ key: 'defect', into: 'gone' }))).toEqual({ into: [expect.any(String)] });
});

describe('a deleted tag', () => {
  test('is removed from conversations with a timeline entry each', async ({
    workspaceId,
    tags,
    tagged,
    tagsOf,
  }) => {
    const [id] = await tagged(['vip', 'old']);
    await tags.delete({ key: 'old' });
    expect(await tagsOf(id)).toEqual(['vip']);
    expect(await db().timelineEntry.findMany({ where: { workspaceId } })).toMatchObject([
      { conversationId: id, kind: 'untagged', data: { tags: ['old'] } },
    ]);
    expect((await tags.list({})).tags.map(({ name }) => name)).toEqual(['vip']);
  });

  test('stays while an automation adds it, and the refusal names the automation', async ({
    screensOf,
    tags,
    tagged,
  }) => {
    await tagged(['old']);
    await (await screensOf('admin')).flows.create({ ...NO_FLOW, name: 'Sort', words: 'x', tags: 'OLD' });
    expect(await errorsOf(tags.delete({ key: 'old' }))).toEqual({ tag: [expect.stringContaining('Sort')] });
  });
});

test('thousands of conversations are changed by a job that can be interrupted and run twice, and meanwhile the tag cannot be changed', async ({
  workspaceId,
  tags,
  tagged,
}) => {
  await tagged(['old'], 2_300);
  await tags.rename({ key: 'old', name: 'new' });
  const count = (key: string) => db().conversationTag.count({ where: { workspaceId, key } });
  expect(await count('new')).toBe(1_000);
  expect((await tags.list({})).tags).toMatchObject([{ isChanging: true }, { isChanging: true }]);
  for (const change of [
    () => tags.rename({ key: 'new', name: 'newer' }),
    () => tags.delete({ key: 'old' }),
    () => tags.merge({ key: 'new', into: 'old' }),
  ])
    expect(await errorsOf(change())).toEqual({ name: [expect.stringContaining('still being changed')] });
  const jobs = async () =>
    (await queuedJobs()).flatMap(({ task, payload }) =>
      task === 'replace-tag' ? [payload.replacementId] : [],
    );
  const [replacementId = ''] = await jobs();
  await continueReplacing({ replacementId }, 0);
  expect(await count('new')).toBe(2_000);
  expect(await jobs()).toHaveLength(2);
  await Promise.all([continueReplacing({ replacementId }), continueReplacing({ replacementId })]);
  await continueReplacing({ replacementId });
  expect([await count('old'), await count('new')]).toEqual([0, 2_300]);
  expect((await tags.list({})).tags).toMatchObject([{ name: 'new', isChanging: false }]);
});

describe('new tags', () => {
  test('are created in advance, and offered though no conversation has them', async ({ screensOf, tags }) => {
    await tags.create({ name: 'Refund' });
    const agent = await screensOf('agent');
    expect(await agent.conversations.tags()).toEqual(['Refund']);
    expect(await errorsOf(tags.create({ name: 'REFUND' }))).toEqual({ name: [expect.any(String)] });
  });

  test('are refused for agents once only owners and admins create them, in the inbox and in bulk', async ({
    api,
    screensOf,
    conversation: id,
    tags,
    tagged,
  }) => {
    await tagged(['vip']);
    await tags.create({ name: 'Refund' });
    await tags.limitNew({ isLimited: true });
    const agent = await screensOf('agent');
    const refused = { tags: [expect.stringContaining('Typo')] };
    expect(await errorsOf(agent.conversations.addTags({ id, tags: ['vip', 'Typo'] }))).toEqual(refused);
    const change = { kind: 'tags' as const, tags: ['Typo'] };
    expect(await errorsOf(agent.bulk.change({ ids: [id], change }))).toEqual(refused);
    await agent.conversations.addTags({ id, tags: ['VIP', 'refund'] });
    await (await screensOf('owner')).conversations.addTags({ id, tags: ['By an owner'] });
    expect(await api('POST', `/conversations/${id}/tags`, { tags: ['By a workflow'] })).toMatchObject({
      status: 200,
    });
    await tags.limitNew({ isLimited: false });
    await agent.conversations.addTags({ id, tags: ['Typo'] });
  });

  test('are the ones of today once they are limited, beside those that were created in advance', async ({
    screensOf,
    workspaceId,
    tags,
    tagged,
  }) => {
    const created = Array.from({ length: 300 }, (_, index) => `a ${String(index).padStart(3, '0')}`);
    await db().tag.createMany({ data: created.map((name) => ({ workspaceId, key: name, name })) });
    const used = Array.from({ length: 250 }, (_, index) => `b ${String(index).padStart(3, '0')}`);
    const [id = ''] = await tagged(used);
    await tags.limitNew({ isLimited: true });
    const { conversations } = await screensOf('agent');
    expect(await db().tag.count({ where: { workspaceId } })).toBe(500);
    for (const name of ['b 000', 'b 199']) {
      await conversations.removeTags({ id, tags: [name] });
      await conversations.addTags({ id, tags: [name] });
    }
  });

  test('are the ones of today once they are limited, so that a removed tag can be added again', async ({
    screensOf,
    tags,
    tagged,
  }) => {
    const [id = ''] = await tagged(['only here']);
    await tags.limitNew({ isLimited: true });
    const { conversations } = await screensOf('agent');
    await conversations.removeTags({ id, tags: ['only here'] });
    await conversations.addTags({ id, tags: ['only here'] });
  });
});

test('colours are shown to all teammates by the key of the tag', async ({ screensOf, tags, tagged }) => {
  await tagged(['VIP', 'other']);
  await tags.setTint({ key: 'vip', tint: 5 });
  await tags.setTint({ key: 'other', tint: 1 });
  await tags.setTint({ key: 'other', tint: null });
  const viewer = await screensOf('viewer');
  expect(await viewer.conversations.tagTints()).toEqual({ vip: 5 });
});

test('tags are listed in pages of 50 without gaps, from both sources, and found by their start', async ({
  tags,
  tagged,
}) => {
  const names = Array.from({ length: 120 }, (_, index) => `tag ${String(index).padStart(3, '0')}`);
  await tagged(names.filter((_, index) => index % 2 === 0).concat('Ärger', '猫'));
  for (const name of names.filter((_, index) => index % 2 === 1)) await tags.create({ name });
  const listed: string[] = [];
  let after: string | undefined;
  do {
    const page: Awaited<ReturnType<typeof tags.list>> = await tags.list(after === undefined ? {} : { after });
    expect(page.tags.length).toBeLessThanOrEqual(50);
    listed.push(...page.tags.map(({ name }) => name));
    after = page.next ?? undefined;
  } while (after !== undefined);
  expect(listed).toEqual([...names, 'Ärger', '猫']);
  expect((await tags.list({ search: 'ÄR' })).tags).toMatchObject([{ name: 'Ärger' }]);
});

test('agents and viewers can change no tag', async ({ screensOf, tagged }) => {
  await tagged(['vip']);
  for (const role of ['agent', 'viewer'] as const) {
    const { tags } = await screensOf(role);
    for (const change of [
      () => tags.list({}),
      () => tags.create({ name: 'x' }),
      () => tags.rename({ key: 'vip', name: 'x' }),
      () => tags.merge({ key: 'vip', into: 'x' }),
      () => tags.delete({ key: 'vip' }),
      () => tags.setTint({ key: 'vip', tint: 1 }),
      () => tags.limitNew({ isLimited: true }),
    ])
      expect(await errorsOf(change())).toMatch(/owners and admins/i);
  }
});

/** The fields of a flow that sets nothing. */
const NO_FLOW = { ...FLOW_FORM, channels: [], emailDomain: '', status: '' };

async function auditedTags(workspaceId: string) {
  const entries = await db().auditEntry.findMany({ where: { workspaceId }, orderBy: { id: 'asc' } });
  return entries.filter(({ kind }) => kind.startsWith('tag_')).map(({ kind, data }) => [kind, data]);
}

import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { FLOW_FORM } from '#test/fixtures/flow-form.ts';
import { test } from '#test/fixtures/screens-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

describe('flow settings', () => {
  test('create, describe, change, switch and delete a flow', async ({ teammates, screensOf }) => {
    const { workspaceId, agent } = teammates;
    const team = await db().team.create({ data: { workspaceId, name: 'Billing' } });
    const { flows } = await screensOf('admin');
    const { id } = await flows.create({ ...FLOW_FORM, assigneeId: agent.id, teamId: team.id });
    expect(await (await screensOf('viewer')).flows.get()).toMatchObject({
      mayManage: false,
      flows: [
        {
          id,
          name: 'Refunds',
          enabled: true,
          problem: null,
          content: {
            condition: { channels: ['email'], words: ['refund', 'money back'], emailDomain: 'example.com' },
            actions: {
              tags: ['Refund', 'VIP'],
              assigneeId: agent.id,
              teamId: team.id,
              status: 'pending',
            },
          },
          sentence:
            'When someone from example.com starts a conversation by email and mentions “refund” or “money back”: ' +
            'add the tags “Refund” and “VIP”, assign it to the team Billing, assign it to Aggie Agent and set its status to pending.',
        },
      ],
    });
    await flows.switch({ id, enabled: false });
    await flows.update({
      ...FLOW_FORM,
      id,
      name: 'All',
      channels: [],
      words: '',
      emailDomain: '',
      status: '',
    });
    expect((await flows.get()).flows).toMatchObject([
      {
        enabled: false,
        sentence: 'When someone starts a conversation: add the tags “Refund” and “VIP”.',
      },
    ]);
    await flows.delete({ id });
    await flows.delete({ id });
    expect((await flows.get()).flows).toEqual([]);
    await expect(flows.update({ ...FLOW_FORM, id })).rejects.toMatchObject(NOT_FOUND);
    await expect(flows.switch({ id, enabled: true })).rejects.toMatchObject(NOT_FOUND);
  });

  test.for([
    ['name', { name: ' ' }],
    ['words', { words: Array.from({ length: 21 }, (_, i) => `w${i}`).join(',') }],
    ['words', { words: 'x'.repeat(81) }],
    ['emailDomain', { emailDomain: 'example' }],
    ['emailDomain', { emailDomain: 'a b.com' }],
    ['tags', { tags: Array.from({ length: 21 }, (_, i) => `t${i}`).join(',') }],
    ['tags', { tags: 'x'.repeat(41) }],
    ['tags', { tags: ' , ', status: '' }],
    ['assigneeId', { assigneeId: 'no-uuid' }],
    ['teamId', { teamId: 'no-uuid' }],
  ] as const)('refuse %s with %j', async ([field, wrong], { screensOf }) => {
    const { flows } = await screensOf('owner');
    await expect(flows.create({ ...FLOW_FORM, ...wrong })).rejects.toMatchObject(
      refusal({ [field]: [expect.stringMatching(/\.$/)] }),
    );
    expect((await flows.get()).flows).toEqual([]);
  });

  test('refuse assignees and teams of other workspaces, and viewers', async ({ teammates, screensOf }) => {
    const strangers = await makeTeammates();
    const team = await db().team.create({ data: { workspaceId: strangers.workspaceId, name: 'Theirs' } });
    const { flows } = await screensOf('owner');
    for (const assigneeId of [teammates.viewer.id, strangers.agent.id]) {
      await expect(flows.create({ ...FLOW_FORM, assigneeId, teamId: team.id })).rejects.toMatchObject(
        refusal({ assigneeId: [expect.any(String)], teamId: [expect.any(String)] }),
      );
    }
  });

  test('report a missing assignee and an unreadable flow', async () => {
    const { workspaceId, agent } = await makeTeammates();
    const own = { workspaceId, name: 'Flow', condition: { channels: [], words: [], emailDomain: null } };
    const actions = { tags: [], assigneeId: agent.id, teamId: null, status: null };
    await db().flow.create({ data: { ...own, actions } });
    await db().flow.create({ data: { ...own, actions: { tags: 'broken' } } });
    await db().member.updateMany({ where: { workspaceId, userId: agent.id }, data: { role: 'viewer' } });
    const { flows } = await (await signInTeammate(agent))();
    expect((await flows.get()).flows).toMatchObject([
      {
        sentence: 'When someone starts a conversation: assign it to a former teammate.',
        problem: expect.stringContaining('It assigns no teammate'),
      },
      { content: null, problem: expect.stringContaining('can no longer be read') },
    ]);
  });

  test('allow 50 flows and no access to those of other workspaces', async ({ screensOf }) => {
    const full = await makeTeammates();
    const { workspaceId } = full;
    const content = { condition: {}, actions: {} };
    await db().flow.createMany({
      data: Array.from({ length: 48 }, (_, i) => ({ workspaceId, name: `F${i}`, ...content })),
    });
    const { flows } = await screensOf('owner', full);
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => flows.create(FLOW_FORM)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const foreign = await db().flow.findFirstOrThrow({ where: { workspaceId } });
    const own = (await screensOf('owner')).flows;
    await expect(own.update({ ...FLOW_FORM, id: foreign.id })).rejects.toMatchObject(NOT_FOUND);
    await expect(own.switch({ id: foreign.id, enabled: false })).rejects.toMatchObject(NOT_FOUND);
    await own.delete({ id: foreign.id });
    expect(await db().flow.count({ where: { workspaceId } })).toBe(50);
  });
});

const NOT_FOUND = { cause: { refusal: 'not_found' } };
const refusal = (errors: object) => ({ cause: { errors } });

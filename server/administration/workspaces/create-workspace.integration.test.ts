import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createWorkspace } from '#server/administration/workspaces/create-workspace.ts';
import { db } from '#server/core/database/prisma.ts';
import { CLIENT_ADDRESS_HEADER } from '#server/core/limits/address-key.ts';
import { digest } from '#server/core/secrets.ts';
import { screensFor } from '#server/screens/router.ts';
import { newAddress, PASSWORD, trySignIn } from '#test/clients/sign-in.ts';
import { statementsOf } from '#test/database/statements.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection, makeUser } from '#test/fixtures/factories.ts';
import { test } from '#test/fixtures/service-test.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';

describe('a first workspace', () => {
  test('is created with an invitation for its owner, whose link creates the account', async ({ service }) => {
    const input = wanted({ ownerName: 'Ada Lovelace' });
    const { kind, token, workspaceId } = await create(input);
    expect(kind).toBe('invited');
    expect(await (await visitor()).get({ token })).toMatchObject({
      kind: 'open',
      workspaceName: input.name,
      role: 'owner',
      email: input.ownerEmail,
      name: 'Ada Lovelace',
      invitedBy: null,
      next: 'join',
    });
    await (await visitor()).join({ token, name: 'Ada Lovelace', password: PASSWORD });
    expect((await trySignIn(service.url, { email: input.ownerEmail, password: PASSWORD })).status).toBe(200);
    expect(await db().member.findMany({ where: { workspaceId } })).toMatchObject([{ role: 'owner' }]);
    expect(await db().mailbox.count({ where: { workspaceId } })).toBe(0);
    expect(await db().workspace.findUniqueOrThrow({ where: { id: workspaceId } })).toMatchObject({
      plan: 'growth',
    });
  });

  test('is joined immediately by an owner who has an account', async () => {
    const user = await makeUser();
    const made = await createWorkspace(wanted({ ownerEmail: user.email.toUpperCase() }));
    expect(made.kind).toBe('joined');
    expect(await db().member.findMany({ where: { workspaceId: made.workspaceId } })).toMatchObject([
      { userId: user.id, role: 'owner' },
    ]);
    expect(await db().invitation.count({ where: { workspaceId: made.workspaceId } })).toBe(0);
  });

  test('is not created twice before its owner has joined: the owner gets a new link and the old one stops working', async () => {
    const input = wanted();
    const first = await create(input);
    const second = await create(input);
    expect(second).toMatchObject({ kind: 'renewed', workspaceId: first.workspaceId });
    expect(await (await visitor()).get({ token: first.token })).toMatchObject({ kind: 'refused' });
    expect(await (await visitor()).get({ token: second.token })).toMatchObject({ kind: 'open' });
    const other = { ...input, plan: 'scale' as const };
    await expect(createWorkspace(other)).rejects.toMatchObject({
      errors: { plan: [expect.stringContaining('on the plan growth')] },
    });
  });

  test('is created once by three simultaneous requests', async () => {
    const input = wanted();
    const made = await Promise.all([create(input), create(input), create(input)]);
    expect(new Set(made.map(({ workspaceId }) => workspaceId)).size).toBe(1);
    expect(await db().workspace.count({ where: { name: input.name } })).toBe(1);
  });

  test('is a different one for another owner, or after its owner has joined', async () => {
    const input = wanted();
    const first = await create(input);
    const second = await create({ ...input, ownerEmail: newEmail() });
    await (await visitor()).join({ token: first.token, name: 'Ada', password: PASSWORD });
    const third = await createWorkspace(input);
    expect(third.kind).toBe('joined');
    expect(new Set([first, second, third].map(({ workspaceId }) => workspaceId)).size).toBe(3);
  });

  test("stores only a digest of the link's token", async () => {
    const { token, workspaceId } = await create(wanted());
    const { tokenHash } = await db().invitation.findFirstOrThrow({ where: { workspaceId } });
    expect(Buffer.from(tokenHash ?? [])).toEqual(Buffer.from(digest(token)));
  });

  test.each([
    [{ name: ' ' }, 'name'],
    [{ ownerEmail: 'ada' }, 'email'],
    [{ ownerName: 'x'.repeat(81) }, 'ownerName'],
  ])('is refused with %j', async (more, field) => {
    await expect(createWorkspace(wanted(more))).rejects.toMatchObject({
      errors: { [field]: [expect.any(String)] },
    });
  });
});

describe('the checklist of a new workspace', () => {
  test('has a step for each thing to set up, and ends for everyone once all are done', async ({
    service: _,
  }) => {
    const owner = await makeUser();
    const { workspaceId } = await createWorkspace(wanted({ ownerEmail: owner.email }));
    const by = { workspaceId, teammate: owner };
    const screens = await signInTeammate(owner);
    const left = async () =>
      (await (await screens()).workspaces.setup())?.flatMap(({ step, done }) => (done ? [] : step)) ?? null;
    expect(await left()).toEqual(['email', 'teammates', 'chat', 'reply', 'platform']);

    const address = `help@${randomUUID()}.test`;
    await db().mailbox.create({
      data: { workspaceId, address, name: 'Help', isDefault: true, lastReceivedAt: new Date() },
    });
    expect(await left()).toEqual(['teammates', 'chat', 'reply', 'platform']);
    const { invitations } = await screens();
    await invitations.invite({ email: `${randomUUID()}@acme.test`, role: 'agent' });
    expect(await left()).toEqual(['chat', 'reply', 'platform']);
    const id = await makeConversation(by, { channel: 'webchat' });
    expect(await left()).toEqual(['reply', 'platform']);
    const reply = (authorKind: 'teammate' | 'ai_agent') =>
      db().message.create({
        data: { workspaceId, conversationId: id, direction: 'outbound', authorKind, content: 'Hi' },
      });
    await reply('ai_agent');
    expect(await left()).toEqual(['reply', 'platform']);
    await reply('teammate');
    expect(await left()).toEqual(['platform']);
    expect(await statementsOf(left)).toHaveLength(2);

    await makeConnection(by);
    expect(await left()).toBeNull();
    await db().mailbox.deleteMany({ where: { workspaceId } });
    expect(await left()).toBeNull();
    // The session alone.
    expect(await statementsOf(left)).toHaveLength(1);
  });

  test('shows agents only the reply, and viewers nothing', async ({ service: _ }) => {
    const { agent, viewer } = await makeTeammates();
    const setupOf = async (teammate: typeof agent) =>
      (await (await signInTeammate(teammate))()).workspaces.setup();
    expect(await setupOf(agent)).toEqual([{ step: 'reply', done: false }]);
    expect(await setupOf(viewer)).toBeNull();
  });

  test('is dismissed by an owner or admin for everyone, and not by an agent', async ({ service: _ }) => {
    const { owner, admin, agent } = await makeTeammates();
    const as = async (teammate: typeof agent) => (await (await signInTeammate(teammate))()).workspaces;
    await expect((await as(agent)).dismissSetup()).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    expect(await (await as(owner)).setup()).not.toBeNull();
    await (await as(admin)).dismissSetup();
    for (const teammate of [owner, admin, agent]) expect(await (await as(teammate)).setup()).toBeNull();
  });
});

const newEmail = () => `first.${randomUUID()}@example.test`;

const wanted = (more: Partial<Parameters<typeof createWorkspace>[0]> = {}) => ({
  name: `Acme ${randomUUID()}`,
  plan: 'growth' as const,
  ownerEmail: newEmail(),
  ...more,
});

/** Creates a workspace whose owner has no account yet. */
async function create(input: Parameters<typeof createWorkspace>[0]) {
  const made = await createWorkspace(input);
  if (made.kind === 'joined') throw new Error('The owner already has an account.');
  return made;
}

const visitor = async () =>
  (await screensFor(new Headers({ [CLIENT_ADDRESS_HEADER]: newAddress() }))).invitations;

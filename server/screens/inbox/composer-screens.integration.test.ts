import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { statementsOf } from '#test/database/statements.ts';
import { type ConversationColumns, makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { test } from '#test/fixtures/screens-test.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

describe('the composer', () => {
  test('has the author, the contact, the channel, mentionable teammates and commands', async ({
    teammates,
    connection,
  }) => {
    const listens = { event: 'operator.command', command: 'refund', filterKey: 'refund' };
    await makeHook(connection, listens);
    const id = await makeOne(teammates);
    expect(await state(teammates, id)).toEqual({
      workspaceId: teammates.workspaceId,
      conversationId: id,
      you: { id: teammates.agent.id, name: 'Aggie Agent' },
      isAdmin: false,
      readOnly: null,
      mergedInto: null,
      isClosed: false,
      canSolve: true,
      channel: 'email',
      contactName: 'Ada Lovelace',
      mailboxes: expect.any(Array),
      mailboxId: expect.anything(),
      canFormat: true,
      replyMaxLength: 8_000,
      replyWarning: null,
      resend: { reply: 'all', forward: 'all' },
      noteMaxLength: 10_000,
      notesProblem: null,
      commands: { commands: [{ name: 'refund', workflows: 1, teammates: ['Olivia Owen'] }], any: null },
      commandDetailsMaxLength: 2_000,
      mentionable: [teammates.admin, teammates.owner, teammates.viewer].map((each) => ({
        ...each,
        sees: true,
        away: null,
      })),
      filesMax: 5,
      otherAuthor: null,
      replyCc: [],
      replyTo: { asked: [], isUsed: false },
      canSendTemplates: false,
      pending: [],
      draft: null,
      suggested: [],
    });
  });

  test('marks the teammates who cannot see the conversation, or the one that it was merged into', async ({
    teammates,
  }) => {
    const id = await makeOne(teammates);
    const intoId = await makeOne(teammates);
    const seenBy = async () =>
      (await state(teammates, id))?.mentionable.filter(({ sees }) => sees).map(({ name }) => name);
    await db().member.updateMany({ where: { userId: teammates.viewer.id }, data: { onlyAssigned: true } });
    expect(await seenBy()).toEqual(['Adam Admin', 'Olivia Owen']);
    await mergeAs({ workspaceId: teammates.workspaceId, teammate: teammates.owner }, id, intoId);
    const { id: teamId } = await db().team.create({
      data: { workspaceId: teammates.workspaceId, name: 'Viewers' },
    });
    const of = { workspaceId: teammates.workspaceId, teamId };
    await db().teamMember.create({ data: { ...of, userId: teammates.viewer.id } });
    await db().conversation.update({ where: { id: intoId }, data: { teamId } });
    expect(await seenBy()).toEqual(['Adam Admin', 'Olivia Owen', 'Vic Viewer']);
  });

  test('takes at most six statements, however long the conversation is', async ({ teammates, screensOf }) => {
    const id = await makeOne(teammates);
    const screens = await screensOf('agent');
    const load = () => screens.conversations.get({ id });
    const few = (await statementsOf(load)).length;
    expect(few).toBeLessThanOrEqual(6);
    for (let count = 0; count < 30; count += 1) {
      await db().note.create({
        data: {
          workspaceId: teammates.workspaceId,
          conversationId: id,
          authorKind: 'automatic',
          content: 'x',
        },
      });
    }
    expect((await statementsOf(load)).length).toBeLessThanOrEqual(few);
  });

  test('warns that a reply would not reach the contact, and links owners and admins to the settings', async ({
    teammates,
  }) => {
    const whatsapp = await state(teammates, await makeOne(teammates, { channel: 'whatsapp' }));
    expect(whatsapp?.replyWarning).toEqual({
      sentence:
        'WhatsApp is not connected to this workspace: replies are saved here, but the contact does not receive them.',
      href: null,
    });
    expect(
      (await state(teammates, await makeOne(teammates, { channel: 'webchat' })))?.replyWarning,
    ).toBeNull();
    expect(
      (await state(teammates, await makeOne(teammates, { contactId: null })))?.replyWarning?.sentence,
    ).toContain('no email address');

    const newcomers = await makeTeammates({ verified: false });
    const unverified = await makeOne(newcomers);
    const sentence =
      'Sending email needs a mailbox on a verified email domain: replies are saved here, but not sent.';
    expect((await state(newcomers, unverified))?.replyWarning).toEqual({ sentence, href: null });
    expect((await state(newcomers, unverified, 'admin'))?.replyWarning).toEqual({
      sentence,
      href: '/settings/channels/email',
    });
  });

  test('on Starter says that email is not sent and which plan has notes', async ({ screensOf }) => {
    const starter = await makeTeammates({ plan: 'starter' });
    const id = await makeOne(starter);
    const view = await state(starter, id, 'owner');
    expect(view?.replyWarning).toEqual({
      sentence: 'Sending email needs the Growth plan or higher: replies are saved here, but not sent.',
      href: '/settings/plan',
    });
    const sentence = 'Internal notes need the Growth plan or higher.';
    expect(view?.notesProblem).toEqual({ sentence, href: '/settings/plan' });
    expect((await state(starter, id, 'admin'))?.notesProblem).toEqual({ sentence, href: null });
    await expect(
      (await screensOf('owner', starter)).notes.add({ conversationId: id, content: 'Hi' }),
    ).rejects.toMatchObject({
      cause: { refusal: 'plan', message: sentence },
    });
  });

  test('says that the conversation is closed, or where it was merged into', async ({ teammates }) => {
    expect(await state(teammates, await makeOne(teammates, { status: 'closed' }))).toMatchObject({
      isClosed: true,
    });
    const [id, intoId] = [await makeOne(teammates), await makeOne(teammates, { subject: 'Two orders' })];
    const { workspaceId, owner } = teammates;
    await mergeAs({ workspaceId, teammate: owner }, id, intoId);
    expect(await state(teammates, id)).toMatchObject({ mergedInto: { id: intoId, title: 'Two orders' } });
  });

  test('is null for an unknown conversation or another workspace’s', async ({ teammates }) => {
    const id = await makeOne(teammates);
    const others = await makeTeammates();
    for (const other of [id, randomUUID(), '42']) expect(await state(others, other)).toBeNull();
  });
});

describe('writing in the composer', () => {
  test('schedules a reply that can be undone, and adds a note that notifies mentioned teammates', async ({
    teammates,
    screensOf,
  }) => {
    const conversationId = await makeOne(teammates);
    const screens = await screensOf('agent');
    const id = randomUUID();
    expect(await screens.composer.reply({ conversationId, id, content: 'Hello' })).toEqual({
      msLeft: 5_000,
      unseen: [],
    });
    expect((await state(teammates, conversationId))?.pending).toMatchObject([
      { id, content: 'Hello', isYours: true },
    ]);
    expect(await screens.composer.cancelReply({ id })).toMatchObject({ content: 'Hello' });
    await screens.notes.add({ conversationId, content: '@Adam Admin please look' });
    const { id: userId } = teammates.admin;
    expect(await db().notification.findMany({ where: { conversationId, userId } })).toMatchObject([
      { kind: 'mentioned' },
    ]);
    await expect(screens.notes.add({ conversationId, content: ' ' })).rejects.toMatchObject({
      cause: { errors: { content: ['The note is empty.'] } },
    });
    await expect(screens.notes.add({ conversationId, content: 'x'.repeat(10_001) })).rejects.toMatchObject({
      cause: { errors: { content: ['The note must be at most 10,000 characters.'] } },
    });
  });

  test('runs a command when a workflow listens, and refuses it at its field otherwise', async ({
    teammates,
    screensOf,
  }) => {
    const conversationId = await makeOne(teammates);
    const screens = await screensOf('agent');
    const run = { conversationId, command: '/Refund', arguments: 'twice' };
    await expect(screens.commands.run(run)).rejects.toMatchObject({
      cause: { errors: { command: [expect.stringContaining('No workflow listens for /refund')] } },
    });
    await makeHook(await makeConnection({ workspaceId: teammates.workspaceId, teammate: teammates.owner }), {
      event: 'operator.command',
    });
    const { runId } = await screens.commands.run(run);
    expect(await db().commandRun.findUnique({ where: { id: runId } })).toMatchObject({
      command: 'refund',
      arguments: 'twice',
      operatorId: teammates.agent.id,
    });
  });

  test('is refused on the server for an attacker who is a viewer', async ({ teammates, screensOf }) => {
    const conversationId = await makeOne(teammates);
    const id = randomUUID();
    await (await screensOf('agent')).composer.reply({ conversationId, id, content: 'Hello' });
    const viewer = await screensOf('viewer');
    const tries = [
      () => viewer.composer.reply({ conversationId, id: randomUUID(), content: 'Hello' }),
      () => viewer.composer.cancelReply({ id }),
      () => viewer.notes.add({ conversationId, content: 'Hello' }),
      () => viewer.commands.run({ conversationId, command: 'refund', arguments: '' }),
    ];
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject(FORBIDDEN);
    const view = await state(teammates, conversationId, 'viewer');
    expect(view?.readOnly).toContain('Viewers of this workspace can read conversations');
    expect(view?.pending).toMatchObject([{ id, isYours: false }]);
    expect(await db().note.count({ where: { conversationId } })).toBe(0);
  });

  test('never reaches another workspace', async ({ teammates, screensOf }) => {
    const conversationId = await makeOne(teammates);
    const id = randomUUID();
    await (await screensOf('agent')).composer.reply({ conversationId, id, content: 'Hello' });
    const others = await makeTeammates();
    const stranger = await screensOf('owner', others);
    const tries = [
      () => stranger.composer.reply({ conversationId, id: randomUUID(), content: 'Hello' }),
      () => stranger.composer.cancelReply({ id }),
      () => stranger.notes.add({ conversationId, content: 'Hello' }),
      () => stranger.commands.run({ conversationId, command: 'refund', arguments: '' }),
    ];
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject(NOT_FOUND);
    expect(await db().pendingReply.count({ where: { conversationId } })).toBe(1);
  });
});

const makeOne = ({ workspaceId, owner }: Teammates, columns: ConversationColumns = {}) =>
  makeConversation({ workspaceId, teammate: owner }, columns);

/** Returns the composer of a conversation as the teammate with a role sees it. */
async function state(teammates: Teammates, conversationId: string, role: Role = 'agent') {
  const { conversations } = await (await signInTeammate(teammates[role]))();
  return (await conversations.get({ id: conversationId }))?.composer ?? null;
}

const NOT_FOUND = { cause: { refusal: 'not_found' } };
const FORBIDDEN = { cause: { refusal: 'forbidden' } };

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { loadOutgoing } from '#server/inbox/messages/load-outgoing.ts';
import { recordOutcome } from '#server/inbox/messages/record-outcome.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { makeHook } from '#test/fixtures/deliveries.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/screens-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { makeTeammates, signInTeammate } from '#test/fixtures/teammates.ts';
import { useUpLimit } from '#test/fixtures/use-up-limit.ts';

const TO = 'supplier@example.com';

describe('a forwarded message', () => {
  test('is sent by a job with its files, outside the contact’s thread', async ({
    screensOf,
    conversation,
  }) => {
    const original = await makeMessage(conversation, { withFile: true });
    const { composer } = await screensOf('agent');
    await composer.forward({ ...whichOf(original), to: ' Supplier@Example.com ', note: 'Can you help?' });
    const forward = await forwardOf(original);
    expect(forward).toMatchObject({ content: 'Can you help?', mailTo: [TO], sendStatus: 'queued' });
    expect(JSON.stringify(await queuedJobs())).toContain(forward.id);

    await db().message.update({ where: { id: forward.id }, data: { sendStatus: 'sending' } });
    const outgoing = await loadOutgoing(forward.id);
    expect(outgoing.forward).toMatchObject({ to: TO, original: { text: 'It is broken.' } });
    expect(outgoing.attachments.map(({ name }) => name)).toEqual(['photo.txt']);
  });

  test('of a merged conversation is sent from the other one, and names its own contact as the author', async ({
    screensOf,
    conversation,
    connection,
  }) => {
    const original = await makeMessage(conversation);
    const { id: contactId } = await makeContact(connection.workspaceId, {
      firstName: 'Nora',
      lastName: null,
    });
    const into = await makeConversation(connection, { contactId });
    const { composer } = await screensOf('agent');
    const input = { conversationId: into, messageId: original.id, to: TO, note: '' };
    await expect(composer.forward(input)).rejects.toThrow('The message was not found');
    await mergeAs(connection, conversation, into);
    await composer.forward(input);
    const forward = await forwardOf(original);
    expect(forward).toMatchObject({ conversationId: into });
    await db().message.update({ where: { id: forward.id }, data: { sendStatus: 'sending' } });
    expect((await loadOutgoing(forward.id)).forward).toMatchObject({ original: { author: 'Ada Lovelace' } });
  });

  test('changes nothing that workflows, lists or SLA clocks show', async ({
    screensOf,
    connection,
    conversation,
  }) => {
    const original = await makeMessage(conversation);
    await makeHook(connection, { event: 'conversation.assigned', filterKey: null });
    const read = () =>
      db().conversation.findUniqueOrThrow({
        where: { id: original.conversationId },
        select: { status: true, assigneeId: true, lastMessageAt: true, aiAgentSilenced: true },
      });
    const before = await read();
    const eventsBefore = await db().event.count({ where: { workspaceId: original.workspaceId } });
    const clock = await db().slaClock.create({
      data: {
        workspaceId: original.workspaceId,
        conversationId: original.conversationId,
        kind: 'first_response',
        startedAt: new Date(),
        dueAt: new Date(Date.now() + 60_000),
      },
    });
    const { composer, inbox } = await screensOf('agent');
    await composer.forward({ ...whichOf(original), to: TO, note: 'A note for the supplier' });
    const { id } = await forwardOf(original);
    await db().message.update({ where: { id }, data: { sendStatus: 'sending' } });
    await recordOutcome(id, { status: 'sent', externalId: `<${id}@acme.test>` });
    expect(await read()).toEqual(before);
    expect(await db().event.count({ where: { workspaceId: original.workspaceId } })).toBe(eventsBefore);
    expect((await db().slaClock.findUniqueOrThrow({ where: { id: clock.id } })).stoppedAt).toBeNull();
    const { rows } = await inbox.list({});
    expect(rows.find((row) => row.id === original.conversationId)?.preview).toBe('It is broken.');
  });

  test('is a forward in the thread, with its recipient and the number of files', async ({
    screensOf,
    conversation,
  }) => {
    const original = await makeMessage(conversation, { withFile: true });
    const { composer, conversations } = await screensOf('agent');
    await composer.forward({ ...whichOf(original), to: TO, note: '' });
    const view = await conversations.get({ id: original.conversationId });
    expect(view?.conversation.items.at(-1)).toMatchObject({
      fromContact: false,
      forward: { to: TO, filesCount: 1 },
      sending: { state: 'on_its_way' },
    });
    expect(view?.composer.replyCc).not.toContain(TO);
  });
});

describe('forwarding is refused', () => {
  test.for([
    ['no address', { to: 'nobody' }, { to: [expect.stringContaining('not an email address')] }],
    ['a text over the limit', { note: 'x'.repeat(8_001) }, { content: [expect.any(String)] }],
  ] as const)('with %s', async ([, input, errors], { screensOf, conversation }) => {
    const original = await makeMessage(conversation);
    const { composer } = await screensOf('agent');
    await expect(
      composer.forward({ ...whichOf(original), to: TO, note: '', ...input }),
    ).rejects.toMatchObject({ cause: { refusal: 'invalid', errors } });
  });

  test('to a mailbox of the workspace, which would receive its own mail', async ({
    screensOf,
    conversation,
  }) => {
    const original = await makeMessage(conversation);
    const address = `billing-${randomUUID()}@acme.test`;
    await db().mailbox.create({ data: { workspaceId: original.workspaceId, address, name: 'Billing' } });
    const { composer } = await screensOf('agent');
    for (const own of [address, address.replace('@', '+urgent@').toUpperCase()]) {
      await expect(composer.forward({ ...whichOf(original), to: own, note: '' })).rejects.toMatchObject({
        cause: { refusal: 'invalid', errors: { to: [expect.any(String)] } },
      });
      for (const field of ['cc', 'bcc'] as const) {
        const reply = { conversationId: original.conversationId, id: randomUUID(), content: 'Hi' };
        await expect(composer.reply({ ...reply, [field]: ['ada@acme.test', own] })).rejects.toMatchObject({
          cause: { refusal: 'invalid', errors: { [field]: [expect.stringContaining('leads back')] } },
        });
      }
    }
  });

  test('beyond a hundred an hour for each teammate', async ({ screensOf, conversation, teammates }) => {
    const original = await makeMessage(conversation);
    const input = { ...whichOf(original), to: TO, note: '' };
    await useUpLimit(teammates.agent.id, 'forward');
    const refused = { cause: { errors: { to: [expect.stringContaining('within an hour')] } } };
    await expect((await screensOf('agent')).composer.forward(input)).rejects.toMatchObject(refused);
    await (await screensOf('owner')).composer.forward(input);
  });

  test('to viewers and to attackers of another workspace', async ({ screensOf, conversation }) => {
    const original = await makeMessage(conversation);
    const input = { ...whichOf(original), to: TO, note: '' };
    const viewer = await screensOf('viewer');
    await expect(viewer.composer.forward(input)).rejects.toMatchObject({ cause: { refusal: 'forbidden' } });
    const stranger = await (await signInTeammate((await makeTeammates()).owner))();
    await expect(stranger.composer.forward(input)).rejects.toMatchObject({ cause: { refusal: 'not_found' } });
  });
});

type Made = { id: string; workspaceId: string; conversationId: string };

async function makeMessage(
  conversationId: string,
  { withFile = false }: { withFile?: boolean } = {},
): Promise<Made> {
  const { workspaceId } = await db().conversation.findUniqueOrThrow({ where: { id: conversationId } });
  const { id } = await db().message.create({
    data: {
      workspaceId,
      conversationId,
      direction: 'inbound',
      authorKind: 'contact',
      content: 'It is broken.',
      attachmentsCount: withFile ? 1 : 0,
    },
  });
  if (withFile) {
    const { id: fileId, name, contentType, sizeBytes } = await storeBytes(workspaceId, { name: 'photo.txt' });
    await db().attachment.create({
      data: { id: fileId, fileId, workspaceId, messageId: id, name, contentType, sizeBytes },
    });
  }
  return { id, workspaceId, conversationId };
}

function whichOf({ id, conversationId }: Made) {
  return { conversationId, messageId: id };
}

function forwardOf({ id }: Made) {
  return db().message.findFirstOrThrow({ where: { forwardedId: id, direction: 'forward' } });
}

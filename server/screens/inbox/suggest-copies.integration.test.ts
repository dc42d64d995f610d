import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { getComposer } from '#server/screens/inbox/get-composer.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { memberWorkspace } from '#test/fixtures/member-workspace.ts';
import { test as screensTest } from '#test/fixtures/screens-test.ts';
import type { Teammates } from '#test/fixtures/teammates.ts';

const test = screensTest.extend('thread', ({ teammates }) => threadOf(teammates));

describe('suggested copies of a reply', () => {
  test('are empty when no one was copied', async ({ thread: { suggested, add } }) => {
    expect(await suggested()).toEqual([]);
    await add({});
    expect(await suggested()).toEqual([]);
  });

  test('are all recipients except the contact, our mailboxes and generated addresses', async ({
    workspaceId,
    thread: { conversationId, mailbox, add, suggested },
  }) => {
    const domain = mailbox.slice(mailbox.indexOf('@') + 1);
    await db().mailbox.create({ data: { workspaceId, address: `sales@${domain}`, name: 'Sales' } });
    await add({
      mailTo: [mailbox, BOB, signedAddress('reply', conversationId, domain)],
      cc: [
        'ada@example.com',
        CAROL,
        BOB,
        `sales@${domain}`,
        signedAddress('bounce', randomUUID(), domain),
        `reply+made-up@${domain}`,
      ],
    });
    expect(await suggested()).toEqual([BOB, CAROL]);
  });

  test('exclude the contact who only claims the address', async ({
    thread: { contactId, mailbox, add, suggested },
  }) => {
    const data = { email: null, claimedEmail: 'ada@example.com' };
    await db().contact.update({ where: { id: contactId }, data });
    await add({ mailTo: [mailbox], cc: ['ada@example.com', BOB], senderVerified: true });
    expect(await suggested()).toEqual([BOB]);
  });

  test('exclude the address that forwards to our mailbox', async ({ thread: { add, suggested } }) => {
    await add({ mailTo: ['help@example.org'], cc: [CAROL] });
    expect(await suggested()).toEqual([CAROL]);
  });

  test('are the Cc recipients of the newest reply, never its Bcc recipients', async ({
    thread: { add, suggested },
  }) => {
    await add({ cc: [BOB, CAROL] });
    await add({ ...OURS, cc: [CAROL], bcc: ['boss@example.com'] });
    expect(await suggested()).toEqual([CAROL]);
    await add({ cc: [BOB] });
    expect(await suggested()).toEqual([BOB]);
  });

  test('ignore messages of workflows, the AI agent and machines', async ({ thread: { add, suggested } }) => {
    await add({ cc: [BOB] });
    await add({ ...OURS, authorKind: 'workflow' });
    await add({ ...OURS, authorKind: 'ai_agent' });
    await add({ automatic: true, cc: [CAROL] });
    expect(await suggested()).toEqual([BOB]);
  });

  test('have the maximum number of a reply', async ({ thread: { add, suggested } }) => {
    await add({ cc: Array.from({ length: 50 }, (_, at) => `a${at}@example.com`) });
    expect(await suggested()).toHaveLength(20);
  });

  test('ignore recipients that an unverified sender chose', async ({ thread: { add, suggested } }) => {
    await add({ cc: [BOB], senderVerified: false });
    expect(await suggested()).toEqual([]);
  });

  test('are empty on channels other than email', async ({ thread: { conversationId, add, suggested } }) => {
    await add({ cc: [BOB] });
    await db().conversation.update({ where: { id: conversationId }, data: { channel: 'webchat' } });
    expect(await suggested()).toEqual([]);
  });
});

/** Creates an email conversation with a contact, and returns functions that add emails and read suggestions. */
async function threadOf({ workspaceId, agent }: Teammates) {
  const contact = await makeContact(workspaceId, { email: 'ada@example.com' });
  const conversationId = await makeConversation({ workspaceId, teammate: agent }, { contactId: contact.id });
  const { address: mailbox } = await db().mailbox.findFirstOrThrow({ where: { workspaceId } });
  let seconds = 0;

  /** Adds an email of the contact, newer than the previous one, unless the columns say otherwise. */
  async function add(columns: Partial<Prisma.MessageUncheckedCreateInput>): Promise<void> {
    seconds += 1;
    await db().message.create({
      data: {
        workspaceId,
        conversationId,
        direction: 'inbound',
        authorKind: 'contact',
        content: 'Hello',
        mailTo: [mailbox],
        createdAt: new Date(Date.now() + seconds * 1_000),
        ...columns,
      },
    });
  }

  async function suggested(): Promise<string[]> {
    const workspace = memberWorkspace(workspaceId);
    const composer = await getComposer(db(), { workspace, user: agent, conversationId });
    return composer?.replyCc ?? [];
  }

  return { conversationId, contactId: contact.id, mailbox, add, suggested };
}

const BOB = 'bob@example.com';
const CAROL = 'carol@example.com';
const OURS: Partial<Prisma.MessageUncheckedCreateInput> = {
  direction: 'outbound',
  authorKind: 'teammate',
  mailTo: [],
};

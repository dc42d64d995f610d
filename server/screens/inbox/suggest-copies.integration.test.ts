import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { signedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { getComposer } from '#server/screens/inbox/get-composer.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { makeTeammates, type Teammates } from '#test/fixtures/teammates.ts';

withTestService();
let teammates: Teammates;
let conversationId: string;
let mailbox: string;
beforeEach(async () => {
  teammates = await makeTeammates();
  const { workspaceId } = teammates;
  const contact = await makeContact(workspaceId, { email: 'ada@example.com' });
  conversationId = await makeConversation(
    { workspaceId, teammate: teammates.agent },
    { contactId: contact.id },
  );
  mailbox = (await db().mailbox.findFirstOrThrow({ where: { workspaceId } })).address;
});

const BOB = 'bob@example.com';
const CAROL = 'carol@example.com';

let seconds = 0;
/** Adds an email of the contact, newer than the previous one, unless the columns say otherwise. */
async function add(columns: Partial<Prisma.MessageUncheckedCreateInput>): Promise<void> {
  seconds += 1;
  await db().message.create({
    data: {
      workspaceId: teammates.workspaceId,
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
  const workspace = { id: teammates.workspaceId, name: 'Acme', plan: 'growth', role: 'agent' } as const;
  const composer = await getComposer(db(), { workspace, user: teammates.agent, conversationId });
  return composer?.replyCc ?? [];
}
const OURS: Parameters<typeof add>[0] = { direction: 'outbound', authorKind: 'teammate', mailTo: [] };

describe('suggested copies of a reply', () => {
  test('are empty when no one was copied', async () => {
    expect(await suggested()).toEqual([]);
    await add({});
    expect(await suggested()).toEqual([]);
  });

  test('are all recipients except the contact, our mailboxes and generated addresses', async () => {
    const { workspaceId } = teammates;
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
        'reply+made-up@example.com',
      ],
    });
    expect(await suggested()).toEqual([BOB, CAROL]);
  });

  test('exclude the address that forwards to our mailbox', async () => {
    await add({ mailTo: ['help@example.org'], cc: [CAROL] });
    expect(await suggested()).toEqual([CAROL]);
  });

  test('are the Cc recipients of the newest reply, never its Bcc recipients', async () => {
    await add({ cc: [BOB, CAROL] });
    await add({ ...OURS, cc: [CAROL], bcc: ['boss@example.com'] });
    expect(await suggested()).toEqual([CAROL]);
    await add({ cc: [BOB] });
    expect(await suggested()).toEqual([BOB]);
  });

  test('ignore messages of workflows, the AI agent and machines', async () => {
    await add({ cc: [BOB] });
    await add({ ...OURS, authorKind: 'workflow' });
    await add({ ...OURS, authorKind: 'ai_agent' });
    await add({ automatic: true, cc: [CAROL] });
    expect(await suggested()).toEqual([BOB]);
  });

  test('have the maximum number of a reply', async () => {
    await add({ cc: Array.from({ length: 50 }, (_, at) => `a${at}@example.com`) });
    expect(await suggested()).toHaveLength(20);
  });

  test('ignore recipients that an unverified sender chose', async () => {
    await add({ cc: [BOB], senderVerified: false });
    expect(await suggested()).toEqual([]);
  });

  test('are empty on channels other than email', async () => {
    await add({ cc: [BOB] });
    await db().conversation.update({ where: { id: conversationId }, data: { channel: 'webchat' } });
    expect(await suggested()).toEqual([]);
  });
});

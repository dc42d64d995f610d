import { beforeEach, expect, test } from 'vitest';
import type { Teammate } from '#server/contract/record-schemas.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { sendReply } from '#server/inbox/messages/send-reply.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import { withTestService } from '#test/fixtures/service.ts';
import { addTeammate } from '#test/fixtures/teammates.ts';

withTestService();
let workspaceId: string;
let agent: Teammate;
let id: string;
beforeEach(async () => {
  const connection = await makeConnection();
  workspaceId = connection.workspaceId;
  agent = await addTeammate(workspaceId, 'agent', 'Aggie Agent');
  id = await makeConversation(connection, { channel: 'webchat', assigneeId: null, assignedAt: null });
});

const reply = (content = 'Hello') =>
  sendReply({ workspaceId, id, actor: { kind: 'teammate', teammate: agent }, content });
const REFUSED = {
  refusal: 'forbidden',
  message: 'Aggie Agent can no longer reply: they have left this workspace or are now a viewer.',
};
const messages = () => db().message.count({ where: { conversationId: id } });

test('a reply of a teammate who is removed in parallel is refused with a sentence', async () => {
  let replying: Promise<unknown> | undefined;
  await inTransaction(async (tx) => {
    await tx.$executeRaw`select from members where user_id = ${agent.id}::uuid for update`;
    replying = expect(reply()).rejects.toMatchObject(REFUSED);
    await tx.member.deleteMany({ where: { workspaceId, userId: agent.id } });
  });
  await replying;
  expect(await messages()).toBe(0);
});

test('a reply of a teammate who became a viewer is refused', async () => {
  await db().member.updateMany({ where: { userId: agent.id }, data: { role: 'viewer' } });
  await expect(reply()).rejects.toMatchObject(REFUSED);
  expect(await messages()).toBe(0);
});

test('replying and removing the author in parallel never fails, and the author keeps no conversation', async () => {
  for (let round = 0; round < 8; round += 1) {
    agent = await addTeammate(workspaceId, 'agent', 'Aggie Agent');
    await db().conversation.update({ where: { id }, data: { assigneeId: null, assignedAt: null } });
    const [replied] = await Promise.allSettled([
      reply(),
      inTransaction(async (tx) => {
        const whose = { workspaceId, assigneeId: agent.id };
        await tx.$executeRaw`select from members where user_id = ${agent.id}::uuid for update`;
        await tx.conversation.updateMany({ where: whose, data: { assigneeId: null, assignedAt: null } });
        await tx.member.deleteMany({ where: { workspaceId, userId: agent.id } });
      }),
    ]);
    if (replied.status === 'rejected') expect(replied.reason).toMatchObject(REFUSED);
    expect((await db().conversation.findUniqueOrThrow({ where: { id } })).assigneeId).toBeNull();
  }
});

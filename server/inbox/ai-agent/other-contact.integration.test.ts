import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { mergeAs } from '#test/fixtures/merge-as.ts';
import { forgetJobs, queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/service-test.ts';

test('the AI agent answers no one whose chat was merged into that of another contact, who would get the answer', async ({
  connection: { workspaceId, teammate },
}) => {
  await db().workspace.update({ where: { id: workspaceId }, data: { aiAgentEnabled: true } });
  const make = (firstName: string) =>
    db().contact.create({ data: { workspaceId, firstName }, select: { id: true } });
  const [xavier, yara] = [await make('Xavier'), await make('Yara')];
  const write = async (contact: { id: string }, conversationId: string | null = null) => {
    await forgetJobs();
    const received = await receiveMessage(...incoming(workspaceId, { contact, conversationId }));
    const isAsked = (await queuedJobs()).some(({ task }) => task === 'answer-contact');
    return { conversationId: received.conversationId, isAsked };
  };
  const { conversationId: xaviers } = await write(xavier);
  const { conversationId: yaras } = await write(yara);
  await mergeAs({ workspaceId, teammate }, xaviers, yaras);
  expect(await write(xavier, xaviers)).toEqual({ conversationId: yaras, isAsked: false });
  expect(await write(yara, yaras)).toEqual({ conversationId: yaras, isAsked: true });
});

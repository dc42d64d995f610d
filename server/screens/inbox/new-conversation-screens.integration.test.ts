import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { planAndWrite } from '#server/core/database/planned.ts';
import { db } from '#server/core/database/prisma.ts';
import { signUploaded } from '#server/inbox/files/uploaded-file.ts';
import { createConversation } from '#server/inbox/messages/create-conversation.ts';
import { queuedJobs } from '#test/fixtures/queued-jobs.ts';
import { test } from '#test/fixtures/screens-test.ts';
import { storeBytes } from '#test/fixtures/stored-files.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

describe('a new conversation', () => {
  test('is assigned to the teammate, sent by a job, and reported to the platform like one of the API', async ({
    teammates,
    screensOf,
  }) => {
    const mail = { ...newMail(), to_name: 'Nora New' };
    const { id: started } = await (await screensOf('agent')).conversations.create(mail);
    expect(await db().conversation.findUniqueOrThrow({ where: { id: started } })).toMatchObject({
      channel: 'email',
      subject: 'Hello',
      assigneeId: teammates.agent.id,
      aiAgentSilenced: true,
    });
    const view = (await (await screensOf('agent')).conversations.get({ id: started }))?.conversation;
    expect(view).toMatchObject({ contactName: 'Nora New', assignee: { name: 'Aggie Agent' } });
    expect(view?.items.find(({ kind }) => kind === 'message')).toMatchObject({
      authorName: 'Aggie Agent',
      via: null,
      content: 'Hi',
      sending: { state: 'on_its_way' },
    });
    const message = await db().message.findFirstOrThrow({ where: { conversationId: started } });
    expect(JSON.stringify(await queuedJobs())).toContain(message.id);
  });

  test('sends files and copies', async ({ teammates, screensOf }) => {
    const { workspaceId } = teammates;
    const file = signUploaded(workspaceId, await storeBytes(workspaceId, { name: 'offer.txt' }));
    const copies = { cc: ['Bob@example.com'], bcc: ['boss@example.com'] };
    const { id: started } = await (await screensOf('agent')).conversations.create({
      ...newMail(),
      ...copies,
      files: [file],
    });
    const message = await db().message.findFirstOrThrow({
      where: { conversationId: started },
      include: { attachments: true },
    });
    expect(message).toMatchObject({
      cc: ['bob@example.com'],
      bcc: ['boss@example.com'],
      attachmentsCount: 1,
      attachments: [{ name: 'offer.txt' }],
    });
    const view = (await (await screensOf('agent')).conversations.get({ id: started }))?.conversation;
    expect(view?.items.find(({ kind }) => kind === 'message')).toMatchObject({
      recipients: { to: [], cc: ['bob@example.com'], bcc: ['boss@example.com'] },
    });
  });

  test('is refused with an invalid address for copies, or a file of another workspace', async ({
    teammates,
    screensOf,
  }) => {
    const { conversations } = await screensOf('agent');
    const before = await db().conversation.count({ where: { workspaceId: teammates.workspaceId } });
    await expect(conversations.create({ ...newMail(), cc: ['nobody'] })).rejects.toMatchObject({
      cause: { errors: { cc: ['Cc: “nobody” is not an email address.'] } },
    });
    const { workspaceId } = await makeTeammates();
    const foreign = signUploaded(workspaceId, await storeBytes(workspaceId));
    await expect(conversations.create({ ...newMail(), files: [foreign] })).rejects.toMatchObject({
      cause: { errors: { files: [expect.stringContaining('add it again')] } },
    });
    expect(await db().conversation.count({ where: { workspaceId: teammates.workspaceId } })).toBe(before);
  });

  test('is refused with a message at each invalid field', async ({ teammates, screensOf }) => {
    const { conversations } = await screensOf('agent');
    const nothing = { to_email: ' ', to_name: 'x'.repeat(161), subject: '', content: ' \n' };
    await expect(conversations.create(nothing)).rejects.toMatchObject({
      cause: {
        refusal: 'invalid',
        errors: {
          to_email: [expect.stringContaining('required')],
          to_name: [expect.stringContaining('160')],
          subject: [expect.stringContaining('required')],
          content: [expect.stringContaining('required')],
        },
      },
    });
    const toOwn = { ...newMail(), to_email: teammates.admin.email };
    await expect(conversations.create(toOwn)).rejects.toMatchObject({
      cause: { errors: { to_email: [expect.stringContaining('belongs to a teammate')] } },
    });
  });

  test('is refused for a teammate who is leaving, without a server error', async () => {
    const { workspaceId, agent } = await makeTeammates();
    await db().member.deleteMany({ where: { workspaceId, userId: agent.id } });
    const { to_email: toEmail, subject, content } = newMail();
    const actor = { kind: 'teammate' as const, teammate: agent };
    await expect(
      planAndWrite((tx) =>
        createConversation(tx, { workspaceId, actor, toEmail, toName: undefined, subject, content }),
      ),
    ).rejects.toMatchObject({
      refusal: 'forbidden',
      message: expect.stringContaining('Aggie Agent has left'),
    });
    expect(await db().contact.count({ where: { workspaceId } })).toBe(0);
  });

  test('warns when the email cannot be sent', async ({ screensOf }) => {
    expect(await (await screensOf('agent')).conversations.mailProblem()).toBeNull();
    const starter = await makeTeammates({ plan: 'starter' });
    const unverified = await makeTeammates({ verified: false });
    const problemOf = async ({ agent }: Teammates) =>
      (await (await signInTeammate(agent))()).conversations.mailProblem();
    expect(await problemOf(starter)).toContain('needs the Growth plan or higher');
    expect(await problemOf(unverified)).toContain('not verified yet');
    await db().mailbox.deleteMany({ where: { workspaceId: unverified.workspaceId } });
    expect(await problemOf(unverified)).toContain('no address to send email from');
  });
});

const newMail = () => ({
  to_email: `${randomUUID()}@example.com`,
  to_name: '',
  subject: 'Hello',
  content: 'Hi',
});

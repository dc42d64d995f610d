import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { test } from '#test/fixtures/screens-test.ts';
import { makeTeammates, signInTeammate, type Teammates } from '#test/fixtures/teammates.ts';

test('a new conversation is sent from the chosen mailbox, which the contact’s next one suggests', async ({
  teammates,
  screensOf,
}) => {
  const { conversations } = await screensOf('agent');
  const billing = await makeMailbox(teammates);
  const email = `nora-${randomUUID()}@example.com`;
  const before = await conversations.mailboxes({ email });
  expect(before.mailboxes.find(({ id }) => id === before.suggestedId)?.isDefault ?? true).toBe(true);

  const { id } = await conversations.create({ ...newMail(email), mailboxId: billing.id });
  expect((await db().conversation.findUniqueOrThrow({ where: { id } })).mailboxId).toBe(billing.id);
  expect((await conversations.mailboxes({ email: ` ${email.toUpperCase()}` })).suggestedId).toBe(billing.id);
  expect((await conversations.get({ id }))?.composer.mailboxId).toBe(billing.id);
});

test('replies are sent from the mailbox that a teammate chose, without an event or a timeline entry', async ({
  teammates,
  screensOf,
}) => {
  const { conversations } = await screensOf('agent');
  const { id } = await conversations.create(newMail(`nora-${randomUUID()}@example.com`));
  const billing = await makeMailbox(teammates);
  const entries = () => db().timelineEntry.count({ where: { conversationId: id } });
  const before = await entries();
  await conversations.setMailbox({ id, mailboxId: billing.id });
  const { composer } = (await conversations.get({ id })) ?? {};
  expect(composer?.mailboxId).toBe(billing.id);
  expect(composer?.mailboxes).toContainEqual({ id: billing.id, address: billing.address, isDefault: false });
  expect(await entries()).toBe(before);
});

test('an attacker cannot send from the mailbox of another workspace', async ({ screensOf }) => {
  const { conversations } = await screensOf('agent');
  const theirs = await makeMailbox(await makeTeammates());
  const { id } = await conversations.create(newMail(`nora-${randomUUID()}@example.com`));
  const refused = { cause: { refusal: 'invalid', errors: { mailbox: [expect.any(String)] } } };
  await expect(conversations.setMailbox({ id, mailboxId: theirs.id })).rejects.toMatchObject(refused);
  const mail = { ...newMail('nora@example.com'), mailboxId: theirs.id };
  await expect(conversations.create(mail)).rejects.toMatchObject(refused);
});

test('viewers and teammates of another workspace do not change the mailbox', async ({
  teammates,
  screensOf,
}) => {
  const { conversations } = await screensOf('agent');
  const { id } = await conversations.create(newMail(`nora-${randomUUID()}@example.com`));
  const { id: mailboxId } = await makeMailbox(teammates);
  const viewer = await screensOf('viewer');
  await expect(viewer.conversations.setMailbox({ id, mailboxId })).rejects.toMatchObject({
    cause: { refusal: 'forbidden' },
  });
  const stranger = await (await signInTeammate((await makeTeammates()).owner))();
  await expect(stranger.conversations.setMailbox({ id, mailboxId })).rejects.toMatchObject({
    cause: { refusal: 'not_found' },
  });
});

function makeMailbox({ workspaceId }: Teammates) {
  const address = `billing-${randomUUID()}@acme.test`;
  return db().mailbox.create({ data: { workspaceId, address, name: 'Billing' } });
}

function newMail(email: string) {
  return { to_email: email, to_name: '', subject: 'Hello', content: 'Hi' };
}

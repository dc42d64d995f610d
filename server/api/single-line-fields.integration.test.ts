import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { makeConversation } from '#test/fixtures/conversations.ts';
import { test } from '#test/fixtures/mail-test.ts';

test('line breaks in the fields of a contact become a space', async ({ api }) => {
  const { status, body } = await api('POST', '/contacts', { ...contact, name: INJECTED });
  const folded = { name: FOLDED, phone: '+44 20 7946 0018', city: 'Lon don', language: 'e n' };
  expect([status, body]).toEqual([201, expect.objectContaining(folded)]);
});

test('an attacker cannot inject a header into a mail through the subject and name of a new conversation', async ({
  connection,
  api,
  mail,
}) => {
  const input = {
    to_email: contact.email,
    to_name: INJECTED,
    subject: INJECTED,
    content: 'Line 1\r\nLine 2',
  };
  const { status, body } = await api('POST', '/conversations', input);
  expect([status, body]).toEqual([201, expect.objectContaining({ subject: FOLDED })]);
  const { workspaceId } = connection;
  const saved = await db().conversation.findFirstOrThrow({
    where: { workspaceId },
    select: { id: true, subject: true, contact: { select: { firstName: true, lastName: true } } },
  });
  expect(saved.subject).toBe(FOLDED);
  expect([saved.contact?.firstName, saved.contact?.lastName]).toEqual(['Hello', FOLDED.slice(6)]);

  await api('POST', `/conversations/${saved.id}/replies`, { content: 'a\r\nb' });
  const [sent] = mail.received;
  expect(sent?.email.headers.filter(({ key }) => key === 'bcc')).toEqual([]);
  expect(sent?.to).toEqual([contact.email]);
  expect(sent?.email.text?.trimEnd()).toBe('a\nb');
});

test('line breaks in tags become a space', async ({ connection, api }) => {
  const id = await makeConversation(connection);
  const { body } = await api('POST', `/conversations/${id}/tags`, { tags: ['V\nIP', ' \n '] });
  expect(body).toMatchObject({ tags: expect.arrayContaining(['V IP']) });
});

const INJECTED = 'Hello\r\nBcc: victim@example.com\u2028\n\nthere';
const FOLDED = 'Hello Bcc: victim@example.com there';
const contact = {
  email: 'ada@engines.example',
  phone: '+44 20\n7946 0018',
  city: 'Lon\rdon',
  language: 'e\nn',
};

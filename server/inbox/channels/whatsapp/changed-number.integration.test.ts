import { expect } from 'vitest';
import { db } from '#server/core/database/prisma.ts';
import { type MetaAccount, messagesIn, replyIn } from '#test/fixtures/meta.ts';
import { ADA, BSUID, change, messageOf, test, webhook, written } from '#test/fixtures/whatsapp-test.ts';

const NEW_ID = 'US.99';
const NEW_NUMBER = '12195555358';

const changed = (account: MetaAccount, system: object, from?: string) =>
  webhook(change(account, { messages: [messageOf({ type: 'system', text: undefined, from, system })] }));

test.for([
  [
    'and both ids',
    { from_user_id: BSUID },
    { type: 'user_changed_number', wa_id: NEW_NUMBER, user_id: NEW_ID, previous_user_id: BSUID },
    { from: NEW_NUMBER, from_user_id: NEW_ID },
    { recipient: NEW_ID },
  ],
  [
    'that identifies them alone',
    {},
    { type: 'user_changed_number', wa_id: NEW_NUMBER },
    {},
    { to: NEW_NUMBER },
  ],
  [
    'that is hidden, of which only the user id is reported,',
    { from: undefined, from_user_id: BSUID },
    { type: 'user_changed_user_id', user_id: NEW_ID, previous_user_id: BSUID },
    { from: undefined, from_user_id: NEW_ID },
    { recipient: NEW_ID },
  ],
] as const)(
  'a person with a new number %s stays the same contact in the same conversation',
  async ([_what, before, system, after, address], { whatsapp }) => {
    const account = await whatsapp.connect();
    const { workspaceId } = account;
    const person = (id: object) => ({ contacts: [], messages: [messageOf(id)] });
    await whatsapp.receive(account, webhook(change(account, person(before))));
    await whatsapp.receive(account, changed(account, system, 'from' in before ? before.from : ADA));
    expect(await messagesIn(account)).toHaveLength(1);
    expect(await replyIn(account)).toMatchObject({ send_status: 'sent' });
    expect(whatsapp.sends().at(-1)?.body).toMatchObject(address);
    await whatsapp.receive(account, webhook(change(account, person({ from: NEW_NUMBER, ...after }))));
    expect(await messagesIn(account)).toHaveLength(3);
    expect(await db().conversation.count({ where: { workspaceId } })).toBe(1);
    expect(await db().contact.count({ where: { workspaceId } })).toBe(1);
  },
);

test('somebody who gets the number that a person gave up is another contact', async ({ whatsapp }) => {
  const account = await whatsapp.connect();
  const { workspaceId } = account;
  await whatsapp.receive(account, written(account));
  const contact = () =>
    db().contact.findFirstOrThrow({ where: { workspaceId }, orderBy: { createdAt: 'asc' } });
  expect(await contact()).toMatchObject({ phone: `+${ADA}` });
  await whatsapp.receive(account, changed(account, { type: 'user_changed_number', wa_id: NEW_NUMBER }, ADA));
  expect(await contact()).toMatchObject({ phone: `+${NEW_NUMBER}` });
  await whatsapp.receive(
    account,
    webhook(change(account, { contacts: [], messages: [messageOf({ from: ADA })] })),
  );
  expect(await db().contact.count({ where: { workspaceId } })).toBe(2);
  expect(await db().conversation.count({ where: { workspaceId } })).toBe(2);
});

test('ids of two contacts change nothing', async ({ whatsapp }) => {
  const account = await whatsapp.connect();
  const { workspaceId } = account;
  const from = (id: object) => webhook(change(account, { contacts: [], messages: [messageOf(id)] }));
  await whatsapp.receive(account, from({ from: ADA }));
  await whatsapp.receive(account, from({ from: undefined, from_user_id: BSUID }));
  const ids = { wa_id: NEW_NUMBER, user_id: NEW_ID, previous_user_id: BSUID };
  await whatsapp.receive(account, changed(account, { type: 'user_changed_number', ...ids }, ADA));
  const identities = await db().contactIdentity.findMany({
    where: { workspaceId },
    orderBy: { createdAt: 'asc' },
  });
  expect(identities.map(({ externalId }) => externalId)).toEqual([ADA, BSUID]);
});

test('a new number that has a contact already, or of an unknown person, changes nothing', async ({
  whatsapp,
}) => {
  const account = await whatsapp.connect();
  const { workspaceId } = account;
  const system = { type: 'user_changed_number', wa_id: NEW_NUMBER };
  await whatsapp.receive(account, changed(account, system, '4915255555555'));
  await whatsapp.receive(account, written(account));
  await whatsapp.receive(account, webhook(change(account, { messages: [messageOf({ from: NEW_NUMBER })] })));
  await whatsapp.receive(account, changed(account, system, ADA));
  const threads = await db().conversation.findMany({ where: { workspaceId }, orderBy: { createdAt: 'asc' } });
  expect(threads.map(({ externalThreadId }) => externalThreadId)).toEqual([ADA, NEW_NUMBER]);
  expect(await db().contactIdentity.count({ where: { workspaceId } })).toBe(2);
});

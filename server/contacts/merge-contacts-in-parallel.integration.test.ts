import { describe, expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db, inTransaction } from '#server/core/database/prisma.ts';
import { countLockWaiters } from '#test/database/count-lock-waiters.ts';
import { makeContact, makeConversation } from '#test/fixtures/conversations.ts';
import { incoming, receiveMessage } from '#test/fixtures/incoming.ts';
import { test as serviceTest } from '#test/fixtures/service-test.ts';
import { until } from '#test/fixtures/until.ts';

const test = serviceTest.extend(
  'merge',
  ({ connection: { workspaceId, teammate } }) =>
    (id: string, intoId: string) =>
      mergeContacts({ workspaceId, id, intoId, actor: { kind: 'teammate', teammate } }),
);

test('one of two merges in opposite directions succeeds, and the other is refused', async ({
  connection,
  merge,
}) => {
  for (let round = 0; round < 8; round += 1) {
    const [one, other] = await Promise.all([
      makeContact(connection.workspaceId),
      makeContact(connection.workspaceId),
    ]);
    for (const contact of [one, other]) await makeConversation(connection, { contactId: contact.id });
    const outcomes = await Promise.allSettled([merge(one.id, other.id), merge(other.id, one.id)]);
    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toEqual([expect.objectContaining({ refusal: 'invalid' })]);
    const left = await db().contact.findMany({ where: { id: { in: [one.id, other.id] } } });
    expect(left).toHaveLength(1);
    expect(await db().conversation.count({ where: { contactId: left[0]?.id ?? '' } })).toBe(2);
  }
});

test('a message of the merged contact during the merge reaches the remaining contact, on every channel', async ({
  connection,
  merge,
}) => {
  const { workspaceId } = connection;
  for (let round = 0; round < 8; round += 1) {
    const into = await makeContact(workspaceId);
    const from = await makeContact(workspaceId);
    const identity = {
      channel: 'telegram' as const,
      scope: '',
      externalId: `t${round}`,
      name: null,
      phone: null,
    };
    await db().contactIdentity.create({
      data: { workspaceId, contactId: from.id, channel: 'telegram', externalId: identity.externalId },
    });
    const contact = { fields: { email: from.email ?? '' } };
    const receive = (fields: Parameters<typeof incoming>[1]) =>
      receiveMessage(...incoming(workspaceId, fields));
    const [, ...received] = await Promise.all([
      merge(from.id, into.id),
      receive({ channel: 'email', contact }),
      receive({ channel: 'telegram', identity }),
      receive({ channel: 'email', contact }),
    ]);
    const conversations = await db().conversation.findMany({
      where: { id: { in: received.map(({ conversationId }) => conversationId) } },
    });
    expect(conversations.map(({ contactId }) => contactId)).toEqual([into.id, into.id, into.id]);
  }
});

describe('the address of a contact who is being merged stays with the remaining contact', () => {
  test('when another contact is given it', async ({ api, connection: { workspaceId }, merge }) => {
    const [from, into] = [await makeContact(workspaceId), await makeContact(workspaceId)];
    const other = await makeContact(workspaceId);
    const { merged, giving } = await inTransaction(async (tx) => {
      await tx.$executeRaw`select from contacts where id = ${into.id}::uuid for no key update`;
      const merging = merge(from.id, into.id);
      await until('the merge waits for the contact', async () => (await countLockWaiters()) === 1);
      const giving = api('PATCH', `/contacts/${other.id}`, { email: from.email });
      await until('the change waits for the merge', async () => (await countLockWaiters()) === 2);
      return { merged: merging, giving };
    });
    await merged;
    expect(await giving).toMatchObject({ status: 422, body: { errors: { email: [expect.any(String)] } } });
    expect(await ownersOf(workspaceId, from.email)).toEqual([into.id]);
  });

  test('when a contact is created with it', async ({ api, connection: { workspaceId }, merge }) => {
    const [from, into] = [await makeContact(workspaceId), await makeContact(workspaceId)];
    const third = await makeContact(workspaceId);
    const address = { channel: 'email', externalId: from.email ?? '' } as const;
    const released = new Error('Rolled back');
    const { promise: started, resolve: start } = Promise.withResolvers<{
      merged: Promise<unknown>;
      created: ReturnType<typeof api>;
    }>();
    const held = inTransaction(async (tx) => {
      // The merge has deleted the contact when it waits for this row.
      await tx.contactIdentity.create({ data: { workspaceId, contactId: third.id, ...address } });
      const merged = merge(from.id, into.id);
      await until('the merge waits for the address', async () => (await countLockWaiters()) === 1);
      const created = api('POST', '/contacts', { email: from.email });
      await until('the creation waits for the merge', async () => (await countLockWaiters()) === 2);
      start({ merged, created });
      throw released;
    });
    await expect(held).rejects.toBe(released);
    const { merged, created } = await started;
    await merged;
    expect(await created).toMatchObject({ status: 422, body: { errors: { email: [expect.any(String)] } } });
    expect(await ownersOf(workspaceId, from.email)).toEqual([into.id]);
  });
});

test('merges in a ring leave one contact, and no alias of an alias', async ({ connection, merge }) => {
  const { workspaceId } = connection;
  const ring = await Promise.all([1, 2, 3, 4].map(() => makeContact(workspaceId)));
  const outcomes = await Promise.allSettled(
    ring.map(({ id }, i) => merge(id, ring[(i + 1) % ring.length]?.id ?? '')),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const left = await db().contact.findMany({ where: { workspaceId } });
  expect(left).toHaveLength(1);
  const aliases = await db().contactAlias.findMany({ where: { workspaceId } });
  expect(aliases.map(({ contactId }) => contactId)).toEqual([left[0]?.id, left[0]?.id, left[0]?.id]);
});

/** Returns the ids of the contacts that have the address, as their own or by a merge. */
async function ownersOf(workspaceId: string, email: string | null): Promise<string[]> {
  const own = await db().contact.findMany({ where: { workspaceId, email } });
  const merged = await db().contactIdentity.findMany({
    where: { workspaceId, channel: 'email', externalId: email ?? '' },
  });
  return [...own.map(({ id }) => id), ...merged.map(({ contactId }) => contactId)];
}

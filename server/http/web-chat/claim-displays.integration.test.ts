import { describe, expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { linkContact, unlinkContact } from '#server/inbox/claimed-addresses/link-contact.ts';
import { sendVerificationLink } from '#server/inbox/claimed-addresses/send-verification-link.ts';
import { removeConversation } from '#server/inbox/conversations/removal.ts';
import { viewOf } from '#test/clients/chat-client.ts';
import { test as claimTest } from '#test/fixtures/claim-test.ts';
import { makeContact } from '#test/fixtures/conversations.ts';
import { signInTeammate } from '#test/fixtures/teammates.ts';

const test = claimTest
  .extend('claimOf', ({ claim }) => async (ownerName: string) => {
    const claimed = await claim(ownerName);
    return { ...claimed, ownerId: claimed.ownerId ?? '' };
  })
  .extend(
    'mergeContact',
    ({ workspaceId, actor }) =>
      (id: string, intoId: string) =>
        mergeContacts({ workspaceId, id, intoId, actor }),
  );

describe('merging contacts', () => {
  test('a claiming contact into the owner of the address leaves nothing unverified, including in later chats', async ({
    claimOf,
    mergeContact,
    setStatus,
    read,
  }) => {
    const { visitor, id, contactId, ownerId } = await claimOf('Ada Marsh');
    expect(await read(id)).toMatchObject({ contactClaimed: true });
    await mergeContact(contactId, ownerId);
    await setStatus(id, 'closed');
    const next = viewOf(await visitor.write({ content: 'Again' })).conversationId ?? '';
    for (const each of [id, next]) {
      expect(await read(each)).toMatchObject({
        contact: { id: ownerId },
        contactClaimed: false,
        claim: null,
      });
    }
  });

  test('a linked contact into its owner removes the link', async ({ claimOf, mergeContact, read }) => {
    const { actor, workspaceId, id, contactId, ownerId } = await claimOf('Ada Marsh');
    await linkContact({ workspaceId, conversationId: id, ownerId, actor });
    await mergeContact(contactId, ownerId);
    expect(await read(id)).toMatchObject({
      contact: { id: ownerId },
      contactClaimed: false,
      isLinked: false,
    });
  });

  test('a claiming contact into one without an address moves the claim', async ({
    claim,
    workspaceId,
    mergeContact,
    send,
    read,
  }) => {
    const { id, contactId, email } = await claim(null);
    const other = await makeContact(workspaceId, { email: null });
    await mergeContact(contactId, other.id);
    expect(await read(id)).toMatchObject({
      contact: { id: other.id },
      contactClaimed: true,
      claim: { email },
    });
    await send(id, email);
  });

  test('the owner into the claiming contact gives it the address and removes the claim', async ({
    claimOf,
    mergeContact,
    read,
  }) => {
    const { actor, workspaceId, id, contactId, email, ownerId, ownersConversation } =
      await claimOf('Ada Marsh');
    await linkContact({ workspaceId, conversationId: id, ownerId, actor });
    await unlinkContact({ workspaceId, conversationId: id, actor });
    await mergeContact(ownerId, contactId);
    for (const each of [id, ownersConversation]) {
      const contact = { id: contactId, email };
      expect(await read(each)).toMatchObject({
        contact,
        contactClaimed: false,
        claim: null,
        isLinked: false,
      });
    }
  });

  test('the owner of a link into another contact keeps the link, which can be undone', async ({
    claimOf,
    workspaceId,
    mergeContact,
    setStatus,
    read,
  }) => {
    const { actor, visitor, id, contactId, ownerId } = await claimOf('Ada Marsh');
    await linkContact({ workspaceId, conversationId: id, ownerId, actor });
    const remaining = await makeContact(workspaceId);
    await mergeContact(ownerId, remaining.id);
    await setStatus(id, 'closed');
    const next = viewOf(await visitor.write({ content: 'Again' })).conversationId ?? '';
    expect(await read(next)).toMatchObject({ contact: { id: remaining.id }, isLinked: true });
    await unlinkContact({ workspaceId, conversationId: next, actor });
    expect(await read(id)).toMatchObject({ contact: { id: contactId }, isLinked: false });
  });
});

test('an address that a teammate gives the contact is not shown as unverified', async ({ claim, read }) => {
  const { workspaceId, id, contactId } = await claim(null);
  const email = 'ada@example.com';
  await updateContact({ workspaceId, id: contactId, actor: { kind: 'automatic' }, fields: { email } });
  expect(await read(id)).toMatchObject({ contact: { email }, contactClaimed: false, claim: null });
});

test('no verification link is sent from a conversation that is spam', async ({ claim, mailServer }) => {
  const { actor, workspaceId, id, email } = await claim(null);
  await removeConversation({ workspaceId, id, to: 'spam', actor });
  await expect(sendVerificationLink({ workspaceId, conversationId: id, actor })).rejects.toMatchObject({
    refusal: 'invalid',
  });
  expect(mailServer.received.filter(({ to }) => to.includes(email))).toEqual([]);
});

test('teammates find a chat by the address that its visitor claims, and the API does not', async ({
  api,
  claim,
}) => {
  const { actor, id, email } = await claim(null);
  const { inbox } = await (await signInTeammate(actor.teammate))();
  expect((await inbox.list({ search: email })).rows).toMatchObject([{ id, contactClaimed: true }]);
  expect((await api('GET', `/contacts/search?email=${email}`)).body).toEqual([]);
  expect((await api('GET', `/conversations/search?contact_email=${email}`)).body).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { mergeContacts } from '#server/contacts/merge-contacts.ts';
import { db } from '#server/core/database/prisma.ts';
import { linkContact, unlinkContact } from '#server/inbox/claimed-addresses/link-contact.ts';
import { sendVerificationLink } from '#server/inbox/claimed-addresses/send-verification-link.ts';
import { findVerification, verifyAddress } from '#server/inbox/claimed-addresses/verify-address.ts';
import { viewOf } from '#test/clients/chat-client.ts';
import { test } from '#test/fixtures/claim-test.ts';

describe('the link of a claimed address', () => {
  test('moves the visitor’s conversations and later ones to the owner, until it is undone', async ({
    api,
    claim,
    setStatus,
    read,
  }) => {
    const { actor, workspaceId, visitor, id, contactId, email, ownerId } = await claim('Ada Marsh');
    await linkContact({ workspaceId, conversationId: id, ownerId: ownerId ?? '', actor });
    expect(await read(id)).toMatchObject({ contact: { id: ownerId }, contactClaimed: false, isLinked: true });
    const found = await api('GET', `/conversations/search?contact_email=${email}`);
    expect(found.body).toContainEqual(expect.objectContaining({ id }));
    await setStatus(id, 'closed');
    const next = viewOf(await visitor.write({ content: 'Again' })).conversationId ?? '';
    expect(await read(next)).toMatchObject({ contact: { id: ownerId }, isLinked: true });

    await unlinkContact({ workspaceId, conversationId: next, actor });
    for (const each of [id, next]) {
      expect(await read(each)).toMatchObject({
        contact: { id: contactId, email: null },
        contactClaimed: true,
        isLinked: false,
        claim: { email, owner: { id: ownerId, name: 'Ada Marsh' } },
      });
    }
    const after = await api('GET', `/conversations/search?contact_email=${email}`);
    expect(after.body).not.toContainEqual(expect.objectContaining({ id }));
  });

  test('is refused for a contact who does not have the address, or of another workspace', async ({
    claim,
  }) => {
    const [here, there] = [await claim('Ada Marsh'), await claim('Ada Marsh')];
    const { actor, workspaceId, id: conversationId } = here;
    for (const ownerId of [here.contactId, there.ownerId ?? '', randomUUID()]) {
      await expect(linkContact({ workspaceId, conversationId, ownerId, actor })).rejects.toMatchObject({
        refusal: 'invalid',
      });
    }
    await expect(
      linkContact({ workspaceId: randomUUID(), conversationId, ownerId: here.ownerId ?? '', actor }),
    ).rejects.toMatchObject({ refusal: 'invalid' });
  });

  test('is refused while the erasure of the visitor’s contact or of the owner is scheduled', async ({
    claim,
    send,
  }) => {
    const { actor, workspaceId, id: conversationId, contactId, email, ...owned } = await claim('Ada Marsh');
    const ownerId = owned.ownerId ?? '';
    const token = await send(conversationId, email);
    const scheduled = { requestedById: randomUUID(), requestedByName: 'Ben', dueAt: new Date() };
    for (const each of [contactId, ownerId]) {
      const where = { contactId: each };
      await db().contactErasure.create({ data: { ...scheduled, workspaceId, contactId: each } });
      const link = linkContact({ workspaceId, conversationId, ownerId, actor });
      await expect(link).rejects.toThrow('will be erased');
      await expect(verifyAddress(token)).rejects.toThrow('cannot be confirmed');
      expect(await db().contactLink.count({ where: { workspaceId } })).toBe(0);
      await db().contactErasure.delete({ where });
    }
    await verifyAddress(token);
    expect(await db().contactLink.count({ where: { workspaceId } })).toBe(1);
  });

  test('does not let the visitor read a conversation of the owner: none can be merged into theirs', async ({
    claim,
    merge,
  }) => {
    const { actor, workspaceId, id, ownerId, ownersConversation } = await claim('Ada Marsh');
    await linkContact({ workspaceId, conversationId: id, ownerId: ownerId ?? '', actor });
    await expect(merge(ownersConversation, id)).rejects.toMatchObject({ refusal: 'invalid' });
  });
});

test('links, confirmations and merges of the same contacts at the same time end with one owner', async ({
  claim,
  send,
  read,
}) => {
  for (let round = 0; round < 5; round += 1) {
    const { actor, workspaceId, id, contactId, email, ownerId } = await claim('Ada Marsh');
    const owner = ownerId ?? '';
    const token = await send(id, email);
    const [merged, ...others] = await Promise.allSettled([
      mergeContacts({ workspaceId, id: contactId, intoId: owner, actor }),
      linkContact({ workspaceId, conversationId: id, ownerId: owner, actor }),
      verifyAddress(token),
    ]);
    expect(merged.status).toBe('fulfilled');
    const refused = others.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    for (const reason of refused) expect(reason).toHaveProperty('refusal');
    expect(await read(id)).toMatchObject({ contact: { id: owner } });
  }
});

describe('the owner of the mailbox', () => {
  test('confirms by the mailed link, which links the visitor to their contact', async ({
    claim,
    send,
    read,
  }) => {
    const { id, ownerId, email } = await claim('Ada Marsh');
    const token = await send(id, email);
    expect(await findVerification(token)).toMatchObject({ email });
    expect(await read(id)).toMatchObject({ contactClaimed: true });
    expect(await verifyAddress(token)).toEqual({ email });
    expect(await read(id)).toMatchObject({ contact: { id: ownerId, email }, contactClaimed: false });
  });

  test('gives the address to the visitor’s contact, if no contact has it', async ({
    api,
    claim,
    send,
    read,
  }) => {
    const { id, contactId, email } = await claim(null);
    await verifyAddress(await send(id, email));
    expect(await read(id)).toMatchObject({
      contact: { id: contactId, email },
      contactClaimed: false,
      claim: null,
    });
    expect((await api('GET', `/contacts/search?email=${email}`)).body).toMatchObject([{ id: contactId }]);
  });
});

describe('the attacker', () => {
  test('cannot use a link twice, in parallel, after its expiry, or guess one', async ({ claim, send }) => {
    const { id, email } = await claim('Ada Marsh');
    const [token, expired] = [await send(id, email), await send(id, email)];
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => verifyAddress(token)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await db().addressVerification.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    for (const each of [token, expired, randomUUID(), '']) {
      expect(await findVerification(each)).toBeNull();
      await expect(verifyAddress(each)).rejects.toMatchObject({ refusal: 'forbidden' });
    }
  });

  test('cannot put text into the mail, or have more than three sent to an address in an hour', async ({
    claim,
    send,
    mailServer,
  }) => {
    const { actor, workspaceId, id, email } = await claim('Ada Marsh', 'Pay at evil.test');
    for (let sent = 0; sent < 3; sent += 1) await send(id, email);
    await expect(sendVerificationLink({ workspaceId, conversationId: id, actor })).rejects.toThrow(
      'Wait an hour',
    );
    const mails = mailServer.received.filter(({ to }) => to.includes(email));
    expect(mails).toHaveLength(3);
    for (const { raw } of mails) expect(raw).not.toMatch(/evil\.test/);
  });
});

import { describe, expect } from 'vitest';
import { fillPhoneKeys } from '#server/contacts/fill-phone-keys.ts';
import { db } from '#server/core/database/prisma.ts';
import { apiClient } from '#test/clients/api-client.ts';
import { makeConnection } from '#test/fixtures/factories.ts';
import type { MetaAccount } from '#test/fixtures/meta.ts';
import { change, messageOf, test, type Whatsapp, webhook } from '#test/fixtures/whatsapp-test.ts';

describe('a WhatsApp message from the number of a known contact', () => {
  test.for([
    ['+55 11 98765-4321', null, '551187654321'],
    ['+49 (0) 152 5763108', null, '491525763108'],
    ['+52 55 1234 5678', null, '5215512345678'],
    ['+54 11 2345-6789', null, '5491123456789'],
    ['0152 5763108', 'DE', '491525763108'],
    ['(11) 98765-4321', 'BR', '551187654321'],
  ] as const)(
    'that the API wrote as %s in %s belongs to that contact, who keeps the number as given',
    async ([phone, country, wa_id], { service, whatsapp }) => {
      const account = await whatsapp.connect();
      const { workspaceId } = account;
      await db().workspace.update({ where: { id: workspaceId }, data: { country } });
      const { accessToken } = await makeConnection({ workspaceId });
      const api = apiClient(service.url, accessToken);
      const { body } = await api('POST', '/contacts', { name: 'Rita', phone });
      await fillPhoneKeys();
      await write(whatsapp, account, wa_id);
      expect(await contactsOf(account)).toMatchObject([{ id: (body as { id: string }).id, phone }]);
      // The API's search compares digits, as before.
      expect((await api('GET', `/contacts/search?phone=${encodeURIComponent(phone)}`)).body).toHaveLength(1);
      expect((await api('GET', `/contacts/search?phone=${wa_id}`)).body).toHaveLength(
        phone.replaceAll(/\D/g, '') === wa_id ? 1 : 0,
      );
    },
  );

  test('that two contacts have belongs to neither', async ({ whatsapp }) => {
    const account = await whatsapp.connect();
    for (const phone of ['+55 11 98765-4321', '+55 11 8765-4321']) await know(account, phone);
    await fillPhoneKeys();
    await write(whatsapp, account, '551187654321');
    expect(await contactsOf(account)).toHaveLength(3);
  });
});

describe('keys of existing contacts', () => {
  test('are computed in batches, again when the workspace chooses its country, and merge nobody', async ({
    whatsapp,
  }) => {
    const account = await whatsapp.connect();
    const { workspaceId } = account;
    const phones = ['0152 5763108', '+49 152 5763108', 'ask at the door'];
    for (const phone of phones) await know(account, phone);
    await db().contact.createMany({
      data: Array.from({ length: 1_200 }, (_, n) => rowOf(workspaceId, `+49 30 ${100_000 + n}`)),
    });
    const keys = async () => (await contactsOf(account)).slice(0, 3).map(({ phoneKey }) => phoneKey);
    await fillPhoneKeys();
    expect(await keys()).toEqual(['', '+491525763108', '']);
    expect(await db().contact.count({ where: { workspaceId, phoneKey: null } })).toBe(0);
    await db().workspace.update({ where: { id: workspaceId }, data: { country: 'DE' } });
    await fillPhoneKeys();
    expect(await keys()).toEqual(['+491525763108', '+491525763108', '']);
    expect(await contactsOf(account)).toHaveLength(1_203);
    expect(await fillPhoneKeys()).toBe(0);
  });
});

const rowOf = (workspaceId: string, phone: string) => ({
  workspaceId,
  phone,
  phoneDigits: phone.replaceAll(/\D/g, '') || null,
});

const know = ({ workspaceId }: MetaAccount, phone: string) =>
  db().contact.create({ data: rowOf(workspaceId, phone) });

const contactsOf = ({ workspaceId }: MetaAccount) =>
  db().contact.findMany({ where: { workspaceId }, orderBy: { createdAt: 'asc' } });

async function write(whatsapp: Whatsapp, account: MetaAccount, wa_id: string): Promise<void> {
  const contacts = [{ profile: { name: 'Rita' }, wa_id }];
  await whatsapp.receive(
    account,
    webhook(change(account, { contacts, messages: [messageOf({ from: wa_id })] })),
  );
}

import { v7 as uuidv7 } from 'uuid';
import { phoneDigits } from '#server/contacts/contact-fields.ts';
import { updateContact } from '#server/contacts/update-contact.ts';
import { inTransaction } from '#server/core/database/prisma.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';

/**
 * Gives the contact with the earlier ids of a person at the provider the new ones, and continues their threads under the
 * first new id, so that replies reach them. Ids and a phone number that the person gave up no longer find the contact, because somebody
 * else can have them later. Changes nothing if nobody, or more than one contact, has these ids.
 */
export async function receiveNewIds(
  { id: accountId, workspaceId, channel }: ConnectedAccount,
  { earlierIds, abandonedIds, ids, scope, phone }: Extract<ReceivedUpdate, { kind: 'new_ids' }>,
): Promise<void> {
  await inTransaction(async (tx) => {
    const owners = await tx.$queryRaw<{ id: string; digits: string | null; isKnown: boolean }[]>`
      select k.id, k.phone_digits as digits, bool_or(i.external_id = any (${earlierIds}::text[])) as "isKnown"
      from contact_identities i join contacts k on k.workspace_id = i.workspace_id and k.id = i.contact_id
      where i.workspace_id = ${workspaceId}::uuid and i.channel = ${channel}::channel and i.scope = ${scope}
        and i.external_id = any (${[...earlierIds, ...ids]}::text[])
      group by k.id`;
    const [contact, ...others] = owners;
    if (!contact?.isKnown || others.length > 0) return;
    await tx.$executeRaw`
      insert into contact_identities (id, workspace_id, contact_id, channel, scope, external_id, name, phone)
      select n.id, ${workspaceId}::uuid, ${contact.id}::uuid, ${channel}::channel, ${scope}::text, n.external_id, last.name,
        coalesce(${phone}::text, last.phone)
      from unnest(${ids.map(() => uuidv7())}::uuid[], ${ids}::text[]) as n (id, external_id)
      cross join (select name, phone from contact_identities
        where workspace_id = ${workspaceId}::uuid and channel = ${channel}::channel and scope = ${scope}
          and external_id = any (${earlierIds}::text[]) order by updated_at desc limit 1) last
      on conflict (workspace_id, channel, scope, external_id) do nothing`;
    await tx.$executeRaw`
      delete from contact_identities where workspace_id = ${workspaceId}::uuid and channel = ${channel}::channel
        and scope = ${scope} and external_id = any (${abandonedIds}::text[])`;
    await tx.$executeRaw`
      update conversations set external_thread_id = ${ids[0]}::text
      where channel_account_id = ${accountId}::uuid and external_thread_id = any (${earlierIds}::text[])`;
    const hadNumber =
      contact.digits !== null && abandonedIds.some((id) => phoneDigits(id) === contact.digits);
    if (phone === null || !hadNumber) return;
    const actor = { kind: 'automatic' } as const;
    await updateContact({ workspaceId, id: contact.id, fields: { phone }, actor }, (work) => work(tx));
  });
}

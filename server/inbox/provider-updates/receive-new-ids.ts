import { v7 as uuidv7 } from 'uuid';
import { sql } from '#server/core/database/sql.ts';
import type { ConnectedAccount } from '#server/inbox/channels/channel-adapter.ts';
import type { ReceivedUpdate } from '#server/inbox/channels/received-update.ts';

/**
 * Adds the new ids of a person at the provider to the contact with the earlier ids, and continues their threads under the
 * first new id, so that replies reach them. Changes nothing if nobody has the earlier ids, or another contact has a new one.
 */
export async function receiveNewIds(
  { id: accountId, workspaceId, channel }: ConnectedAccount,
  { earlierIds, ids, scope, phone }: Extract<ReceivedUpdate, { kind: 'new_ids' }>,
): Promise<void> {
  await sql().$executeRaw`
    with known as (
      select i.contact_id, i.name, i.phone from contact_identities i
      where i.workspace_id = ${workspaceId}::uuid and i.channel = ${channel}::channel and i.scope = ${scope}
        and i.external_id = any (${earlierIds}::text[]) and not exists (
          select from contact_identities o
          where o.workspace_id = i.workspace_id and o.channel = i.channel and o.scope = i.scope
            and o.external_id = any (${ids}::text[]) and o.contact_id <> i.contact_id)
      limit 1
    ), added as (
      insert into contact_identities (id, workspace_id, contact_id, channel, scope, external_id, name, phone)
      select n.id, ${workspaceId}::uuid, contact_id, ${channel}::channel, ${scope}, n.external_id, name,
        coalesce(${phone}::text, phone)
      from known, unnest(${ids.map(() => uuidv7())}::uuid[], ${ids}::text[]) as n (id, external_id)
      on conflict (workspace_id, channel, scope, external_id) do nothing
    )
    update conversations set external_thread_id = ${ids[0]}::text
    where channel_account_id = ${accountId}::uuid and external_thread_id = any (${earlierIds}::text[])
      and exists (select from known)`;
}

import { sql } from '#server/core/database/sql.ts';

/** Maximum number of earlier messages in References. Enough for email programs to find the thread. */
export const REFERENCES_MAX = 20;

/**
 * Returns the thread of a person other than the contact who wrote in a conversation, if the reply is to them. It has the
 * Message-IDs of emails that this person wrote or received, oldest first. After a merge it has the subject of their own
 * conversation: the subject of the contact's is not for them.
 * @returns null if the reply is to the contact or to the addresses that the contact asked to answer
 */
export async function findOtherThread({
  workspaceId,
  conversationId,
  messageId,
  mailTo,
}: {
  workspaceId: string;
  conversationId: string;
  messageId: string;
  mailTo: string[];
}): Promise<{ subject: string | null; references: string[] } | null> {
  const [address, ...others] = mailTo;
  if (address === undefined || others.length > 0) return null;
  const [found] = await sql().$queryRaw<{ isOther: boolean; subject: string | null; references: string[] }[]>`
    with own as (
      select x.id, x.subject, x.last_message_at from conversations x
      join contacts k on k.workspace_id = x.workspace_id and k.id = x.contact_id
      where x.workspace_id = ${workspaceId}::uuid and x.merged_into_id = ${conversationId}::uuid
        and (${address} in (k.email, k.claimed_email) or exists (select from contact_identities i
          where i.workspace_id = k.workspace_id and i.contact_id = k.id and i.channel = 'email' and i.external_id = ${address}))
    )
    select
      exists (select from messages m where m.conversation_id = ${conversationId}::uuid and m.direction = 'inbound'
        and m.author_kind = 'contact' and m.author_name is not null and m.author_address = ${address}) as "isOther",
      (select subject from own order by last_message_at desc limit 1) as subject,
      array(select header from (
        select m.created_at, m.id, coalesce((select r.message_id_header from mail_references r where r.message_id = m.id limit 1),
          m.external_id) as header
        from messages m
        where (m.conversation_id = ${conversationId}::uuid and (m.author_address = ${address} or ${address} = any(m.mail_to || m.cc))
            or m.conversation_id in (select id from own))
          and m.direction <> 'forward' and m.id <> ${messageId}::uuid
        order by m.created_at desc, m.id desc limit ${REFERENCES_MAX}::int) newest
        where header like '<%' order by created_at, id) as "references"`;
  return found?.isOther ? found : null;
}

import { contactIdWithEmail } from '#server/contacts/contact-with-email.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import { isVisibleById } from '#server/inbox/conversations/visible-conversations.ts';
import type { MailboxChoice, MailboxChoices } from '#server/screens/inbox/composer-views.ts';
import type { MemberWorkspace } from '#server/teammates/signed-in.ts';

/** Maximum number of mailboxes; a workspace has no more (`MAILBOXES_MAX`). */
const OFFERED_MAX = 100;

/** SQL array of `MailboxChoice`: the mailboxes of `workspaceId`, an SQL expression, default first, then by address. */
export function mailboxChoices(workspaceId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`array(
    select json_build_object('id', b.id, 'address', b.address, 'isDefault', b.is_default)
    from mailboxes b where b.workspace_id = ${workspaceId}
    order by b.is_default desc, b.address limit ${OFFERED_MAX}::int)`;
}

/**
 * Returns the mailboxes of the workspace. `suggestedId` is the mailbox of the newest email conversation that the teammate
 * sees with the contact who has this address, else the default mailbox.
 */
export async function listMailboxes(
  db: Db,
  {
    workspace: { id: workspaceId, visibility },
    email,
  }: { workspace: Pick<MemberWorkspace, 'id' | 'visibility'>; email: string },
): Promise<MailboxChoices> {
  const contactId = contactIdWithEmail({ workspaceId, email: email.trim().toLowerCase() });
  const [found] = await db.$queryRaw<{ mailboxes: MailboxChoice[]; lastId: string | null }[]>`
    select ${mailboxChoices(Prisma.sql`${workspaceId}::uuid`)} as mailboxes, (
      select c.mailbox_id from conversations c
      where c.workspace_id = ${workspaceId}::uuid and c.contact_id = ${contactId}
        and c.channel = 'email' and c.mailbox_id is not null and ${isVisibleById(visibility)}
      order by c.last_message_at desc limit 1) as "lastId"`;
  const { mailboxes = [], lastId = null } = found ?? {};
  return { mailboxes, suggestedId: lastId ?? mailboxes.find(({ isDefault }) => isDefault)?.id ?? null };
}

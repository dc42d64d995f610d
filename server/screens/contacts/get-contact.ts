import { validate as isUuid } from 'uuid';
import { findMergedInto, remainingId } from '#server/contacts/contact-alias.ts';
import { contactName, contactSelect } from '#server/contacts/contact-record.ts';
import { type LogCursor, parseCursor, writeCursor } from '#server/core/cursor.ts';
import type { Db } from '#server/core/database/prisma.ts';
import { shownEmail } from '#server/core/email-domain.ts';
import { unlessDeleted } from '#server/core/unless-deleted.ts';
import { Prisma } from '#server/generated/prisma/client.ts';
import type { Role } from '#server/generated/prisma/enums.ts';
import { isVisible } from '#server/inbox/conversations/visible-conversations.ts';
import { listSamePhone } from '#server/screens/contacts/list-contacts.ts';
import {
  COLLEAGUES_MAX,
  type ContactView,
  type KnownContact,
  type Page,
} from '#server/screens/contacts/views.ts';
import { inboxRows } from '#server/screens/inbox/inbox-rows.ts';
import type { InboxRow } from '#server/screens/inbox/views.ts';
import { isAdmin, WORKING_ROLES } from '#server/teammates/roles.ts';
import type { Visibility } from '#server/teammates/visibility.ts';

/** Returns the fields of a contact, or null. `id` is any text. The id of a merged contact is an alias. */
export async function readContact(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<KnownContact | null> {
  const contact = isUuid(id)
    ? await db.contact.findUnique({
        where: { workspaceId_id: { workspaceId, id } },
        select: { ...contactSelect, claimedEmail: true },
        relationLoadStrategy: 'join',
      })
    : null;
  if (!contact) {
    const mergedInto = isUuid(id) ? await findMergedInto(db, { workspaceId, id }) : null;
    return mergedInto === null ? null : readContact(db, { workspaceId, id: mergedInto });
  }
  const { firstName, lastName, company, ...known } = contact;
  return {
    ...known,
    name: contactName({ firstName, lastName }),
    email: shownEmail(known.email),
    claimedEmail: known.email === null ? shownEmail(known.claimedEmail) : null,
    company: unlessDeleted(company),
  };
}

/** Returns whether a role can create and change contacts: all but viewers (docs/spec.md §1). */
export function mayChangeContacts(role: Role): boolean {
  return WORKING_ROLES.some((working) => working === role);
}

/** Returns a contact for its page, or null. `id` is any text. */
export async function getContact(
  db: Db,
  { workspaceId, id, role }: { workspaceId: string; id: string; role: Role },
): Promise<ContactView | null> {
  const contact = await readContact(db, { workspaceId, id });
  if (!contact) return null;
  const { company } = contact;
  const mayChange = mayChangeContacts(role);
  const which = { workspaceId, id: contact.id };
  const [colleagues, erasure, samePhone] = await Promise.all([
    company ? countColleagues(db, { ...which, companyId: company.id }) : 0,
    db.contactErasure.findUnique({
      where: { contactId: contact.id },
      select: { dueAt: true, requestedByName: true },
    }),
    mayChange && contact.phone !== null ? listSamePhone(db, which) : [],
  ]);
  return { ...contact, colleagues, mayChange, mayManageData: isAdmin(role), erasure, samePhone };
}

async function countColleagues(
  db: Db,
  { workspaceId, id, companyId }: { workspaceId: string; id: string; companyId: string },
): Promise<number> {
  const [found] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from (
      select from contacts
      where workspace_id = ${workspaceId}::uuid and company_id = ${companyId}::uuid and not is_test and id <> ${id}::uuid
      limit ${COLLEAGUES_MAX}::int) colleagues`;
  return found?.count ?? 0;
}

const PAGE_ROWS = 50;

/**
 * Returns a page of a contact's conversations that a teammate sees, newest message first, without merged ones, spam, deleted ones
 * and tests.
 * @param contactId any text; an unknown id has no conversations, and the id of a merged contact is an alias
 * @param cursor an invalid cursor starts at the newest
 */
export async function listContactConversations(
  db: Db,
  {
    workspaceId,
    userId = null,
    visibility,
    contactId,
    cursor,
  }: {
    workspaceId: string;
    userId?: string | null;
    visibility?: Visibility | null;
    contactId: string;
    cursor?: string | undefined;
  },
): Promise<Page<InboxRow>> {
  if (!isUuid(contactId)) return { rows: [], nextCursor: null };
  const after = parseCursor(cursor);
  const positions = await db.$queryRaw<LogCursor[]>`
    select id, (extract(epoch from last_message_at) * 1000000)::bigint::text as micros
    from conversations
    where workspace_id = ${workspaceId}::uuid and contact_id = ${remainingId({ workspaceId, id: contactId })}
      and merged_into_id is null and not is_test and removal is null and ${isVisible(visibility, 'conversations')}
      and ${isAfter(after)}
    order by last_message_at desc, id desc limit ${PAGE_ROWS + 1}::int`;
  const page = positions.slice(0, PAGE_ROWS);
  const last = page.at(-1);
  return {
    rows: await inboxRows(db, { reader: { workspaceId, userId }, ids: page.map(({ id }) => id) }),
    nextCursor: last && positions.length > PAGE_ROWS ? writeCursor(last) : null,
  };
}

function isAfter(after: LogCursor | null): Prisma.Sql {
  return after
    ? Prisma.sql`(last_message_at, id) <
        (timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond', ${after.id}::uuid)`
    : Prisma.sql`true`;
}

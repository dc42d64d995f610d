import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { settings } from '#server/core/env.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { unlessDeleted } from '#server/core/unless-deleted.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/** The columns of a contact itself that `contactRecord` shows. */
const contactColumns = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  phone: true,
  city: true,
  language: true,
  createdAt: true,
} satisfies Prisma.ContactSelect;

/** What a query must select for `contactRecord`. */
export const contactSelect = {
  ...contactColumns,
  company: { select: { id: true, name: true, deletedAt: true } },
} satisfies Prisma.ContactSelect;

export type SelectedContact = Prisma.ContactGetPayload<{ select: typeof contactSelect }>;

/** The one serializer of contacts. */
export function contactRecord(contact: SelectedContact): ContactRecord {
  return {
    id: contact.id,
    name: contactName(contact),
    first_name: contact.firstName,
    last_name: contact.lastName,
    email: contact.email,
    phone: contact.phone,
    city: contact.city,
    language: contact.language,
    company: unlessDeleted(contact.company),
    created_at: timestamp(contact.createdAt),
    url: `${settings().BASE_URL}/contacts/${contact.id}`,
  };
}

/** The name as one text, or null when there is none. */
export function contactName(contact: { firstName: string | null; lastName: string | null }): string | null {
  return [contact.firstName, contact.lastName].filter(Boolean).join(' ') || null;
}

import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { settings } from '#server/core/env.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { unlessDeleted } from '#server/core/unless-deleted.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

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

/** The columns that `contactRecord` needs. */
export const contactSelect = {
  ...contactColumns,
  company: { select: { id: true, name: true, deletedAt: true } },
} satisfies Prisma.ContactSelect;

export type SelectedContact = Prisma.ContactGetPayload<{ select: typeof contactSelect }>;

/** The only serializer of contacts (docs/rulings.md 1.3). */
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

/** Returns first and last name in one string, or null. */
export function contactName(contact: { firstName: string | null; lastName: string | null }): string | null {
  return [contact.firstName, contact.lastName].filter(Boolean).join(' ') || null;
}

import type { ContactRecord } from '#server/contract/record-schemas.ts';
import { settings } from '#server/core/env.ts';
import { timestamp } from '#server/core/timestamp.ts';
import { unlessDeleted } from '#server/core/unless-deleted.ts';
import { Prisma } from '#server/generated/prisma/client.ts';

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

/** A contact as selected by `contactSelect` or `CONTACT_JSON`. A timestamp in JSON is a string. */
export type SelectedContact = Omit<
  Prisma.ContactGetPayload<{ select: typeof contactColumns }>,
  'createdAt'
> & {
  createdAt: Date | string;
  company: { id: string; name: string; deletedAt?: Date | null } | null;
};

/** SQL for the input of `contactRecord` as one JSON value, from `contacts k` joined by `COMPANY_JOIN`. */
export const CONTACT_JSON = `json_build_object('id', k.id, 'firstName', k.first_name, 'lastName', k.last_name,
    'email', k.email, 'phone', k.phone, 'city', k.city, 'language', k.language, 'createdAt', k.created_at,
    'company', case when o.id is not null then json_build_object('id', o.id, 'name', o.name) end)`;
export const COMPANY_JOIN =
  'left join companies o on o.workspace_id = k.workspace_id and o.id = k.company_id and o.deleted_at is null';

/** Returns SQL for what `contactLabel` needs as JSON, from `contacts` joined under this alias. */
export function contactOf(alias: string): Prisma.Sql {
  return Prisma.raw(`case when ${alias}.id is not null then json_build_object('id', ${alias}.id,
    'firstName', ${alias}.first_name, 'lastName', ${alias}.last_name, 'email', ${alias}.email,
    'phone', ${alias}.phone) end`);
}

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
    created_at: timestamp(new Date(contact.createdAt)),
    url: `${settings().BASE_URL}/contacts/${contact.id}`,
  };
}

/** Returns first and last name in one string, or null. */
export function contactName(contact: { firstName: string | null; lastName: string | null }): string | null {
  return [contact.firstName, contact.lastName].filter(Boolean).join(' ') || null;
}

import type { ContactField } from '#server/contacts/contact-fields.ts';
import { contactName } from '#server/contacts/contact-record.ts';
import type { Contact } from '#server/generated/prisma/client.ts';

type Fields = Pick<
  Contact,
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'phoneDigits'
  | 'phoneKey'
  | 'city'
  | 'language'
  | 'companyId'
>;

/**
 * Returns the columns of the remaining contact after a merge. A field of `into` wins; an empty one is filled
 * from the merged contact. A claimed address remains only while the contact has no email address. Unsubscribing from
 * rating requests applies to both.
 */
export function filledColumns(
  into: Fields & Pick<Contact, 'claimedEmail' | 'ratingsDeclinedAt'>,
  from: Fields & Pick<Contact, 'claimedEmail' | 'ratingsDeclinedAt'>,
) {
  const email = into.email ?? from.email;
  const named = contactName(into) === null ? from : into;
  const called = into.phone === null ? from : into;
  return {
    firstName: named.firstName,
    lastName: named.lastName,
    email,
    claimedEmail: email === null ? (into.claimedEmail ?? from.claimedEmail) : null,
    phone: called.phone,
    phoneDigits: called.phoneDigits,
    phoneKey: called.phoneKey,
    city: into.city ?? from.city,
    language: into.language ?? from.language,
    companyId: into.companyId ?? from.companyId,
    ratingsDeclinedAt: into.ratingsDeclinedAt ?? from.ratingsDeclinedAt,
  };
}

/** A field of a contact, or its company. */
export type MergedFieldName = ContactField | 'company';

/** A field after the merge. `lost` is the merged contact's value, if another one wins. */
export type MergedField = { field: MergedFieldName; value: string; lost: string | null };

type Shown = Record<MergedFieldName, string | null>;

/** Returns the fields that the remaining contact will have, in the order of the contact's page. */
export function mergedFields(into: Shown, from: Shown): MergedField[] {
  const order = ['name', 'email', 'phone', 'city', 'language', 'company'] as const;
  return order.flatMap((field) => {
    const value = into[field] ?? from[field];
    if (value === null) return [];
    return [{ field, value, lost: from[field] === value ? null : from[field] }];
  });
}

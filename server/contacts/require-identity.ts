import { type ContactField, type ContactFields, isSomebody } from '#server/contacts/contact-fields.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Under which condition a contact may be changed so: a name, an email address or a phone number must be left, unless it
 * is from testing the AI agent or a visitor of whom none was known before. It belongs into the update itself, so that
 * two teammates who empty different fields at once do not leave a contact without any.
 */
export function requireIdentity({
  fields,
  empty,
}: {
  fields: ContactFields;
  empty: readonly ContactField[];
}): Prisma.ContactWhereInput {
  const emptied = (field: ContactField) => empty.includes(field);
  if (isSomebody(fields) || !(emptied('name') || emptied('email') || emptied('phone'))) return {};
  return {
    OR: [
      { isTest: true },
      { firstName: null, lastName: null, email: null, phone: null },
      ...(emptied('name') ? [] : [{ firstName: { not: null } }, { lastName: { not: null } }]),
      ...(emptied('email') ? [] : [{ email: { not: null } }]),
      ...(emptied('phone') ? [] : [{ phone: { not: null } }]),
    ],
  };
}

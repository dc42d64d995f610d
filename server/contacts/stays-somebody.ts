import { type ContactField, type ContactFields, isSomebody } from '#server/contacts/contact-fields.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/**
 * Under which condition a contact may be changed so: a name, an e-mail address or a phone number must be left, unless
 * it is from testing the AI agent. It belongs into the update itself, so that two teammates who empty different fields
 * at once do not leave a contact without any. The check `contacts_not_nobody` of the database says the same.
 */
export function staysSomebody({
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
      ...(emptied('name') ? [] : [{ firstName: { not: null } }, { lastName: { not: null } }]),
      ...(emptied('email') ? [] : [{ email: { not: null } }]),
      ...(emptied('phone') ? [] : [{ phone: { not: null } }]),
    ],
  };
}

/** A contact with its name in one string or in two parts. */
type Known = { id: string; email: string | null; phone: string | null } & (
  | { name: string | null }
  | { firstName: string | null; lastName: string | null }
);

/**
 * Returns the label of a contact on screens and in emails: the name, else the email address, else the phone
 * number. Otherwise it is a visitor with the last four characters of the id, as the first ones encode the
 * time.
 */
export function contactLabel(contact: Known): string {
  const name =
    'name' in contact ? contact.name : [contact.firstName, contact.lastName].filter(Boolean).join(' ');
  return name || contact.email || contact.phone || `Visitor ${contact.id.slice(-4)}`;
}

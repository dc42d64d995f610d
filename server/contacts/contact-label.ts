/** What is known of someone: the name as one text, or in its two parts. */
type Known = { id: string; email: string | null; phone: string | null } & (
  | { name: string | null }
  | { firstName: string | null; lastName: string | null }
);

/**
 * What screens and mails call a contact: by name, else by address, else by phone number. Someone of whom none is known
 * is a visitor, distinguished by the last four characters of the id (the first ones are a time).
 */
export function contactLabel(contact: Known): string {
  const name =
    'name' in contact ? contact.name : [contact.firstName, contact.lastName].filter(Boolean).join(' ');
  return name || contact.email || contact.phone || `Visitor ${contact.id.slice(-4)}`;
}

/** Addresses without those of the contact. */
export function without(column: string, emails: string): string {
  return `array(select a.address from unnest(${column}) as a (address) where a.address <> all(${emails}))`;
}

/** Assignments of the columns with recipients of the message `m`, without the addresses of the contact. */
export function withoutRecipients(emails: string): string {
  const columns = ['mail_to', 'cc', 'bcc', 'reply_to'];
  return columns.map((column) => `${column} = ${without(`m.${column}`, emails)}`).join(', ');
}

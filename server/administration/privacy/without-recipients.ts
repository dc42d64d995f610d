/** Addresses without those of the contact. Those in drafts are as typed. */
export function without(column: string, emails: string): string {
  return `array(select a.address from unnest(${column}) as a (address) where lower(a.address) <> all(${emails}))`;
}

/** Condition: a text has one of these addresses. */
export function hasAddress(text: string, emails: string): string {
  return `exists (select from unnest(${emails}) as a (address) where strpos(lower(${text}), a.address) > 0)`;
}

const NOT_DELIVERED = 'It was not delivered to an address that has been erased.';

/** Assignments of the columns with recipients of the message `m`, without the addresses of the contact. Mail servers name them in their errors. */
export function withoutRecipients(emails: string): string {
  const columns = ['mail_to', 'cc', 'bcc', 'reply_to', 'undelivered_to'];
  return [
    ...columns.map((column) => `${column} = ${without(`m.${column}`, emails)}`),
    `delivery_error = case when ${hasAddress('m.delivery_error', emails)} then '${NOT_DELIVERED}' else m.delivery_error end`,
  ].join(', ');
}

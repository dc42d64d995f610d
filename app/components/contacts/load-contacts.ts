'use server';

import { openScreens } from '#app/data/open-screens.ts';
import type { ContactsView } from '#app/lib/contacts-path.ts';
import type { ContactRow, Page } from '#server/people/contacts/views.ts';

/** The page of contacts at a cursor. */
export async function loadContacts(
  { search, company }: ContactsView,
  cursor: string,
): Promise<Page<ContactRow>> {
  return (await openScreens()).contacts.list({ search, companyId: company, cursor });
}

'use client';

import { ListSearch } from '#app/components/contacts/list-search.tsx';
import { type ContactsView, contactsPath } from '#app/lib/contacts-path.ts';

/** Searches the contacts, among all or those of the company that the list is narrowed to. */
export function ContactSearch({ view }: { view: ContactsView }) {
  return (
    <ListSearch
      action="/contacts"
      pathOf={(search) => contactsPath({ ...view, search })}
      search={view.search}
      label="Search contacts"
      placeholder="Name, email, phone or company"
    >
      {view.company ? <input type="hidden" name="company" value={view.company} /> : null}
    </ListSearch>
  );
}

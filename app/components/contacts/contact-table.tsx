'use client';

import { ContactTableRow } from '#app/components/contacts/contact-table-row.tsx';
import { loadContacts } from '#app/components/contacts/load-contacts.ts';
import { LoadMore } from '#app/components/contacts/load-more.tsx';
import { newestFirst } from '#app/components/contacts/loaded-rows.ts';
import { useLoadedRows } from '#app/components/contacts/use-loaded-rows.ts';
import { Card } from '#app/components/ui/card.tsx';
import type { ContactsView } from '#app/lib/contacts-path.ts';
import type { ContactRow, Page } from '#server/people/contacts/views.ts';

type Props = { newest: Page<ContactRow>; view: ContactsView };

/** The contacts, newest first, loading on; on a phone the name and what is known best, from a tablet on everything. */
export function ContactTable({ newest, view }: Props) {
  const { rows, ...more } = useLoadedRows(newest, {
    load: (cursor) => loadContacts(view, cursor),
    isBelow: newestFirst(({ createdAt }) => createdAt),
  });
  return (
    <Card className="overflow-hidden">
      <table className="w-full table-fixed text-left text-list">
        <thead className="border-b text-ink-faint text-xs">
          <tr>
            <th scope="col" className="px-4 py-2 font-medium">
              Name
            </th>
            <th scope="col" className="px-4 py-2 font-medium max-md:hidden">
              E-mail
            </th>
            <th scope="col" className="px-4 py-2 font-medium max-lg:hidden">
              Phone
            </th>
            {view.company === undefined ? (
              <th scope="col" className="px-4 py-2 font-medium max-lg:hidden">
                Company
              </th>
            ) : null}
            <th scope="col" className="w-32 px-4 py-2 text-right font-medium max-md:w-28">
              Added
            </th>
          </tr>
        </thead>
        <tbody className="divide-y border-b">
          {rows.map((contact) => (
            <ContactTableRow key={contact.id} contact={contact} view={view} />
          ))}
        </tbody>
      </table>
      <LoadMore id="contacts-end" one="contact" shown={rows.length} {...more} />
    </Card>
  );
}

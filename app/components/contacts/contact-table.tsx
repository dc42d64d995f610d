'use client';

import { ContactTableRow } from '#app/components/contacts/contact-table-row.tsx';
import { LoadMore } from '#app/components/contacts/load-more.tsx';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { useLiveList } from '#app/components/live/use-live-list.ts';
import { Card } from '#app/components/ui/card.tsx';
import type { ContactsView } from '#app/lib/contacts-path.ts';
import { joinRows } from '#app/lib/live-list.ts';
import type { ContactRow, Page } from '#server/people/contacts/views.ts';

type Props = { newest: Page<ContactRow>; view: ContactsView };

/** The contacts, newest first, loading on; on a phone the name and what is known best, from a tablet on everything. */
export function ContactTable({ newest, view }: Props) {
  const screens = useScreens();
  const { search, company: companyId } = view;
  const { pages, ...more } = useLiveList({
    key: ['contacts.list', { search, companyId }],
    first: newest,
    next: (page) => page.nextCursor,
    load: (cursor, signal) => screens.contacts.list.query({ search, companyId, cursor }, { signal }),
  });
  const rows = joinRows(pages.map((page) => page.rows));
  return (
    <Card className="overflow-hidden">
      <table className="w-full table-fixed text-left text-list">
        <thead className="border-b text-ink-faint text-xs">
          <tr>
            <th scope="col" className="px-4 py-2 font-medium">
              Name
            </th>
            <th scope="col" className="px-4 py-2 font-medium max-md:hidden">
              Email
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

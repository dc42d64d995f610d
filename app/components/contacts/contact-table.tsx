'use client';

import { ContactTableRow } from '#app/components/contacts/contact-table-row.tsx';
import { LoadMore } from '#app/components/contacts/load-more.tsx';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { type ServedPages, useServedPages } from '#app/components/live/served-pages.ts';
import { Card } from '#app/components/ui/card.tsx';
import { HeaderCell, Table, TableHead } from '#app/components/ui/table.tsx';
import type { ContactsView } from '#app/lib/contacts-path.ts';
import { joinRows } from '#app/lib/join-rows.ts';
import type { ContactRow, Page } from '#server/screens/contacts/views.ts';

type Props = { served: ServedPages<Page<ContactRow>>; view: ContactsView };

/** Lists contacts, newest first, with infinite loading. On phones, shows only the name and the best known address. */
export function ContactTable({ served, view }: Props) {
  const screens = useScreens();
  const { search, company: companyId } = view;
  const { pages, query } = useServedPages(served, {
    queryKey: ['contacts', 'list', { search, companyId }],
    load: (cursor, signal) => screens.contacts.list.query({ search, companyId, cursor }, { signal }),
  });
  const rows = joinRows(pages.map((page) => page.rows));
  return (
    <Card className="overflow-hidden">
      <Table>
        <TableHead>
          <HeaderCell>Name</HeaderCell>
          <HeaderCell className="max-md:hidden">Email</HeaderCell>
          <HeaderCell className="max-lg:hidden">Phone</HeaderCell>
          {view.company === undefined ? <HeaderCell className="max-lg:hidden">Company</HeaderCell> : null}
          <HeaderCell className="w-32 text-right max-md:w-28">Added</HeaderCell>
        </TableHead>
        <tbody className="divide-y border-b">
          {rows.map((contact) => (
            <ContactTableRow key={contact.id} contact={contact} view={view} />
          ))}
        </tbody>
      </Table>
      <LoadMore id="contacts-end" one="contact" shown={rows.length} query={query} />
    </Card>
  );
}

'use client';

import Link from 'next/link';
import { LoadMore } from '#app/components/contacts/load-more.tsx';
import { useScreens } from '#app/components/live/screens-provider.tsx';
import { type ServedPages, useServedPages } from '#app/components/live/served-pages.ts';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { HeaderCell, Table, TableHead } from '#app/components/ui/table.tsx';
import { companyPath } from '#app/lib/contacts-path.ts';
import { formatCount } from '#app/lib/format-count.ts';
import { joinRows } from '#app/lib/join-rows.ts';
import type { CompanyRow, Page } from '#server/screens/contacts/views.ts';

/** Lists companies by name, with infinite loading. On phones the domains move below the name. */
export function CompanyTable({ served, search }: { served: ServedPages<Page<CompanyRow>>; search: string }) {
  const screens = useScreens();
  const { pages, query } = useServedPages(served, {
    queryKey: ['companies', 'list', { search }],
    load: (cursor, signal) => screens.companies.list.query({ search, cursor }, { signal }),
  });
  const rows = joinRows(pages.map((page) => page.rows));
  return (
    <Card className="overflow-hidden">
      <Table>
        <TableHead>
          <HeaderCell>Name</HeaderCell>
          <HeaderCell className="max-md:hidden">Domains</HeaderCell>
          <HeaderCell className="w-28 text-right">Contacts</HeaderCell>
        </TableHead>
        <tbody className="divide-y border-b">
          {rows.map((company) => (
            <CompanyTableRow key={company.id} company={company} />
          ))}
        </tbody>
      </Table>
      <LoadMore id="companies-end" one="company" many="companies" shown={rows.length} query={query} />
    </Card>
  );
}

function CompanyTableRow({
  company: { id, name, domains, domainsCount, contacts },
}: {
  company: CompanyRow;
}) {
  const others = domainsCount - domains.length;
  const listed = [...domains, ...(others > 0 ? [`and ${others} more`] : [])].join(', ');
  return (
    <tr className="relative hover:bg-hover">
      <th scope="row" className="px-4 py-2.5 font-normal">
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={name} square tone="neutral" />
          <span className="grid min-w-0">
            <Link
              href={companyPath(id)}
              prefetch={false}
              className="focus-inset truncate font-semibold after:absolute after:inset-0"
            >
              {name}
            </Link>
            {listed ? <span className="truncate text-ink-soft text-xs md:hidden">{listed}</span> : null}
          </span>
        </span>
      </th>
      <td className="truncate px-4 py-2.5 text-ink-soft max-md:hidden">{listed || '–'}</td>
      <td className="tabular px-4 py-2.5 text-right text-ink-soft">{formatCount(contacts)}</td>
    </tr>
  );
}

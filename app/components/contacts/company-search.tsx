'use client';

import { ListSearch } from '#app/components/contacts/list-search.tsx';
import { companiesPath } from '#app/lib/companies-path.ts';

/** Searches the companies. */
export function CompanySearch({ search }: { search: string }) {
  return (
    <ListSearch
      action={companiesPath()}
      pathOf={companiesPath}
      search={search}
      label="Search companies"
      placeholder="Name or domain"
    />
  );
}

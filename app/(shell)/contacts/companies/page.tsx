import type { Metadata } from 'next';
import { Suspense } from 'react';
import { CompanyDialog } from '#app/components/companies/company-dialog.tsx';
import { CompanyList } from '#app/components/companies/company-list.tsx';
import { ContactsTabs } from '#app/components/contacts/contacts-navigation.tsx';
import { CompanySearch } from '#app/components/contacts/list-search.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { companiesPath } from '#app/lib/contacts-path.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Companies' };

export default async function CompaniesPage({ searchParams }: { searchParams: Query }) {
  const search = firstParam((await searchParams).search) ?? '';
  const { workspace } = await requireWorkspace(companiesPath(search));
  const mayCreate = await (await getScreens()).contacts.mayChange();
  return (
    <PageBody wide>
      <div className="flex items-start justify-between gap-4">
        <PageHeader title="Companies">
          The companies that the contacts of {workspace.name} work for.
        </PageHeader>
        {mayCreate ? <CompanyDialog /> : null}
      </div>
      <ContactsTabs here="companies" />
      <div className="mb-4 md:max-w-md">
        <CompanySearch key={workspace.id} search={search} />
      </div>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading companies" />}>
        <CompanyList search={search} mayCreate={mayCreate} />
      </Suspense>
    </PageBody>
  );
}

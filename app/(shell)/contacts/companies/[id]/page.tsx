import type { Metadata } from 'next';
import { Suspense } from 'react';
import { CompanyDialog } from '#app/components/companies/company-dialog.tsx';
import { CompanyContacts, CompanyDomains } from '#app/components/companies/company-sections.tsx';
import { DeleteCompanyButton } from '#app/components/companies/delete-company-button.tsx';
import { BackLink } from '#app/components/contacts/contacts-navigation.tsx';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { getCompany } from '#app/data/cached-reads.ts';
import { requireWorkspace } from '#app/data/session.ts';
import { companiesPath, companyPath } from '#app/lib/contacts-path.ts';
import { countedWords } from '#app/lib/format-count.ts';

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  await requireWorkspace(companyPath(id));
  return { title: (await getCompany(id)).name };
}

export default async function CompanyPage({ params }: Props) {
  const { id } = await params;
  await requireWorkspace(companyPath(id));
  const company = await getCompany(id);
  const { name, contacts, mayChange } = company;
  return (
    <PageBody wide>
      <BackLink href={companiesPath()}>Companies</BackLink>
      <header className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex min-w-0 grow basis-64 items-center gap-3">
          <Avatar name={name} size="large" square tone="neutral" />
          <div className="grid min-w-0">
            <h1 className="text-xl [overflow-wrap:anywhere]">{name}</h1>
            <p className="text-ink-soft">{countedWords(contacts, 'contact')}</p>
          </div>
        </div>
        {mayChange ? (
          <div className="flex gap-2 max-md:grow">
            <CompanyDialog company={{ id, name }} />
            <DeleteCompanyButton company={company} />
          </div>
        ) : null}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <CompanyDomains company={company} />
        <Suspense fallback={<TableSkeleton label="Loading contacts" />}>
          <CompanyContacts id={id} />
        </Suspense>
      </div>
      <RefreshOn topic="conversations" />
    </PageBody>
  );
}

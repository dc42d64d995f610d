import type { Metadata } from 'next';
import { Suspense } from 'react';
import { CompanyChip, ContactList, NewContactLink } from '#app/components/contacts/contact-list.tsx';
import { ContactsTabs } from '#app/components/contacts/contacts-navigation.tsx';
import { CountryQuestion } from '#app/components/contacts/country-question.tsx';
import { ContactSearch } from '#app/components/contacts/list-search.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { contactsPath, parseContactsView } from '#app/lib/contacts-path.ts';
import type { Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Contacts' };

export default async function ContactsPage({ searchParams }: { searchParams: Query }) {
  const view = parseContactsView(await searchParams);
  const { workspace } = await requireWorkspace(contactsPath(view));
  const mayCreate = await (await getScreens()).contacts.mayChange();
  return (
    <PageBody wide>
      <div className="flex items-start justify-between gap-4">
        <PageHeader title="Contacts">The people {workspace.name} talks with, newest first.</PageHeader>
        {mayCreate ? <NewContactLink /> : null}
      </div>
      <ContactsTabs here="contacts" />
      <CountryQuestion key={workspace.id} />
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <div className="min-w-0 grow md:max-w-md">
          <ContactSearch key={workspace.id} view={view} />
        </div>
        {view.company ? <CompanyChip id={view.company} search={view.search} /> : null}
      </div>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading contacts" />}>
        <ContactList view={view} mayCreate={mayCreate} />
      </Suspense>
    </PageBody>
  );
}

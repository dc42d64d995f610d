import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ContactTable } from '#app/components/contacts/contact-table.tsx';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { PageHeader } from '#app/components/ui/page-header.tsx';
import { TableSkeleton } from '#app/components/ui/table-skeleton.tsx';
import { requireWorkspace } from '#app/data/require-workspace.ts';

export const metadata: Metadata = { title: 'Contacts' };

export default async function ContactsPage() {
  const { workspace } = await requireWorkspace('/contacts');
  return (
    <PageBody wide>
      <PageHeader title="Contacts">The people {workspace.name} talks with, the newest first.</PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading contacts" />}>
        <ContactTable />
      </Suspense>
    </PageBody>
  );
}

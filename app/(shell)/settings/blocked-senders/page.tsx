import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { BlockedSenders } from '#app/components/settings/blocked-senders/blocked-senders.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Blocked senders' };

export default async function BlockedSendersPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/settings/blocked-senders');
  if (!isIn('admins', workspace.role)) notFound();
  const search = firstParam((await searchParams).search)?.slice(0, 320) ?? '';
  return (
    <PageBody>
      <PageHeader title="Blocked senders">
        Messages from these senders are refused and not stored. Workflows don’t see them.
      </PageHeader>
      <BlockedSenders key={workspace.id} search={search} />
    </PageBody>
  );
}

import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { RemovedList } from '#app/components/inbox/removed-list.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Deleted' };

export default async function DeletedPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/inbox/deleted');
  if (!isIn('admins', workspace.role)) notFound();
  const cursor = firstParam((await searchParams).after);
  const page = await (await getScreens()).removed.listDeleted({ cursor });
  return (
    <PageBody>
      <PageHeader title="Deleted">
        Deleted conversations can be restored for 30 days. After that, they are removed for good.
      </PageHeader>
      <RemovedList kind="deleted" page={page} mayRestore />
    </PageBody>
  );
}

import type { Metadata } from 'next';
import { RemovedList } from '#app/components/inbox/removed-list.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Spam' };

export default async function SpamPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/inbox/spam');
  const cursor = firstParam((await searchParams).after);
  const page = await (await getScreens()).removed.listSpam({ cursor });
  return (
    <PageBody>
      <PageHeader title="Spam">
        New messages in these conversations stay here. Workflows and automations don’t see them.
      </PageHeader>
      <RemovedList kind="spam" page={page} mayRestore={workspace.role !== 'viewer'} />
    </PageBody>
  );
}

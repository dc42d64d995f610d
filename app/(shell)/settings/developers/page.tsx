import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { ApiTokens } from '#app/components/settings/developers/api-tokens.tsx';
import { Webhooks } from '#app/components/settings/developers/webhooks.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Developers' };

export default async function DevelopersPage() {
  const { workspace } = await requireWorkspace('/settings/developers');
  if (!isIn('admins', workspace.role)) notFound();
  return (
    <PageBody>
      <PageHeader title="Developers">
        API tokens let your own programs read and change {workspace.name}. Webhooks send them events.
      </PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading the API tokens" />}>
        <ApiTokens />
      </Suspense>
      <div className="mt-8">
        <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading the webhooks" />}>
          <Webhooks />
        </Suspense>
      </div>
    </PageBody>
  );
}

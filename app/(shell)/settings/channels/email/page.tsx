import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { TestChannels } from '#app/components/settings/channels/test-channels.tsx';
import { EmailSettings } from '#app/components/settings/email/email-settings.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { BackLink } from '#app/components/ui/back-link.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Email' };

export default async function EmailPage() {
  const { workspace } = await requireWorkspace('/settings/channels/email');
  if (!isIn('admins', workspace.role)) notFound();
  return (
    <PageBody>
      <BackLink href="/settings/channels">Channels</BackLink>
      <PageHeader title="Email">How {workspace.name} receives and sends email.</PageHeader>
      {workspace.isTest ? (
        <TestChannels />
      ) : (
        <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading the email settings" />}>
          <EmailSettings />
        </Suspense>
      )}
    </PageBody>
  );
}

import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { ChannelSettings } from '#app/components/settings/channels/channel-settings.tsx';
import { TestChannels } from '#app/components/settings/channels/test-channels.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Channels' };

export default async function ChannelsPage() {
  const { workspace } = await requireWorkspace('/settings/channels');
  if (!isIn('admins', workspace.role)) notFound();
  return (
    <PageBody>
      <PageHeader title="Channels">
        Channels that contacts use to write to {workspace.name}, besides web chat.{' '}
        {workspace.isTest ? null : 'Replies are sent on the same channel.'}
      </PageHeader>
      {workspace.isTest ? (
        <TestChannels />
      ) : (
        <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading the channels" />}>
          <ChannelSettings />
        </Suspense>
      )}
    </PageBody>
  );
}

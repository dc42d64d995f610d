import type { Metadata } from 'next';
import { Suspense } from 'react';
import { WebChatSettings } from '#app/components/settings/web-chat/web-chat-settings.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Web chat' };

export default async function WebChatPage() {
  const { workspace } = await requireWorkspace('/settings/web-chat');
  return (
    <PageBody>
      <PageHeader title="Web chat">
        Visitors to your site write to {workspace.name} in a chat, and you answer from the inbox.
      </PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading web chat settings" />}>
        <WebChatSettings workspaceName={workspace.name} />
      </Suspense>
    </PageBody>
  );
}

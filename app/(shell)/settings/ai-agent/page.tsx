import type { Metadata } from 'next';
import { Suspense } from 'react';
import { AgentSettings } from '#app/components/settings/ai-agent/agent-settings.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'AI agent' };

export default async function AgentPage() {
  const { workspace } = await requireWorkspace('/settings/ai-agent');
  return (
    <PageBody>
      <PageHeader title="AI agent">
        Answers contacts of {workspace.name} with your saved answers until a teammate replies.
      </PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading the AI agent" />}>
        <AgentSettings workspaceName={workspace.name} role={workspace.role} />
      </Suspense>
    </PageBody>
  );
}

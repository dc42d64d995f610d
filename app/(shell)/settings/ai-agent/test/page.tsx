import { ArrowLeft } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { AgentTest } from '#app/components/settings/ai-agent/agent-test.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Test the AI agent' };

export default async function AgentTestPage() {
  const { workspace } = await requireWorkspace('/settings/ai-agent/test');
  return (
    <PageBody>
      <Link
        href="/settings/ai-agent"
        className="mb-3 inline-flex items-center gap-1.5 text-ink-soft text-list hover:text-ink hover:underline max-md:min-h-11"
      >
        <ArrowLeft aria-hidden size={15} />
        AI agent
      </Link>
      <PageHeader title="Test the agent">
        Write as a contact would to see how the agent answers. Only you can see this test. It starts no
        workflows, notifies nobody and is deleted after a day.
      </PageHeader>
      <AgentTest key={workspace.id} mayTest={workspace.role !== 'viewer'} />
    </PageBody>
  );
}

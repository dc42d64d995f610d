import { ArrowLeft } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { EmailSettings } from '#app/components/settings/email/email-settings.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Email' };

export default async function EmailPage() {
  const { workspace } = await requireWorkspace('/settings/channels/email');
  if (!['owner', 'admin'].includes(workspace.role)) notFound();
  return (
    <PageBody>
      <Link
        href="/settings/channels"
        className="mb-3 inline-flex items-center gap-1.5 text-ink-soft text-list hover:text-ink"
      >
        <ArrowLeft aria-hidden size={15} />
        Channels
      </Link>
      <PageHeader title="Email">How {workspace.name} receives and sends email.</PageHeader>
      <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading the email settings" />}>
        <EmailSettings />
      </Suspense>
    </PageBody>
  );
}

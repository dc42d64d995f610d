import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { SavedReplies } from '#app/components/settings/saved-replies/saved-replies.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Saved replies' };

export default async function SavedRepliesPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/settings/saved-replies');
  if (workspace.role === 'viewer') notFound();
  const search = firstParam((await searchParams).search)?.slice(0, 100) ?? '';
  return (
    <PageBody>
      <PageHeader title="Saved replies">
        Type <kbd>/</kbd> in a reply to insert one, with the names of the contact and the teammate filled in.
      </PageHeader>
      <SavedReplies key={workspace.id} search={search} />
    </PageBody>
  );
}

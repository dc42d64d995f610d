import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { VisibilitySettings } from '#app/components/settings/visibility/visibility-settings.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Visibility' };

export default async function VisibilityPage() {
  const { workspace } = await requireWorkspace('/settings/visibility');
  if (!isIn('admins', workspace.role)) notFound();
  return (
    <PageBody>
      <PageHeader title="Visibility">
        Who can see which conversations. Owners and admins see all of them. Everyone sees the conversations
        that are assigned to them or their teams, and all contacts.
      </PageHeader>
      <VisibilitySettings key={workspace.id} />
    </PageBody>
  );
}

import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import { FieldList } from '#app/components/settings/fields/field-list.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { getScreens, requireWorkspace } from '#app/data/session.ts';

export const metadata: Metadata = { title: 'Fields' };

export default async function FieldsPage() {
  const { workspace } = await requireWorkspace('/settings/fields');
  if (!isIn('admins', workspace.role)) notFound();
  const view = await (await getScreens()).fields.list();
  return (
    <PageBody>
      <PageHeader title="Fields">
        What else {workspace.name} knows about contacts and conversations. Workflows of the platform do not
        see these fields.
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <FieldList key={`contact ${workspace.id}`} subject="contact" workspace={workspace} {...view} />
        <FieldList
          key={`conversation ${workspace.id}`}
          subject="conversation"
          workspace={workspace}
          {...view}
        />
      </div>
      <RefreshOn topic="access" />
    </PageBody>
  );
}

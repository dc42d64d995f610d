import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Tags } from '#app/components/settings/tags/tags.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Tags' };

/** Maximum characters of the search, and of the key of a tag. */
const TEXT_MAX = 100;

export default async function TagsPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/settings/tags');
  if (!isIn('admins', workspace.role)) notFound();
  const query = await searchParams;
  return (
    <PageBody>
      <PageHeader title="Tags">
        What conversations of {workspace.name} are about. Teammates, automations, workflows and programs add
        tags.
      </PageHeader>
      <Tags
        key={workspace.id}
        search={firstParam(query.search)?.slice(0, TEXT_MAX) ?? ''}
        after={firstParam(query.after)?.slice(0, TEXT_MAX)}
      />
    </PageBody>
  );
}

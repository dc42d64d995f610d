import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { SingleSignOnSettings } from '#app/components/settings/single-sign-on/single-sign-on-settings.tsx';
import { BackLink } from '#app/components/ui/back-link.tsx';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Single sign-on' };

export default async function SingleSignOnPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/settings/workspace/single-sign-on');
  if (workspace.role !== 'owner' || workspace.isTest) notFound();
  return (
    <PageBody>
      <BackLink href="/settings/workspace">Workspace</BackLink>
      <PageHeader title="Single sign-on">
        Teammates sign in to {workspace.name} through the identity provider of your organization.
      </PageHeader>
      <SingleSignOnSettings key={workspace.id} test={firstParam((await searchParams).test)} />
    </PageBody>
  );
}

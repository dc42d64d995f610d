import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AuditLog } from '#app/components/settings/audit-log/audit-log.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { cutParams, firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Audit log' };

const LENGTHS = { about: 40, person: 200, from: 10, to: 10 } as const;

export default async function AuditLogPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/settings/audit-log');
  if (!isIn('admins', workspace.role)) notFound();
  const query = await searchParams;
  const { about = '', person = '', from = '', to = '' } = cutParams(query, LENGTHS);
  return (
    <PageBody>
      <PageHeader title="Audit log">
        Sign-ins, and changes of teammates, settings, channels, contacts, connections and API tokens of{' '}
        {workspace.name}, newest first.
      </PageHeader>
      <AuditLog key={workspace.id} filter={{ about, person, from, to }} before={firstParam(query.before)} />
    </PageBody>
  );
}

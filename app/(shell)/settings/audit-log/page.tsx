import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AuditLog } from '#app/components/settings/audit-log/audit-log.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Audit log' };

export default async function AuditLogPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/settings/audit-log');
  if (!isIn('admins', workspace.role)) notFound();
  const query = await searchParams;
  const of = (name: string, max: number) => firstParam(query[name])?.slice(0, max) ?? '';
  return (
    <PageBody>
      <PageHeader title="Audit log">
        Who changed teammates, settings, channels, connections and API tokens of {workspace.name}, newest
        first.
      </PageHeader>
      <AuditLog
        key={workspace.id}
        filter={{ about: of('about', 40), person: of('person', 200), from: of('from', 10), to: of('to', 10) }}
        before={firstParam(query.before)}
      />
    </PageBody>
  );
}

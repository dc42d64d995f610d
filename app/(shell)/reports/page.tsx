import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ReportView } from '#app/components/reports/report-view.tsx';
import { ReportsNotAllowed } from '#app/components/reports/reports-not-allowed.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { firstParam, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Reports' };

export default async function ReportsPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/reports');
  const query = await searchParams;
  const of = (name: string, max: number) => firstParam(query[name])?.slice(0, max);
  return (
    <PageBody wide>
      <PageHeader title="Reports">How {workspace.name} answers its contacts.</PageHeader>
      {isIn('admins', workspace.role) ? (
        <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading the report" />}>
          <ReportView
            query={{
              range: of('range', 20),
              from: of('from', 10),
              to: of('to', 10),
              of: of('of', 120),
              by: of('by', 20),
            }}
          />
        </Suspense>
      ) : (
        <ReportsNotAllowed />
      )}
    </PageBody>
  );
}

import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ReportView } from '#app/components/reports/report-view.tsx';
import { ReportsNotAllowed } from '#app/components/reports/reports-not-allowed.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody, PageHeader } from '#app/components/ui/page-body.tsx';
import { TableSkeleton } from '#app/components/ui/skeleton.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { cutParams, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Reports' };

const LENGTHS = { range: 20, from: 10, to: 10, of: 120, by: 20 } as const;

export default async function ReportsPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/reports');
  const query = cutParams(await searchParams, LENGTHS);
  return (
    <PageBody wide>
      <PageHeader title="Reports">How {workspace.name} answers its contacts.</PageHeader>
      {isIn('admins', workspace.role) ? (
        <Suspense key={workspace.id} fallback={<TableSkeleton label="Loading the report" />}>
          <ReportView query={query} />
        </Suspense>
      ) : (
        <ReportsNotAllowed />
      )}
    </PageBody>
  );
}

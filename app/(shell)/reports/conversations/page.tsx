import type { Metadata } from 'next';
import { CountedList } from '#app/components/reports/counted-list.tsx';
import { ReportsNotAllowed } from '#app/components/reports/reports-not-allowed.tsx';
import { isIn } from '#app/components/shell/pages.ts';
import { PageBody } from '#app/components/ui/page-body.tsx';
import { requireWorkspace } from '#app/data/session.ts';
import { cutParams, type Query } from '#app/lib/first-param.ts';

export const metadata: Metadata = { title: 'Counted conversations' };

const LENGTHS = { range: 20, from: 10, to: 10, of: 120, measure: 20, hour: 3, cursor: 60 } as const;

export default async function CountedConversationsPage({ searchParams }: { searchParams: Query }) {
  const { workspace } = await requireWorkspace('/reports');
  const query = cutParams(await searchParams, LENGTHS);
  return (
    <PageBody wide>
      {isIn('admins', workspace.role) ? <CountedList query={query} /> : <ReportsNotAllowed />}
    </PageBody>
  );
}

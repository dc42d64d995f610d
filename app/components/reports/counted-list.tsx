import { ChartColumn } from 'lucide-react';
import Link from 'next/link';
import { BackLink } from '#app/components/ui/back-link.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { PageHeader } from '#app/components/ui/page-body.tsx';
import { HeaderCell, Table, TableHead } from '#app/components/ui/table.tsx';
import { getScreens } from '#app/data/session.ts';
import { formatDuration } from '#app/lib/format-report.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import { countedPath, reportQueryOf } from '#app/lib/report-path.ts';
import { WEEKDAYS } from '#app/lib/weekdays.ts';
import { describeDay } from '#server/screens/fields/describe-day.ts';
import type { ListedMeasure } from '#server/screens/reports/views.ts';

const TITLES: Record<ListedMeasure, string> = {
  created: 'New conversations',
  replied: 'First responses',
  resolved: 'Resolved conversations',
  sla: 'SLA targets met',
  missed: 'SLA targets missed',
  rated: 'Rated conversations',
};

const VALUES: Record<ListedMeasure, [name: string, of: (value: number | null) => string] | null> = {
  created: null,
  replied: ['First response', formatDuration],
  resolved: ['Time to resolve', formatDuration],
  sla: null,
  missed: null,
  rated: ['Rating', (value) => `${value} of 5`],
};

/** The conversations behind a number of a report, page by page. On phones the day moves below the conversation. */
export async function CountedList({ query }: { query: Record<string, string | undefined> }) {
  const counted = await (await getScreens()).reports.conversations(query);
  const { items, next, measure, hour, name, period } = counted;
  const value = VALUES[measure];
  const more = hour === null ? {} : { hour };
  return (
    <>
      <BackLink href={`/reports${reportQueryOf(counted)}`}>Reports</BackLink>
      <PageHeader title={TITLES[measure]}>
        {name === null ? '' : `${name}, `}
        {describeDay(period.from)}
        {period.to === period.from ? '' : ` to ${describeDay(period.to)}`}
        {hour === null ? '' : `, ${WEEKDAYS[Math.floor(hour / 24)]} at ${hour % 24}:00`}
      </PageHeader>
      {measure === 'missed' || measure === 'sla' ? (
        <p className="mb-4">
          <Link
            href={countedPath(counted, measure === 'missed' ? 'sla' : 'missed')}
            className="underline hover:no-underline"
          >
            {measure === 'missed' ? 'Show those that met their targets' : 'Show those that missed a target'}
          </Link>
        </p>
      ) : null}
      <Card className="overflow-hidden">
        {items.length === 0 ? (
          <EmptyState icon={ChartColumn} title="No conversations">
            <p>
              {next === null
                ? 'None were counted here, or they were erased since.'
                : 'None here. Older ones may match.'}
            </p>
          </EmptyState>
        ) : (
          <Table>
            <TableHead>
              <HeaderCell>Conversation</HeaderCell>
              <HeaderCell className="max-md:hidden">Assignee</HeaderCell>
              {value === null ? null : <HeaderCell className="w-32 text-right">{value[0]}</HeaderCell>}
              <HeaderCell className="w-32 text-right max-md:hidden">Day</HeaderCell>
            </TableHead>
            <tbody className="divide-y">
              {items.map((item) => (
                <tr key={item.id}>
                  <td className="truncate px-4 py-2">
                    <Link
                      href={inboxPath({ status: 'all', selected: item.id })}
                      prefetch={false}
                      className="hover:underline"
                    >
                      {item.contactName ?? 'Unknown contact'}
                      {item.subject ? `: ${item.subject}` : ''}
                    </Link>
                    <span className="block text-ink-soft text-xs md:hidden">{describeDay(item.day)}</span>
                  </td>
                  <td className="truncate px-4 py-2 max-md:hidden">{item.assigneeName ?? 'Unassigned'}</td>
                  {value === null ? null : (
                    <td className="px-4 py-2 text-right tabular-nums">{value[1](item.value)}</td>
                  )}
                  <td className="px-4 py-2 text-right tabular-nums max-md:hidden">{describeDay(item.day)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Card>
      {next === null ? null : (
        <nav aria-label="Pages" className="mt-4 flex justify-end">
          <Link
            href={countedPath(counted, measure, { ...more, cursor: next })}
            className={buttonClass('secondary')}
          >
            Older
          </Link>
        </nav>
      )}
    </>
  );
}

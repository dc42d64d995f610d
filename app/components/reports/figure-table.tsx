import Link from 'next/link';
import type { ReactNode } from 'react';
import { HeaderCell, Table, TableHead } from '#app/components/ui/table.tsx';
import { formatDuration, formatShare } from '#app/lib/format-report.ts';
import { countedPath, targetsListed } from '#app/lib/report-path.ts';
import type { Figures, ListedMeasure, ReportScope } from '#server/screens/reports/views.ts';

/** `scope`: what the numbers link to. */
export type FigureRow = { id: string; name: ReactNode; figures: Figures; scope: ReportScope };

const COLUMNS: [name: string, measure: ListedMeasure | 'targets', of: (figures: Figures) => string][] = [
  ['New', 'created', ({ created }) => created.toLocaleString('en-GB')],
  ['Resolved', 'resolved', ({ resolved }) => resolved.toLocaleString('en-GB')],
  ['First response', 'replied', ({ replySeconds }) => formatDuration(replySeconds)],
  ['Time to resolve', 'resolved', ({ resolveSeconds }) => formatDuration(resolveSeconds)],
  ['SLA met', 'targets', ({ slaMet, slaMissed }) => formatShare(slaMet, slaMet + slaMissed)],
  ['Satisfaction', 'rated', ({ satisfied, rated }) => formatShare(satisfied, rated)],
];

/** Figures of days, teammates, teams, channels or tags. */
export function FigureTable({ heading, rows }: { heading: string; rows: FigureRow[] }) {
  return (
    <Table className="min-w-[52rem]">
      <TableHead>
        <HeaderCell>{heading}</HeaderCell>
        {COLUMNS.map(([name]) => (
          <HeaderCell key={name} className="w-28 text-right">
            {name}
          </HeaderCell>
        ))}
      </TableHead>
      <tbody className="divide-y">
        {rows.map(({ id, name, figures, scope }) => (
          <tr key={id}>
            <th scope="row" className="truncate px-4 py-2 text-left font-normal">
              {name}
            </th>
            {COLUMNS.map(([column, measure, of]) => (
              <td key={column} className="px-4 py-2 text-right tabular-nums">
                {of(figures) === '–' || of(figures) === '0' ? (
                  of(figures)
                ) : (
                  <Link
                    href={countedPath(scope, measure === 'targets' ? targetsListed(figures) : measure)}
                    prefetch={false}
                    className="hover:underline"
                  >
                    {of(figures)}
                  </Link>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

import Link from 'next/link';
import { FigureTable } from '#app/components/reports/figure-table.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { getScreens } from '#app/data/session.ts';
import { reportQueryOf } from '#app/lib/report-path.ts';
import type { ComparedBy, ReportView } from '#server/screens/reports/views.ts';

const TABS: [by: ComparedBy, name: string, one: string][] = [
  ['teammate', 'Teammates', 'Teammate'],
  ['team', 'Teams', 'Team'],
  ['channel', 'Channels', 'Channel'],
  ['tag', 'Tags', 'Tag'],
];

type Props = { report: ReportView; query: Record<string, string | undefined>; by: string | undefined };

/** The figures of all teammates, teams, channels or tags, whatever the report is about. */
export async function Comparison({ report, query, by: given }: Props) {
  const [by, , one] = TABS.find(([each]) => each === given) ?? TABS[0] ?? (['teammate', '', ''] as const);
  const { reports } = await getScreens();
  const { rows, isCut } = await reports.compare({ ...query, by });
  return (
    <section aria-labelledby="comparison" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="comparison" className="text-base">
          Comparison
        </h2>
        <a href={`/reports.csv${reportQueryOf(report, { by })}`} download className={buttonClass('quiet')}>
          Download as CSV
        </a>
      </div>
      <nav aria-label="Compare" className="flex flex-wrap gap-1">
        {TABS.map(([each, name]) => (
          <Link
            key={each}
            href={`/reports${reportQueryOf(report, { by: each })}`}
            scroll={false}
            aria-current={each === by ? 'page' : undefined}
            className={buttonClass(each === by ? 'secondary' : 'quiet')}
          >
            {name}
          </Link>
        ))}
      </nav>
      <Card>
        {rows.length === 0 ? (
          <p className="px-5 py-4 text-ink-soft">Nothing to compare in this period.</p>
        ) : (
          <ScrollArea className="overflow-x-auto" aria-label={`Figures by ${by}`}>
            <FigureTable
              heading={one}
              rows={rows.map(({ key, name, ...figures }) => {
                const scope = { ...report, dimension: by, key, name };
                return {
                  id: key,
                  name: (
                    <Link
                      href={`/reports${reportQueryOf(scope, { by })}`}
                      prefetch={false}
                      className="hover:underline"
                    >
                      {name}
                    </Link>
                  ),
                  figures,
                  scope,
                };
              })}
            />
          </ScrollArea>
        )}
        {isCut ? (
          <p className="border-t px-5 py-3 text-ink-soft">The 100 with the most new conversations.</p>
        ) : null}
      </Card>
    </section>
  );
}

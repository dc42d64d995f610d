import { FigureTable } from '#app/components/reports/figure-table.tsx';
import { LazyCharts } from '#app/components/reports/lazy-charts.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { reportQueryOf } from '#app/lib/report-path.ts';
import type { ReportView } from '#server/screens/reports/views.ts';

/** New and resolved conversations and the first response over time, also as a table. */
export function TimeCharts({ report }: { report: ReportView }) {
  const { points, isByDay, dimension, key } = report;
  return (
    <section aria-labelledby="over-time" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="over-time" className="text-base">
          {isByDay ? 'By day' : 'By month'}
        </h2>
        {/* A download, which Next.js must not load as a page. */}
        <a href={`/reports.csv${reportQueryOf(report)}`} download className={buttonClass('quiet')}>
          Download as CSV
        </a>
      </div>
      <Card className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        <LazyCharts
          points={points.map(({ day, days, created, resolved, replySeconds }) => ({
            day,
            days,
            created,
            resolved,
            replySeconds,
          }))}
          isByDay={isByDay}
          subject={{ dimension, key }}
        />
        <details>
          <summary className="w-fit cursor-pointer py-1 text-ink-soft text-list max-md:py-3">
            Show as a table
          </summary>
          <ScrollArea className="mt-3 max-h-96 overflow-x-auto" aria-label="Figures over time">
            <FigureTable
              heading={isByDay ? 'Day' : 'Month'}
              rows={points.map((point) => ({
                id: point.day,
                name: point.day,
                figures: point,
                scope: { ...report, range: null, period: point.days },
              }))}
            />
          </ScrollArea>
        </details>
      </Card>
    </section>
  );
}

import { ChartColumn } from 'lucide-react';
import { BusiestHours } from '#app/components/reports/busiest-hours.tsx';
import { Comparison } from '#app/components/reports/comparison.tsx';
import { FigureCards } from '#app/components/reports/figure-cards.tsx';
import { ReportForm } from '#app/components/reports/report-form.tsx';
import { TimeCharts } from '#app/components/reports/time-charts.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { getScreens } from '#app/data/session.ts';

type Given = Partial<Record<'range' | 'from' | 'to' | 'of' | 'by', string | undefined>>;

/** A report: its period, figures, charts, busiest hours and comparison. Works without scripts, except for the charts. */
export async function ReportView({ query: { by, ...query } }: { query: Given }) {
  const { reports } = await getScreens();
  const report = await reports.get(query);
  const { figures, isCounting, timeZone } = report;
  const isEmpty = figures.created + figures.resolved + figures.replied + figures.rated === 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <ReportForm report={report} />
      {isCounting ? (
        <p role="status" className="rounded-lg border bg-surface px-4 py-3 text-ink-soft">
          Earlier conversations are still being counted. The figures are complete once this message is gone.
        </p>
      ) : null}
      {isEmpty ? (
        <Card>
          <EmptyState icon={ChartColumn} title="Nothing in this period">
            <p>
              Figures appear here once contacts write and teammates reply. Choose other days, or everyone.
            </p>
          </EmptyState>
        </Card>
      ) : (
        <>
          <FigureCards report={report} />
          <TimeCharts report={report} />
          <BusiestHours report={report} />
        </>
      )}
      <Comparison report={report} query={query} by={by} />
      <p className="max-w-[65ch] text-ink-soft text-list">
        Times are medians in business hours, within about five percent. Days and hours are those of {timeZone}
        . A conversation counts for its current assignee and team, and a resolved one for those who had it.
        Spam, deleted and merged conversations are not counted.
      </p>
    </div>
  );
}

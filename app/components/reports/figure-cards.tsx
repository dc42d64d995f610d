import Link from 'next/link';
import { Card } from '#app/components/ui/card.tsx';
import { formatChange, formatDuration, formatShare } from '#app/lib/format-report.ts';
import { countedPath, targetsListed } from '#app/lib/report-path.ts';
import type { Figures, ListedMeasure, ReportView } from '#server/screens/reports/views.ts';

type Shown = { label: string; value: string; change: string | null; measure: ListedMeasure; about?: string };

const SPEED = { more: 'slower', less: 'faster' };

/** The figures of the period, each with its change and a link to its conversations. */
export function FigureCards({ report }: { report: ReportView }) {
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-3">
      {shownFigures(report).map(({ label, value, change, measure, about }) => (
        <Card key={label} className="grid content-start gap-1 p-4">
          <dt className="text-ink-soft text-list">{label}</dt>
          <dd className="font-semibold text-2xl tabular-nums">
            <Link href={countedPath(report, measure)} className="hover:underline">
              {value}
            </Link>
          </dd>
          <dd className="text-ink-soft text-xs">
            {about ? `${about}. ` : ''}
            {change ?? 'Nothing before to compare with'}
          </dd>
        </Card>
      ))}
    </dl>
  );
}

function shownFigures({ figures, previous }: ReportView): Shown[] {
  return [
    count('New conversations', 'created', figures.created, previous.created),
    count('Resolved', 'resolved', figures.resolved, previous.resolved),
    time('First response', 'replied', figures.replySeconds, previous.replySeconds),
    time('Time to resolve', 'resolved', figures.resolveSeconds, previous.resolveSeconds),
    {
      label: 'SLA targets met',
      value: formatShare(figures.slaMet, targets(figures)),
      change: formatChange(rate(figures.slaMet, targets(figures)), rate(previous.slaMet, targets(previous))),
      measure: targetsListed(figures),
      about: `${figures.slaMissed.toLocaleString('en-GB')} missed`,
    },
    {
      label: 'Satisfaction',
      value: formatShare(figures.satisfied, figures.rated),
      change: formatChange(rate(figures.satisfied, figures.rated), rate(previous.satisfied, previous.rated)),
      measure: 'rated',
      about: `${figures.rated.toLocaleString('en-GB')} rated`,
    },
  ];
}

function count(label: string, measure: ListedMeasure, value: number, before: number): Shown {
  return { label, value: value.toLocaleString('en-GB'), change: formatChange(value, before), measure };
}

function time(label: string, measure: ListedMeasure, value: number | null, before: number | null): Shown {
  return { label, value: formatDuration(value), change: formatChange(value, before, SPEED), measure };
}

function targets({ slaMet, slaMissed }: Figures): number {
  return slaMet + slaMissed;
}

function rate(part: number, of: number): number | null {
  return of === 0 ? null : part / of;
}

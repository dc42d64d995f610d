import { useRouter } from 'next/navigation';
import {
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { durationTicks, formatDuration } from '#app/lib/format-report.ts';
import { countedPath } from '#app/lib/report-path.ts';
import type { ListedMeasure, Period, ReportScope } from '#server/screens/reports/views.ts';

type Point = { day: string; days: Period; created: number; resolved: number; replySeconds: number | null };

type Props = { points: Point[]; isByDay: boolean; subject: Pick<ReportScope, 'dimension' | 'key'> };

const FILLS = { created: 'var(--accent)', resolved: 'var(--ink-faint)' };
const TICK = { fill: 'var(--ink-soft)', fontSize: 12 };
const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/**
 * New and resolved conversations, and the median first response. Each bar and point opens its conversations. The table below the charts
 * says and links the same.
 */
export function Charts({ points, isByDay, subject }: Props) {
  const router = useRouter();
  const open = (point: Point | undefined, measure: ListedMeasure) => {
    if (point) router.push(countedPath({ ...subject, range: null, period: point.days }, measure));
  };
  const format = (day: unknown) => (isByDay ? DAY : MONTH).format(new Date(`${day}T00:00:00Z`));
  const ticks = durationTicks(Math.max(0, ...points.map(({ replySeconds }) => replySeconds ?? 0)));
  const axes = (
    <>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis dataKey="day" tickFormatter={format} tick={TICK} stroke="var(--line)" minTickGap={32} />
    </>
  );
  return (
    <div aria-hidden className="grid grid-cols-[minmax(0,1fr)] gap-6 text-list">
      <div className="grid gap-2">
        <p className="flex flex-wrap gap-4 text-ink-soft">
          <Legend className="bg-accent">New conversations</Legend>
          <Legend className="bg-ink-faint">Resolved</Legend>
        </p>
        <ResponsiveContainer width="100%" height={200}>
          <BarChart data={points} margin={MARGIN} accessibilityLayer={false}>
            {axes}
            <YAxis allowDecimals={false} tick={TICK} width={40} axisLine={false} tickLine={false} />
            <Tooltip
              cursor={{ fill: 'var(--hover)' }}
              content={({ payload }) => <Hint point={payload?.[0]?.payload} format={format} />}
            />
            {(['created', 'resolved'] as const).map((measure) => (
              <Bar
                key={measure}
                dataKey={measure}
                fill={FILLS[measure]}
                className="cursor-pointer"
                onClick={({ payload }) => open(payload, measure)}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <div className="grid gap-2">
        <p className="text-ink-soft">
          <Legend className="bg-accent">First response, median</Legend>
        </p>
        <ResponsiveContainer width="100%" height={140}>
          <LineChart
            data={points}
            margin={MARGIN}
            accessibilityLayer={false}
            className="cursor-pointer"
            onClick={({ activeIndex }) => open(points[Number(activeIndex)], 'replied')}
          >
            {axes}
            <YAxis
              ticks={ticks}
              domain={[0, ticks.at(-1) ?? 0]}
              tickFormatter={formatDuration}
              tick={TICK}
              width={72}
              axisLine={false}
              tickLine={false}
            />
            <Tooltip content={({ payload }) => <Hint point={payload?.[0]?.payload} format={format} />} />
            <Line
              dataKey="replySeconds"
              stroke={FILLS.created}
              strokeWidth={2}
              dot={{ r: 2 }}
              connectNulls
              isAnimationActive={false}
            />
          </LineChart>
        </ResponsiveContainer>
      </div>
    </div>
  );
}

function Legend({ className, children }: { className: string; children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={`size-2.5 rounded-sm ${className}`} />
      {children}
    </span>
  );
}

function Hint({ point, format }: { point: Point | undefined; format: (day: string) => string }) {
  if (!point) return null;
  return (
    <div className="grid rounded-md border bg-surface px-3 py-2 text-xs shadow-sm">
      <span className="font-semibold">{format(point.day)}</span>
      <span>New: {point.created.toLocaleString('en-GB')}</span>
      <span>Resolved: {point.resolved.toLocaleString('en-GB')}</span>
      <span>First response: {formatDuration(point.replySeconds)}</span>
    </div>
  );
}

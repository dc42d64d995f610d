import Link from 'next/link';
import { Card } from '#app/components/ui/card.tsx';
import { ScrollArea } from '#app/components/ui/scroll-area.tsx';
import { cx } from '#app/lib/cx.ts';
import { countedPath } from '#app/lib/report-path.ts';
import { WEEKDAYS } from '#app/lib/weekdays.ts';
import type { ReportView } from '#server/screens/reports/views.ts';

const HOURS = Array.from({ length: 24 }, (_hour, hour) => hour);

/** Backgrounds for no, few and many conversations. The text stays readable on each. */
const SHADES = ['', 'bg-accent/10', 'bg-accent/20', 'bg-accent/30', 'bg-accent/40'];

/** New conversations by weekday and hour. */
export function BusiestHours({ report }: { report: ReportView }) {
  const { hours } = report;
  const most = Math.max(...hours, 1);
  return (
    <section aria-labelledby="busiest-hours" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="busiest-hours" className="text-base">
        Busiest hours
      </h2>
      <Card>
        <ScrollArea className="overflow-x-auto p-4" aria-label="New conversations by weekday and hour">
          <table className="w-full min-w-[52rem] table-fixed border-separate border-spacing-0.5 text-xs tabular-nums">
            <caption className="sr-only">New conversations by weekday and hour</caption>
            <thead>
              <tr>
                <th scope="col" className="w-12 font-normal text-ink-soft">
                  <span className="sr-only">Weekday</span>
                </th>
                {HOURS.map((hour) => (
                  <th key={hour} scope="col" className="font-normal text-ink-soft">
                    {String(hour).padStart(2, '0')}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {WEEKDAYS.map((weekday, day) => (
                <tr key={weekday}>
                  <th scope="row" className="text-left font-normal text-ink-soft">
                    <abbr title={weekday} className="no-underline">
                      {weekday.slice(0, 3)}
                    </abbr>
                  </th>
                  {HOURS.map((hour) => {
                    const index = day * 24 + hour;
                    const count = hours[index] ?? 0;
                    const shade = SHADES[Math.ceil((count / most) * (SHADES.length - 1))];
                    return (
                      <td key={hour} className={cx('h-7 rounded-sm p-0 text-center', shade)}>
                        {count === 0 ? null : (
                          <Link
                            href={countedPath(report, 'created', { hour: index })}
                            prefetch={false}
                            className="block leading-7 hover:underline"
                          >
                            {count.toLocaleString('en-GB')}
                          </Link>
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      </Card>
    </section>
  );
}

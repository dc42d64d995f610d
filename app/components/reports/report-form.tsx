import Link from 'next/link';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { reportQueryOf } from '#app/lib/report-path.ts';
import { RANGES } from '#server/screens/reports/ranges.ts';
import type { ComparedBy, Range, ReportView } from '#server/screens/reports/views.ts';

const GROUPS: [ComparedBy, string, string | null][] = [
  ['teammate', 'Teammates', 'Unassigned'],
  ['team', 'Teams', 'No team'],
  ['channel', 'Channels', null],
  ['tag', 'Tags', null],
];

/** The period and the subject of a report. */
export function ReportForm({ report }: { report: ReportView }) {
  const { range, period, dimension, key, name, options } = report;
  const chosen = dimension === 'all' ? '' : `${dimension}:${key}`;
  const isOffered = key === '' || options[dimension as ComparedBy].some((option) => option.key === key);
  return (
    <div className="grid gap-4">
      <nav aria-label="Period" className="flex flex-wrap gap-1">
        {(Object.keys(RANGES) as Range[]).map((each) => (
          <Link
            key={each}
            href={`/reports${reportQueryOf({ ...report, range: each })}`}
            aria-current={each === range ? 'page' : undefined}
            className={buttonClass(each === range ? 'secondary' : 'quiet')}
          >
            Last {RANGES[each].name}
          </Link>
        ))}
      </nav>
      <form action="/reports" className="filter-grid md:grid-cols-[1fr_1fr_1.6fr_auto]">
        <Field label="From">
          {({ id }) => <Input id={id} type="date" name="from" defaultValue={period.from} key={period.from} />}
        </Field>
        <Field label="To">
          {({ id }) => <Input id={id} type="date" name="to" defaultValue={period.to} key={period.to} />}
        </Field>
        <div className="max-md:col-span-full">
          <Field label="Conversations of">
            {({ id }) => (
              <Select id={id} name="of" defaultValue={chosen} key={chosen}>
                <option value="">Everyone</option>
                {isOffered ? null : <option value={chosen}>{name}</option>}
                {GROUPS.map(([of, label, none]) => (
                  <optgroup key={of} label={label}>
                    {none === null ? null : <option value={`${of}:`}>{none}</option>}
                    {options[of].map((option) => (
                      <option key={option.key} value={`${of}:${option.key}`}>
                        {option.name}
                      </option>
                    ))}
                  </optgroup>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Button type="submit" variant="secondary" className="max-md:col-span-full">
          Show
        </Button>
      </form>
    </div>
  );
}

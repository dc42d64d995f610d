import { CopyPlus, Plus, X } from 'lucide-react';
import { useId } from 'react';
import {
  type DraftSpan,
  endsNextDay,
  newRow,
  nextSpan,
} from '#app/components/settings/business-hours/hours-draft.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { WEEKDAYS } from '#app/lib/weekdays.ts';

type Problems = Record<string, string>;
type Props = { week: DraftSpan[][]; problems: Problems; onChange: (week: DraftSpan[][]) => void };

/** A row per weekday: open or closed, and its opening times. */
export function WeekFields({ week, problems, onChange }: Props) {
  const setDay = (day: number, spans: DraftSpan[]) =>
    onChange(week.map((before, index) => (index === day ? spans : before)));
  const copy = (day: number) =>
    onChange(
      week.map((spans, index) => (spans.length > 0 ? (week[day] ?? []).map(newRow) : (week[index] ?? []))),
    );
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1.5 font-medium text-list">Opening times</legend>
      <div className="divide-y rounded-lg border">
        {week.map((spans, day) => (
          <DayFields
            key={WEEKDAYS[day]}
            day={day}
            spans={spans}
            problem={problems[`day${day}`]}
            onChange={(changed) => setDay(day, changed)}
            onCopy={() => copy(day)}
          />
        ))}
      </div>
    </fieldset>
  );
}

type DayProps = {
  day: number;
  spans: DraftSpan[];
  problem: string | undefined;
  onChange: (spans: DraftSpan[]) => void;
  /** Gives all open days the opening times of this one. */
  onCopy: () => void;
};

function DayFields({ day, spans, problem, onChange, onCopy }: DayProps) {
  const id = useId();
  const name = WEEKDAYS[day] ?? '';
  const set = (changed: DraftSpan) =>
    onChange(spans.map((span) => (span.id === changed.id ? changed : span)));
  return (
    <div className="grid gap-2 px-4 py-2.5 sm:grid-cols-[9rem_minmax(0,1fr)_auto] max-sm:grid-cols-[minmax(0,1fr)_auto]">
      <label htmlFor={id} className="flex h-9 w-fit items-center gap-2.5 text-list max-md:h-11">
        <input
          id={id}
          type="checkbox"
          checked={spans.length > 0}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? [nextSpan([])] : [])}
          className="size-4 accent-accent max-md:size-5"
        />
        {name}
      </label>
      <div className="grid min-w-0 gap-2 max-sm:order-last max-sm:col-span-2">
        {spans.length === 0 ? (
          <p className="flex h-9 items-center text-ink-soft text-list max-sm:hidden">Closed</p>
        ) : null}
        {spans.map((span, index) => (
          <SpanFields
            key={span.id}
            label={spans.length > 1 ? `${name}, opening time ${index + 1}` : name}
            fieldName={`day${day}`}
            problemId={problem ? `${id}-problem` : undefined}
            span={span}
            onChange={set}
            onRemove={spans.length > 1 ? () => onChange(spans.filter((other) => other !== span)) : undefined}
          />
        ))}
        {problem ? <FieldError id={`${id}-problem`}>{problem}</FieldError> : null}
      </div>
      <div className="flex h-9 items-center justify-end max-md:h-11">
        {spans.length > 0 ? (
          <>
            <IconButton
              icon={Plus}
              label={`Add an opening time on ${name}`}
              onClick={() => onChange([...spans, nextSpan(spans)])}
            />
            <IconButton icon={CopyPlus} label={`Copy ${name} to all open days`} onClick={onCopy} />
          </>
        ) : null}
      </div>
    </div>
  );
}

// Without the clock, which phones do not need, both times and the button are in one line.
const timeClass =
  'w-34 max-sm:w-auto max-sm:min-w-0 max-sm:flex-1 max-sm:[&::-webkit-calendar-picker-indicator]:hidden';

type SpanProps = {
  label: string;
  fieldName: string;
  problemId: string | undefined;
  span: DraftSpan;
  onChange: (span: DraftSpan) => void;
  onRemove: (() => void) | undefined;
};

function SpanFields({ label, fieldName, problemId, span, onChange, onRemove }: SpanProps) {
  const invalid = { 'aria-invalid': problemId ? true : undefined, 'aria-describedby': problemId };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Input
        type="time"
        name={fieldName}
        aria-label={`${label}: from`}
        value={span.from}
        onChange={({ currentTarget }) => onChange({ ...span, from: currentTarget.value })}
        className={timeClass}
        {...invalid}
      />
      <span aria-hidden className="text-ink-soft">
        –
      </span>
      <Input
        type="time"
        aria-label={`${label}: until`}
        value={span.until}
        onChange={({ currentTarget }) => onChange({ ...span, until: currentTarget.value })}
        className={timeClass}
        {...invalid}
      />
      {onRemove ? <IconButton icon={X} label={`Remove ${label}`} onClick={onRemove} /> : null}
      {endsNextDay(span) ? (
        <span className="text-ink-soft text-xs max-sm:w-full">Until the next day</span>
      ) : null}
    </div>
  );
}

'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type FormEvent, useEffect, useRef, useTransition } from 'react';
import { outcomeNames } from '#app/components/integrations/delivery-state-dot.tsx';
import { hookLabel } from '#app/components/integrations/log-labels.ts';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { Field } from '#app/components/ui/field.tsx';
import { Input } from '#app/components/ui/input.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { Select } from '#app/components/ui/select.tsx';
import { hasFilters, type LogFields, logPath, parseLogView } from '#app/lib/log-path.ts';
import { eventChoices, type HookName, OUTCOME_FILTERS } from '#server/screens/integrations/views.ts';

type Props = { fields: LogFields; live: HookName[]; removed: HookName[] };

/**
 * Filters the log. Without scripts, a plain form with times in UTC. With scripts, times are in the reader's time
 * zone.
 */
export function LogFilter({ fields, live, removed }: Props) {
  const router = useRouter();
  const { timeZone } = useNow();
  const [pending, start] = useTransition();
  const form = useRef<HTMLFormElement>(null);
  const { hook, event, outcome, from, to } = fields;
  const shown = logPath({ hook, event, outcome, from, to });
  const before = useRef(shown);
  // Links may also change the filter. Update the existing form, so that it retains the focus. Leave choices made
  // before hydration unchanged.
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    const params = new URL(shown, window.location.origin).searchParams;
    for (const control of form.current?.elements ?? []) {
      const isField = control instanceof HTMLInputElement || control instanceof HTMLSelectElement;
      if (isField && control.type !== 'hidden') control.value = params.get(control.name) ?? '';
    }
  }, [shown]);
  const apply = (submit: FormEvent<HTMLFormElement>) => {
    submit.preventDefault();
    const given = [...new FormData(submit.currentTarget)].map(([name, value]) => [name, String(value)]);
    start(() => router.push(logPath(parseLogView(Object.fromEntries(given))), { scroll: false }));
  };
  return (
    <form
      ref={form}
      action="/settings/integrations"
      onSubmit={apply}
      aria-label="Filter the event log"
      className="grid grid-cols-2 gap-3 md:grid-cols-6"
    >
      <div className="max-md:col-span-2 md:col-span-2">
        <Field label="Workflow">
          {({ id }) => (
            <Select id={id} name="hook" defaultValue={fields.hook ?? ''}>
              <option value="">All workflows</option>
              <HookOptions label="Turned on" hooks={live} />
              <HookOptions label="Removed" hooks={removed} />
            </Select>
          )}
        </Field>
      </div>
      <div className="md:col-span-2">
        <Field label="Event">
          {({ id }) => (
            <Select id={id} name="event" defaultValue={fields.event ?? ''}>
              <option value="">All events</option>
              {eventChoices.map(({ key, name }) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <div className="md:col-span-2">
        <Field label="Outcome">
          {({ id }) => (
            <Select id={id} name="outcome" defaultValue={fields.outcome ?? ''}>
              {OUTCOME_FILTERS.map((outcome) => (
                <option key={outcome} value={outcome === 'all' ? '' : outcome}>
                  {outcomeNames[outcome]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <div className="max-md:col-span-2 md:col-span-2">
        <TimeField label="From" name="from" value={fields.from} timeZone={timeZone} />
      </div>
      <div className="max-md:col-span-2 md:col-span-2">
        <TimeField label="To" name="to" value={fields.to} timeZone={timeZone} />
      </div>
      <input type="hidden" name="zone" value={timeZone} />
      <div className="flex items-end gap-2 max-md:col-span-2 md:col-span-2">
        <Button type="submit" aria-busy={pending} className="max-md:grow">
          Filter
        </Button>
        {hasFilters(fields) ? (
          <Link href={logPath({})} scroll={false} className={buttonClass('quiet')}>
            Show all
          </Link>
        ) : null}
      </div>
    </form>
  );
}

function HookOptions({ label, hooks }: { label: string; hooks: HookName[] }) {
  if (hooks.length === 0) return null;
  return (
    <optgroup label={label}>
      {hooks.map((hook) => (
        <option key={hook.id} value={hook.id}>
          {hookLabel(hook)}
        </option>
      ))}
    </optgroup>
  );
}

type TimeFieldProps = { label: string; name: 'from' | 'to'; value: string | undefined; timeZone: string };

function TimeField({ label, name, value, timeZone }: TimeFieldProps) {
  return (
    <Field label={`${label} (${timeZone.replaceAll('_', ' ')})`}>
      {({ id }) => <Input id={id} type="datetime-local" name={name} defaultValue={value} />}
    </Field>
  );
}

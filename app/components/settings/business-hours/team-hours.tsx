'use client';

import { useState } from 'react';
import { describeWeek } from '#app/components/settings/business-hours/hours-draft.ts';
import { HoursForm } from '#app/components/settings/business-hours/hours-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import type { BusinessHoursView } from '#server/screens/settings/views.ts';

type Props = { team: BusinessHoursView['teams'][number]; timeZones: string[] };

/** The hours of a team, and on demand the form that changes them. */
export function TeamHours({ team: { id, name, hours }, timeZones }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [nameId, formId] = [`hours-of-${id}`, `form-of-${id}`];
  return (
    <li aria-labelledby={nameId} className="grid gap-4 px-5 py-4 max-md:px-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-0.5">
          <p id={nameId} dir="auto" className="font-semibold [overflow-wrap:anywhere]">
            {name}
          </p>
          <p className="text-ink-soft text-list">
            {hours
              ? `${describeWeek(hours)} (${hours.timeZone.replaceAll('_', ' ')})`
              : 'Same as the workspace'}
          </p>
        </div>
        <Button
          aria-label={`${isOpen ? 'Close' : 'Change'} the hours of ${name}`}
          aria-expanded={isOpen}
          aria-controls={formId}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Close' : 'Change'}
        </Button>
      </div>
      <div id={formId}>
        {isOpen ? (
          <HoursForm teamId={id} hours={hours} timeZones={timeZones} onSaved={() => setIsOpen(false)} />
        ) : null}
      </div>
    </li>
  );
}

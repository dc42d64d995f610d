'use client';

import { CalendarDays } from 'lucide-react';
import { Card } from '#app/components/ui/card.tsx';
import { useNow } from '#app/components/ui/now-provider.tsx';
import { formatEventTime } from '#app/lib/format-event-time.ts';
import type { MailView } from '#server/screens/inbox/thread-views.ts';

const KINDS = { request: 'Invitation', answer: 'Answer to invitation', cancellation: 'Invitation cancelled' };
const ANSWERS = {
  accepted: 'Invitation accepted',
  declined: 'Invitation declined',
  tentative: 'Invitation tentatively accepted',
};

/** An event that an email invites to, with its time in the zone of the reader. */
export function CalendarCard({ invitation }: { invitation: NonNullable<MailView['invitation']> }) {
  const { timeZone } = useNow();
  const { kind, answer, title, start, end, place, organizer, repeats } = invitation;
  const details = [
    { term: 'Place', value: place },
    { term: 'Organizer', value: organizer },
  ].filter(({ value }) => value !== '');
  return (
    <Card className="flex w-fit min-w-0 max-w-full gap-3 px-3 py-2.5">
      <CalendarDays aria-hidden size={18} strokeWidth={1.75} className="mt-0.5 shrink-0 text-ink-soft" />
      <div className="grid min-w-0 gap-0.5">
        <p className="text-ink-soft text-xs">{answer === null ? KINDS[kind] : ANSWERS[answer]}</p>
        <p dir="auto" className="font-semibold [overflow-wrap:anywhere]">
          {title || 'Without a title'}
        </p>
        {start === null ? null : (
          <p>
            {formatEventTime({ start, end }, timeZone)}
            {repeats ? ', repeats' : ''}
          </p>
        )}
        {details.length > 0 ? (
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-list">
            {details.map(({ term, value }) => (
              <div key={term} className="col-span-2 grid grid-cols-subgrid">
                <dt className="text-ink-soft">{term}</dt>
                <dd dir="auto" className="[overflow-wrap:anywhere]">
                  {value}
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
      </div>
    </Card>
  );
}

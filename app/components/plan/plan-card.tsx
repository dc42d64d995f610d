import { Check, Minus } from 'lucide-react';
import { Badge } from '#app/components/ui/badge.tsx';
import { cx } from '#app/lib/cx.ts';

type Terms = {
  planName: string;
  slots: number | null;
  internalNotes: boolean;
  emailSending: boolean;
};

/** What one plan includes for integrations; the current one is marked. */
export function PlanCard({ terms, current }: { terms: Terms; current: boolean }) {
  return (
    <li
      aria-current={current ? 'true' : undefined}
      className={cx('grid content-start gap-4 rounded-lg border p-4', current && 'border-accent-ink')}
    >
      <div className="flex h-6 items-center justify-between gap-2">
        <h2>{terms.planName}</h2>
        {current ? <Badge tone="accent">Current plan</Badge> : null}
      </div>
      <p>
        <span className="tabular block font-semibold text-2xl">{terms.slots ?? 'Unlimited'}</span>
        <span className="text-ink-soft text-list">
          {terms.slots === 1 ? 'integration slot' : 'integration slots'}
        </span>
      </p>
      <ul className="grid gap-2 text-list">
        <Included when={terms.internalNotes}>Internal notes by workflows</Included>
        <Included when={terms.emailSending}>Sending e-mail</Included>
      </ul>
    </li>
  );
}

function Included({ when, children }: { when: boolean; children: string }) {
  const Icon = when ? Check : Minus;
  return (
    <li className={cx('flex items-start gap-2', !when && 'text-ink-faint')}>
      <Icon aria-hidden size={15} className={cx('mt-0.5 shrink-0', when && 'text-good')} />
      <span>
        {when ? null : <span className="sr-only">Not included: </span>}
        {children}
      </span>
    </li>
  );
}

import { Check, Minus } from 'lucide-react';
import { ChangePlanButton } from '#app/components/settings/plan/change-plan-button.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { cx } from '#app/lib/cx.ts';
import type { PlanView } from '#server/screens/settings/views.ts';

type Props = { plan: PlanView; mayChange: boolean; workspaceName: string };

/** Returns the element id of a plan's heading. */
export function planHeadingId(plan: PlanView['plan']): string {
  return `plan-${plan}`;
}

/** Shows what a plan includes, with a button for owners to change to it. */
export function PlanCard({ plan, mayChange, workspaceName }: Props) {
  const { isCurrent, planName, slots } = plan;
  return (
    <li
      aria-current={isCurrent ? 'true' : undefined}
      className={cx('flex flex-col gap-4 rounded-lg border p-4', isCurrent && 'border-accent-ink')}
    >
      <div className="flex h-6 items-center justify-between gap-2">
        <h2 id={planHeadingId(plan.plan)} tabIndex={-1}>
          {planName}
        </h2>
        {isCurrent ? <Badge tone="accent">Current plan</Badge> : null}
      </div>
      <p>
        <span className="tabular block font-semibold text-2xl">{slots ?? 'Unlimited'}</span>
        <span className="text-ink-soft text-list">
          {slots === 1 ? 'integration slot' : 'integration slots'}
        </span>
      </p>
      <ul className="grid grow content-start gap-2 text-list">
        <Included when={plan.internalNotes}>Internal notes</Included>
        <Included when={plan.emailSending}>Sending email</Included>
      </ul>
      {mayChange && !isCurrent ? <ChangePlanButton plan={plan} workspaceName={workspaceName} /> : null}
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

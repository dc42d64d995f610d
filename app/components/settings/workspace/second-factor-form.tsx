'use client';

import {
  requireSecondFactor,
  stopRequiringSecondFactor,
} from '#app/components/settings/workspace/actions.ts';
import { ActionForm } from '#app/components/ui/action-form.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { TextField } from '#app/components/ui/text-field.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction } from '#app/components/ui/use-action.ts';
import { useFormAction } from '#app/components/ui/use-form-action.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { dateFormat } from '#app/lib/format-time.ts';

type Props = { from: Date | null; without: number };

const DAY = dateFormat('UTC', { day: 'numeric', month: 'long', year: 'numeric' });

/** Requires two-factor authentication from a date on, or no longer. `without`: teammates who have none. */
export function SecondFactorForm({ from, without }: Props) {
  const who =
    without === 0
      ? 'Every teammate has it.'
      : `${pluralize(without, 'teammate')} ${without === 1 ? 'has' : 'have'} not set it up yet.`;
  return (
    <div className="grid gap-4">
      <p className="text-ink-soft">
        {from === null ? '' : `Required from ${DAY.format(from)}. `}
        {who}
      </p>
      {from === null ? <RequireForm /> : <StopButton />}
    </div>
  );
}

function RequireForm() {
  const [state, submit, pending] = useFormAction(requireSecondFactor, () => {
    toast.success('Two-factor authentication is required');
  });
  return (
    <ActionForm state={state} submit={submit} className="grid max-w-sm gap-4">
      <TextField
        state={state}
        name="from"
        label="Required from"
        hint="Until then, teammates without it see a reminder. From the start of that day, UTC, they can only set it up."
        type="date"
      />
      <Button type="submit" disabled={pending} aria-busy={pending} className="w-fit max-md:w-full">
        {pending ? 'Saving' : 'Require two-factor'}
      </Button>
    </ActionForm>
  );
}

function StopButton() {
  const stop = useAction(stopRequiringSecondFactor, {
    failed: 'Could not change the setting',
    done: 'Two-factor authentication is no longer required',
  });
  return (
    <Button
      disabled={stop.pending}
      aria-busy={stop.pending}
      onClick={() => stop.start()}
      className="w-fit max-md:w-full"
    >
      Stop requiring
    </Button>
  );
}

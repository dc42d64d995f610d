'use client';

import { useTransition } from 'react';
import { toast } from 'sonner';
import { replayUpdates } from '#app/components/channels/change-accounts.ts';
import { Button } from '#app/components/ui/button.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { pluralize } from '#app/lib/pluralize.ts';

type Props = { accountId: string; name: string; count: number };

/** Says that something arrived and could not be processed, and has it tried again. */
export function ReplayButton({ accountId, name, count }: Props) {
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const problem = await replayUpdates(accountId);
      if (problem) toast.error('Not tried again', { description: problem });
      else toast.success('It is tried again now');
    });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-list">
      <StatusDot tone="waiting" wrap>
        <span>{pluralize(count, 'update')} from the provider could not be processed.</span>
      </StatusDot>
      <Button onClick={() => pending || run()} aria-busy={pending} aria-label={`Try again: ${name}`}>
        {pending ? 'One moment' : 'Try again'}
      </Button>
    </div>
  );
}

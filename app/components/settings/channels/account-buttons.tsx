'use client';

import { replayUpdates, testAccount } from '#app/components/settings/channels/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useAction, usePendingTransition } from '#app/components/ui/use-action.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { notReached } from '#app/lib/outcome.ts';

/** `label` names the channel and the account for assistive technology: accounts of different channels share names. */
type Props = { accountId: string; label: string; count: number };

/** Shows the number of failed provider updates and retries them. */
export function ReplayButton({ accountId, label, count }: Props) {
  const { pending, start } = useAction(replayUpdates, {
    failed: 'Could not retry the updates',
    done: 'Retrying the updates',
  });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-list">
      <StatusDot tone="waiting" wrap>
        <span>
          {pluralize(count, 'update')} from the provider could not be processed. Messages may be missing.
        </span>
      </StatusDot>
      <Button onClick={() => start(accountId)} aria-busy={pending} aria-label={`Try again: ${label}`}>
        {pending ? 'Retrying' : 'Try again'}
      </Button>
    </div>
  );
}

/** Tests an account with its provider and shows the result. */
export function TestButton({ accountId, name, label }: { accountId: string; name: string; label: string }) {
  const [pending, start] = usePendingTransition();
  const run = () =>
    start(async () => {
      const outcome = await testAccount(accountId).catch(notReached);
      const problem = outcome.done ? outcome.value : outcome.problem;
      if (problem) toast.error(`${name} does not work`, { description: problem });
      else toast.success(`${name} works`);
    });
  return (
    <Button onClick={run} aria-busy={pending} aria-label={`Test ${label}`}>
      {pending ? 'Testing' : 'Test'}
    </Button>
  );
}

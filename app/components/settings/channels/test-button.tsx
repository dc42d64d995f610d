'use client';

import { testAccount } from '#app/components/settings/channels/actions.ts';
import { Button } from '#app/components/ui/button.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { useOwnTransition } from '#app/components/ui/use-own-transition.ts';
import { notReached } from '#app/lib/outcome.ts';

/** Asks the provider whether an account works, and shows its response. */
export function TestButton({ accountId, name }: { accountId: string; name: string }) {
  const [pending, start] = useOwnTransition();
  const run = () =>
    start(async () => {
      const outcome = await testAccount(accountId).catch(notReached);
      const problem = outcome.done ? outcome.value : outcome.problem;
      if (problem) toast.error(`${name} does not work`, { description: problem });
      else toast.success(`${name} works`);
    });
  return (
    <Button onClick={run} aria-busy={pending} aria-label={`Test ${name}`}>
      {pending ? 'Testing' : 'Test'}
    </Button>
  );
}

'use client';

import { useTransition } from 'react';
import { toast } from 'sonner';
import { testAccount } from '#app/components/channels/change-accounts.ts';
import { Button } from '#app/components/ui/button.tsx';

/** Asks the provider whether an account works, and says what it answered. */
export function TestButton({ accountId, name }: { accountId: string; name: string }) {
  const [pending, start] = useTransition();
  const run = () =>
    start(async () => {
      const problem = await testAccount(accountId);
      if (problem) toast.error(`${name} does not work`, { description: problem });
      else toast.success(`${name} works`);
    });
  return (
    <Button onClick={() => pending || run()} aria-busy={pending} aria-label={`Test ${name}`}>
      {pending ? 'Testing' : 'Test'}
    </Button>
  );
}

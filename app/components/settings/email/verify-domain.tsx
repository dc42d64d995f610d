'use client';

import { useState } from 'react';
import { Button } from '#app/components/ui/button.tsx';
import { toast } from '#app/components/ui/toast.ts';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { notReached, type Outcome } from '#app/lib/outcome.ts';

type Props = {
  domainId: string;
  domain: string;
  /** Returns null when the domain is verified, otherwise a sentence. */
  verify: (domainId: string) => Promise<Outcome<string | null>>;
};

/** Checks a domain's DNS record and shows the result. */
export function VerifyDomain({ domainId, domain, verify }: Props) {
  const [found, setFound] = useState<string | null>(null);
  const [pending, start] = usePendingTransition();
  const run = () =>
    start(async () => {
      const outcome = await verify(domainId).catch(notReached);
      const message = outcome.done ? outcome.value : outcome.problem;
      if (message === null) toast.success(`${domain} verified`);
      setFound(message);
    });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        variant="primary"
        aria-label={`Verify ${domain}`}
        aria-busy={pending}
        onClick={run}
        className="max-md:w-full"
      >
        {pending ? 'Verifying' : 'Verify'}
      </Button>
      <p role="status" className="min-w-0 grow basis-60 text-pretty text-list [overflow-wrap:anywhere]">
        {pending ? null : found}
      </p>
    </div>
  );
}

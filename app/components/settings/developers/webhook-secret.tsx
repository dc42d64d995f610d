'use client';

import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#app/components/ui/button.tsx';
import { CopyButton } from '#app/components/ui/copy-button.tsx';

/** The signing secret, hidden until a teammate asks for it. */
export function WebhookSecret({ secret }: { secret: string }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-center justify-between gap-2 rounded-lg border bg-canvas py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">
          {isShown ? secret : 'whsec_••••••••••••••••'}
        </code>
        <span className="flex shrink-0 items-center gap-1">
          <Button variant="quiet" onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide' : 'Show'}
          </Button>
          <CopyButton text={secret} what="signing secret" />
        </span>
      </div>
      <p className="text-ink-soft text-list">
        Your program verifies events with it.{' '}
        <Link href="/docs/developer#webhooks" className="underline underline-offset-2 hover:decoration-2">
          How to verify events
        </Link>
      </p>
    </div>
  );
}

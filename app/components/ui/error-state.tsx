'use client';

import { TriangleAlert } from 'lucide-react';
import { Button } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

/** What Next hands an error page. */
export type FaultProps = { error: unknown; retry: () => void };

/** A fault of ours: what happened, what it means, what to do. Its number leads to the server's log. */
export function ErrorState({ error, retry }: FaultProps) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  return (
    <>
      <h1 className="sr-only">Something went wrong</h1>
      <EmptyState
        icon={TriangleAlert}
        title="This page could not be shown"
        action={
          <Button variant="primary" onClick={() => retry()}>
            Try again
          </Button>
        }
      >
        <p>The problem is on our side. Nothing was changed. Try again in a moment.</p>
        {digest ? (
          <p className="tabular text-xs">If it persists, give this number to your administrator: {digest}</p>
        ) : null}
      </EmptyState>
    </>
  );
}

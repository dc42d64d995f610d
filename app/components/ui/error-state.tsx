'use client';

import { TriangleAlert } from 'lucide-react';
import { Button } from '#app/components/ui/button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';

/** Props of Next.js error pages. */
export type ErrorPageProps = { error: unknown; retry: () => void };

/** Internal error page. The digest identifies the error in the server's log. */
export function ErrorState({ error, retry }: ErrorPageProps) {
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
        <p>The problem is on our side. Try again in a moment.</p>
        {digest ? (
          <p className="tabular text-xs">If it persists, send this number to your administrator: {digest}</p>
        ) : null}
      </EmptyState>
    </>
  );
}

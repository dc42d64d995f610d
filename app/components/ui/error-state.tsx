'use client';

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

/** The icon of `lucide-react`. Every page loads its error pages, whose scripts would contain that library again. */
function TriangleAlert() {
  return (
    <svg
      aria-hidden
      width={20}
      height={20}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3" />
      <path d="M12 9v4" />
      <path d="M12 17h.01" />
    </svg>
  );
}

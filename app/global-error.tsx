'use client';

import '#app/globals.css';
import { AuthCard } from '#app/components/ui/card.tsx';
import { type ErrorPageProps, ErrorState } from '#app/components/ui/error-state.tsx';

/** Shown when the root layout itself fails. */
export default function GlobalError(props: ErrorPageProps) {
  return (
    <html lang="en">
      <body>
        <title>Something went wrong</title>
        <AuthCard>
          <ErrorState {...props} />
        </AuthCard>
      </body>
    </html>
  );
}

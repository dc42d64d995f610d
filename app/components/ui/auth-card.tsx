import type { ReactNode } from 'react';
import { Card } from '#app/components/ui/card.tsx';

/** One card in the middle of the page and nothing else: signing in, consent, refusals, pages that are not there. */
export function AuthCard({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-8">
      <Card className="grid w-full max-w-[27rem] gap-5 p-6 sm:p-8">{children}</Card>
    </main>
  );
}

import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cx('rounded-lg border bg-surface', className)} {...rest} />;
}

/** A centred card without navigation: sign-in, consent, refusals, not-found pages. */
export function AuthCard({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-8">
      <Card className="grid w-full max-w-[27rem] gap-5 p-6 sm:p-8">{children}</Card>
    </main>
  );
}

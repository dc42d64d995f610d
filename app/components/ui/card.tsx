import type { ComponentProps, ReactNode } from 'react';
import { ServiceLogo } from '#app/components/ui/service-logo.tsx';
import { cx } from '#app/lib/cx.ts';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cx('rounded-lg border bg-surface', className)} {...rest} />;
}

/** Header of an `AuthCard`: logo, title and text. */
export function CardHeader({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className="grid justify-items-center gap-4 text-center">
      <ServiceLogo size="large" />
      <div className="grid min-w-0 gap-1.5">
        <h1 className="text-balance text-xl [overflow-wrap:anywhere]">{title}</h1>
        {children ? (
          <div className="text-balance text-ink-soft [overflow-wrap:anywhere]">{children}</div>
        ) : null}
      </div>
    </header>
  );
}

/** A centred card without navigation: sign-in, consent, refusals, not-found pages. */
export function AuthCard({ children }: { children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-8">
      <Card className="grid w-full max-w-[27rem] gap-5 p-6 sm:p-8">{children}</Card>
    </main>
  );
}

import { Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';

export function ServiceLogo({ size = 'medium' }: { size?: 'medium' | 'large' }) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex shrink-0 items-center justify-center rounded-lg bg-accent text-on-accent',
        size === 'large' ? 'size-12' : 'size-8',
      )}
    >
      <Inbox size={size === 'large' ? 26 : 18} strokeWidth={1.75} />
    </span>
  );
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

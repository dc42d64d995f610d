import type { ReactNode } from 'react';
import { ServiceLogo } from '#app/components/ui/service-logo.tsx';

/** The head of a centred card: our sign, the title, and a sentence. */
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

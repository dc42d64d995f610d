import type { ReactNode } from 'react';
import { LogoPair } from '#app/components/consent/logo-pair.tsx';
import { AuthCard } from '#app/components/ui/layout/auth-card.tsx';

type Props = {
  title: ReactNode;
  workspaceName?: string | undefined;
  subtitle?: ReactNode;
  children: ReactNode;
};

/** The card every case of the consent page is told on. */
export function ConsentCard({ title, workspaceName, subtitle, children }: Props) {
  return (
    <AuthCard>
      <header className="grid gap-4 text-center">
        <LogoPair workspaceName={workspaceName} />
        <div className="grid gap-1">
          <h1 className="text-balance text-xl">{title}</h1>
          {subtitle ? <p className="text-ink-soft [overflow-wrap:anywhere]">{subtitle}</p> : null}
        </div>
      </header>
      {children}
    </AuthCard>
  );
}

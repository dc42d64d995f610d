import { Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar } from '#app/components/ui/avatar.tsx';
import { AuthCard } from '#app/components/ui/card.tsx';
import { ServiceLogo } from '#app/components/ui/service-logo.tsx';

type Props = {
  title: ReactNode;
  workspaceName?: string | undefined;
  subtitle?: ReactNode;
  children: ReactNode;
};

/** Card layout of the consent page. */
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

/** The platform's logo linked to the workspace's logo, or to the service's logo without a workspace. */
function LogoPair({ workspaceName }: { workspaceName?: string | undefined }) {
  return (
    <div aria-hidden className="flex items-center justify-center">
      <PlatformLogo />
      <span className="h-px w-10 bg-line-control" />
      {workspaceName ? <Avatar name={workspaceName} size="large" square /> : <ServiceLogo size="large" />}
    </div>
  );
}

function PlatformLogo() {
  return (
    <span
      aria-hidden
      className="inline-flex size-12 shrink-0 items-center justify-center rounded-lg border border-line bg-canvas text-ink"
    >
      <Workflow size={24} strokeWidth={1.75} />
    </span>
  );
}

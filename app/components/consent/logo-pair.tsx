import { PlatformLogo } from '#app/components/logos/platform-logo.tsx';
import { ServiceLogo } from '#app/components/logos/service-logo.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';

/** The platform's mark and the workspace's, or the service's where no workspace is known, joined by a line. */
export function LogoPair({ workspaceName }: { workspaceName?: string | undefined }) {
  return (
    <div aria-hidden className="flex items-center justify-center">
      <PlatformLogo />
      <span className="h-px w-10 bg-line-control" />
      {workspaceName ? <Avatar name={workspaceName} size="large" square /> : <ServiceLogo size="large" />}
    </div>
  );
}

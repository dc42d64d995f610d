import { PlatformMark } from '#app/components/marks/platform-mark.tsx';
import { ServiceMark } from '#app/components/marks/service-mark.tsx';
import { Avatar } from '#app/components/ui/avatar.tsx';

/** The platform's mark and the workspace's, or the service's where no workspace is known, joined by a line. */
export function JoinedMarks({ workspaceName }: { workspaceName?: string | undefined }) {
  return (
    <div aria-hidden className="flex items-center justify-center">
      <PlatformMark />
      <span className="h-px w-10 bg-line-control" />
      {workspaceName ? <Avatar name={workspaceName} size="large" square /> : <ServiceMark size="large" />}
    </div>
  );
}

import { OwnerNames } from '#app/components/consent/owner-names.tsx';
import { Refusal } from '#app/components/consent/refusals.tsx';
import type { ConsentView } from '#server/screens/consent/views.ts';

/** Approving was refused, as the teammate is neither owner nor admin of the workspace. */
export function RefusedRole({ view }: { view: Extract<ConsentView, { kind: 'refused_role' }> }) {
  const { platformName, workspaceName, owners, retryUrl, cancel } = view;
  return (
    <Refusal
      title="Only owners and admins can connect"
      workspaceName={workspaceName ?? undefined}
      next={{ label: 'Look again', href: retryUrl }}
      cancel={cancel}
    >
      <p>
        You are not an owner or admin of {workspaceName ?? 'the workspace you chose'}. Nothing was connected.
      </p>
      <p>
        Ask <OwnerNames owners={owners} /> to connect {platformName}, or look again and choose a workspace
        where you are one.
      </p>
    </Refusal>
  );
}

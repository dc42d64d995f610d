import { Refusal } from '#app/components/consent/refusal.tsx';
import type { ConsentView } from '#server/oauth/consent-view.ts';

/** Approving was refused, as the workspace has no free slot. */
export function RefusedSlot({ view }: { view: Extract<ConsentView, { kind: 'refused_slot' }> }) {
  const { platformName, workspaceName, planName, isOpen, retryUrl, cancel } = view;
  return (
    <Refusal
      title={`${workspaceName} has no free slot`}
      workspaceName={workspaceName}
      next={{ label: 'Compare plans', href: '/settings/plan' }}
      otherwise={{ label: 'Choose another workspace', href: retryUrl }}
      cancel={cancel}
    >
      <p>
        Connecting {platformName} takes an integration slot, and other integrations use all slots of the{' '}
        {planName} plan of {workspaceName}. Nothing was connected.
      </p>
      <p>
        An owner can move to a plan with more slots.
        {isOpen ? null : ` Another workspace is open in the app: open ${workspaceName} there first.`}
      </p>
    </Refusal>
  );
}

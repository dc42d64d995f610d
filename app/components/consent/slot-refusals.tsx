import { Refusal } from '#app/components/consent/refusals.tsx';
import { WhoUpgrades } from '#app/components/consent/who-upgrades.tsx';
import type { ConsentView } from '#server/screens/consent/views.ts';

/** Approving was refused, as the workspace has no free slot. */
export function RefusedSlot({ view }: { view: Extract<ConsentView, { kind: 'refused_slot' }> }) {
  const { platformName, workspace, planName, isOwner, retryUrl, cancel } = view;
  return (
    <Refusal
      title={`${workspace.name} has no free slot`}
      workspaceName={workspace.name}
      {...(isOwner
        ? { next: { label: 'Upgrade', href: `/settings/plan?workspace=${encodeURIComponent(workspace.id)}` } }
        : {})}
      otherwise={{ label: 'Choose another workspace', href: retryUrl }}
      cancel={cancel}
    >
      <p>
        Connecting {platformName} takes an integration slot, and other integrations use all slots of the{' '}
        {planName} plan of {workspace.name}. Nothing was connected.
      </p>
      <p>
        <WhoUpgrades {...view} />
      </p>
    </Refusal>
  );
}

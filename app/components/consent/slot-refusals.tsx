import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { ConsentForm } from '#app/components/consent/consent-form.tsx';
import { OwnerNames, Refusal } from '#app/components/consent/refusals.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import type { Askable, ConsentView } from '#server/screens/consent/views.ts';

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

/** The open workspace has no free slot; perhaps another of the teammate's has. */
export function RefuseSlot({ view }: { view: Extract<ConsentView, { kind: 'no_slot' }> }) {
  const { form, platformName, workspace, planName, isOwner } = view;
  const free = form.workspaces.find(({ hasFreeSlot }) => hasFreeSlot);
  return (
    <ConsentCard title={`${workspace.name} has no free slot`} workspaceName={workspace.name}>
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        Connecting {platformName} takes an integration slot, and other integrations use all slots of the{' '}
        {planName} plan. <WhoUpgrades {...view} />
        {free ? ' You can also connect another workspace of yours.' : null}
      </p>
      {isOwner ? (
        <a href="/settings/plan" className={buttonClass(free ? 'secondary' : 'primary')}>
          Upgrade
        </a>
      ) : null}
      <ConsentForm form={form} chosen={free ?? form.workspaces[0] ?? null} />
    </ConsentCard>
  );
}

/** Explains how to get more slots: an owner can upgrade the plan, everybody else reads which owner to ask. */
function WhoUpgrades({ isOwner, owners }: { isOwner: boolean; owners: Askable[] }) {
  if (isOwner) return 'Upgrade to a plan with more slots, then come back to this page.';
  return (
    <>
      Only an owner can upgrade: ask <OwnerNames owners={owners} />.
    </>
  );
}

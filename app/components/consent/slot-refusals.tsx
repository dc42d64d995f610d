import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { ConsentForm } from '#app/components/consent/consent-form.tsx';
import { OwnerNames, Refusal } from '#app/components/consent/refusals.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import type { Askable, ConsentView } from '#server/screens/consent/views.ts';

/** After the decision: the chosen workspace has no free slot. */
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
        Connecting {platformName} needs an integration slot, and other integrations use all slots of the{' '}
        {planName} plan of {workspace.name}. Nothing was connected.
      </p>
      <p>
        <UpgradeHint {...view} next={`connect again from ${platformName}`} />
      </p>
    </Refusal>
  );
}

/** Before the decision: the open workspace has no free slot, but another may have one. */
export function RefuseSlot({ view }: { view: Extract<ConsentView, { kind: 'no_slot' }> }) {
  const { form, platformName, workspace, planName, isOwner } = view;
  const free = form.workspaces.find(({ hasFreeSlot }) => hasFreeSlot);
  return (
    <ConsentCard title={`${workspace.name} has no free slot`} workspaceName={workspace.name}>
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        Connecting {platformName} needs an integration slot, and other integrations use all slots of the{' '}
        {planName} plan. <UpgradeHint {...view} next="come back to this page" />
        {free ? ' You can also connect another of your workspaces.' : null}
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

/** Tells owners to upgrade the plan, and other teammates which owner to ask. */
function UpgradeHint({ isOwner, owners, next }: { isOwner: boolean; owners: Askable[]; next: string }) {
  if (isOwner) return `Upgrade to a plan with more slots, then ${next}.`;
  return (
    <>
      Only an owner can upgrade. Ask <OwnerNames owners={owners} />.
    </>
  );
}

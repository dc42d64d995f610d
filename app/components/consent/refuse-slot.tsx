import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { ConsentForm } from '#app/components/consent/consent-form.tsx';
import { WhoUpgrades } from '#app/components/consent/who-upgrades.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import type { ConsentView } from '#server/screens/consent/views.ts';

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

import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { ConsentForm } from '#app/components/consent/consent-form.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import type { ConsentView } from '#server/oauth/consent-view.ts';

/** The open workspace has no free slot; perhaps another of the teammate's has. */
export function RefuseSlot({ view }: { view: Extract<ConsentView, { kind: 'no_slot' }> }) {
  const { form, platformName, workspace, planName } = view;
  const chosen = form.workspaces.find(({ hasFreeSlot }) => hasFreeSlot) ?? null;
  return (
    <ConsentCard title={`${workspace.name} has no free slot`} workspaceName={workspace.name}>
      <p className="text-ink-soft">
        Connecting {platformName} takes an integration slot, and all slots of the {planName} plan are in use.
        Move to a plan with more slots, or free one in Settings, Integrations
        {chosen ? '. You can also connect another workspace of yours.' : '.'}
      </p>
      <a href="/settings/plan" className={buttonClass(chosen ? 'secondary' : 'primary')}>
        Compare plans
      </a>
      <ConsentForm form={form} chosen={chosen} />
    </ConsentCard>
  );
}

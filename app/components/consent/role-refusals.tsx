import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { ConsentForm } from '#app/components/consent/consent-form.tsx';
import { OwnerNames } from '#app/components/consent/owner-names.tsx';
import type { ConsentView } from '#server/screens/consent/views.ts';

/** The teammate is neither owner nor admin of the open workspace; perhaps of another. */
export function RefuseRole({ view }: { view: Extract<ConsentView, { kind: 'not_allowed' }> }) {
  const { form, platformName, workspace, teammate, owners } = view;
  const chosen = form.workspaces.find(({ hasFreeSlot }) => hasFreeSlot) ?? form.workspaces[0] ?? null;
  return (
    <ConsentCard
      title="Only owners and admins can connect"
      workspaceName={workspace.name}
      subtitle={`You are signed in as ${teammate.email}`}
    >
      <div className="grid gap-3 text-ink-soft [overflow-wrap:anywhere]">
        <p>
          A connection lets {platformName} read every conversation and reply, so only owners and admins can
          make one. In {workspace.name} you are neither.
        </p>
        <p>
          Ask <OwnerNames owners={owners} /> to connect it
          {chosen ? ', or connect a workspace where you are one.' : '.'}
        </p>
      </div>
      <ConsentForm form={form} chosen={chosen}>
        {chosen && form.workspaces.length === 1 ? (
          <p>
            <strong className="font-semibold">Connect</strong> connects {chosen.name} instead
            {chosen.hasFreeSlot ? '.' : ', but it has no free slot at the moment.'}
          </p>
        ) : null}
      </ConsentForm>
    </ConsentCard>
  );
}

import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { ConsentForm } from '#app/components/consent/consent-form.tsx';
import { OwnerNames, Refusal } from '#app/components/consent/refusals.tsx';
import { roleName } from '#app/lib/role-name.ts';
import type { ConsentView } from '#server/screens/consent/views.ts';

/** Before the decision: the teammate is neither owner nor admin of the open workspace, but may be in another. */
export function RefuseRole({ view }: { view: Extract<ConsentView, { kind: 'not_allowed' }> }) {
  const { form, platformName, workspace, teammate, role, owners } = view;
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
          connect. Your role in {workspace.name} is {roleName(role).toLowerCase()}.
        </p>
        <p>
          Ask <OwnerNames owners={owners} /> to connect it
          {chosen ? ', or connect a workspace where you are an owner or admin.' : '.'}
        </p>
      </div>
      <ConsentForm form={form} chosen={chosen}>
        {chosen && form.workspaces.length === 1 ? (
          <p>
            {chosen.hasFreeSlot ? (
              <>
                Select <strong className="font-semibold">Connect</strong> to connect {chosen.name} instead.
              </>
            ) : (
              `You can connect ${chosen.name} instead once it has a free slot.`
            )}
          </p>
        ) : null}
      </ConsentForm>
    </ConsentCard>
  );
}

/** After the decision: the teammate is neither owner nor admin of the chosen workspace. */
export function RefusedRole({ view }: { view: Extract<ConsentView, { kind: 'refused_role' }> }) {
  const { platformName, workspaceName, owners, retryUrl, cancel } = view;
  return (
    <Refusal
      title="Only owners and admins can connect"
      workspaceName={workspaceName ?? undefined}
      next={{ label: 'Try again', href: retryUrl }}
      cancel={cancel}
    >
      <p>
        You are not an owner or admin of {workspaceName ?? 'the workspace you chose'}. Nothing was connected.
      </p>
      <p>
        Ask <OwnerNames owners={owners} /> to connect {platformName}, or try again and choose a workspace
        where you are an owner or admin.
      </p>
    </Refusal>
  );
}

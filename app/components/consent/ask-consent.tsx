import { Abilities } from '#app/components/consent/abilities.tsx';
import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { ConsentForm } from '#app/components/consent/consent-form.tsx';
import type { ConsentView } from '#server/oauth/consent-view.ts';

/** The question itself. */
export function AskConsent({ view }: { view: Extract<ConsentView, { kind: 'ask' }> }) {
  const { form, platformName, workspace, teammate } = view;
  const chosen = form.workspaces.find(({ id }) => id === workspace.id) ?? form.workspaces[0] ?? null;
  return (
    <ConsentCard
      title={
        <>
          Connect <Unbroken>{platformName}</Unbroken> to <Unbroken>{workspace.name}</Unbroken>
        </>
      }
      workspaceName={workspace.name}
      subtitle={`as ${teammate.name}, ${teammate.email}`}
    >
      <ConsentForm form={form} chosen={chosen} hint="You can connect another workspace of yours instead.">
        <Abilities platformName={platformName} />
        <p className="text-center text-balance text-ink-soft text-list">
          You can end this any time in Settings, Integrations.
        </p>
      </ConsentForm>
    </ConsentCard>
  );
}

/** A name that stays on one line as long as it fits on one. */
function Unbroken({ children }: { children: string }) {
  return <span className="inline-block max-w-full">{children}</span>;
}

import { Abilities } from '#app/components/consent/abilities.tsx';
import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { ConsentForm } from '#app/components/consent/consent-form.tsx';
import type { ConsentView, EarlierApproval } from '#server/screens/consent/views.ts';

/**
 * The question itself. Where there is a choice the title names no workspace: without a script it could not follow what
 * is chosen, and would be wrong.
 */
export function AskConsent({ view }: { view: Extract<ConsentView, { kind: 'ask' }> }) {
  const { form, platformName, workspace, teammate, earlier } = view;
  const chosen = form.workspaces.find(({ id }) => id === workspace.id) ?? form.workspaces[0] ?? null;
  const isOnly = form.workspaces.length < 2;
  return (
    <ConsentCard
      title={
        <>
          Connect <Unbroken>{platformName}</Unbroken> to{' '}
          <Unbroken>{isOnly ? workspace.name : 'a workspace'}</Unbroken>
        </>
      }
      workspaceName={isOnly ? workspace.name : undefined}
      subtitle={`as ${teammate.name}, ${teammate.email}`}
    >
      <ConsentForm
        form={form}
        chosen={chosen}
        hint={`${workspace.name} is open in the app. You can choose another one of yours.`}
      >
        {earlier ? <EarlierNotice earlier={earlier} platformName={platformName} /> : null}
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

/** Says that this request was approved before, as after going back: approving again makes a second connection. */
function EarlierNotice({ earlier, platformName }: { earlier: EarlierApproval; platformName: string }) {
  const { workspaceName, isWaiting } = earlier;
  return (
    <p className="rounded-lg border border-note-line bg-note px-3.5 py-2.5 text-list text-note-ink">
      {isWaiting
        ? `You already approved this for ${workspaceName}, and ${platformName} is still finishing. If no connection ` +
          `appears there, start again from ${platformName}: an unfinished approval expires after ten minutes.`
        : `You already approved this: ${platformName} is connected to ${workspaceName}. Connecting again makes a ` +
          'second connection.'}
    </p>
  );
}

import { Check, X } from 'lucide-react';
import { ConsentCard } from '#app/components/consent/consent-card.tsx';
import { ConsentForm } from '#app/components/consent/consent-form.tsx';
import type { ConsentView, EarlierApproval } from '#server/screens/consent/views.ts';

/**
 * Asks for consent. With several workspaces the title names none, because without scripts it could not follow the
 * selection.
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
      <ConsentForm form={form} chosen={chosen} hint="You can choose another workspace.">
        {earlier ? <EarlierNotice earlier={earlier} platformName={platformName} /> : null}
        <Abilities platformName={platformName} />
        <p className="text-center text-balance text-ink-soft text-list">
          {'You can disconnect any time in Settings > Integrations.'}
        </p>
      </ConsentForm>
    </ConsentCard>
  );
}

/** Prevents line breaks inside a name that fits on one line. */
function Unbroken({ children }: { children: string }) {
  return <span className="inline-block max-w-full">{children}</span>;
}

/**
 * Warns that this request was approved before, for example after going back. Approving again creates a second
 * connection.
 */
function EarlierNotice({ earlier, platformName }: { earlier: EarlierApproval; platformName: string }) {
  const { workspaceName, isWaiting } = earlier;
  return (
    <p className="rounded-lg border border-note-line bg-note px-3.5 py-2.5 text-list text-note-ink">
      {isWaiting
        ? `You already approved this for ${workspaceName}, and ${platformName} is still finishing. If no connection ` +
          `appears there, start again from ${platformName}. An unfinished approval expires after ten minutes.`
        : `You already approved this: ${platformName} is connected to ${workspaceName}. Connecting again creates a ` +
          'second connection.'}
    </p>
  );
}

const can = [
  'Read and search contacts and conversations',
  'Create and update contacts',
  'Start conversations, and reply as you',
  'Add internal notes and tags, and change status, priority, assignee and team',
  'Receive events as they happen',
];

const cannot = [
  'See passwords',
  'Change settings, teammates or billing',
  'Act outside the workspace you connect',
];

/** Lists what a connection can and cannot do. */
function Abilities({ platformName }: { platformName: string }) {
  return (
    <div className="grid gap-4 rounded-lg border bg-canvas p-4">
      <section aria-labelledby="can" className="grid gap-2">
        <h2 id="can" className="text-list">
          {platformName} can
        </h2>
        <ul className="grid gap-1.5 text-list">
          {can.map((line) => (
            <li key={line} className="flex gap-2">
              <Check aria-hidden size={15} className="mt-0.5 shrink-0 text-good" />
              {line}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="cannot" className="grid gap-2">
        <h2 id="cannot" className="text-list">
          It can’t
        </h2>
        <ul className="grid gap-1.5 text-ink-soft text-list">
          {cannot.map((line) => (
            <li key={line} className="flex gap-2">
              <X aria-hidden size={15} className="mt-0.5 shrink-0" />
              {line}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

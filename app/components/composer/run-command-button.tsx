'use client';

import { Zap } from 'lucide-react';
import Link from 'next/link';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { listensForCommands } from '#app/components/composer/suggest-commands.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

const RunCommandForm = lazy(() => import('#app/components/composer/run-command-form.tsx'));

/** Initial values of the form. `isTyped` means that they came from the text box, which is cleared after the run. */
export type CommandRun = { command: string; details: string; isTyped: boolean };

type Props = {
  view: ComposerView;
  platformName: string;
  /** The run being edited, or null while the form is closed. */
  draftRun: CommandRun | null;
  onDraftRun: (draftRun: CommandRun | null) => void;
  onRan: (draftRun: CommandRun) => void;
  /** Returns the focus to the text box. */
  onReturn: () => void;
};

export function RunCommandButton({ view, platformName, draftRun, onDraftRun, onRan, onReturn }: Props) {
  const { conversationId, commands, commandDetailsMaxLength } = view;
  // Closing the form returns focus to its origin, unless the user clicked elsewhere.
  const returnsFocusToBox = useRef(false);
  useEffect(() => {
    if (draftRun) returnsFocusToBox.current = draftRun.isTyped;
  }, [draftRun]);
  return (
    <Popover
      control={{
        open: draftRun !== null,
        onOpenChange: (open) => onDraftRun(open ? { command: '', details: '', isTyped: false } : null),
      }}
      trigger={
        <Button variant="quiet" title="Run command" data-shortcut="command" className="px-2.5">
          <Zap aria-hidden size={16} strokeWidth={1.75} />
          <span className="@max-xl:sr-only">Run command</span>
        </Button>
      }
      aria-label="Run a command"
      side="top"
      align="start"
      onInteractOutside={() => {
        returnsFocusToBox.current = false;
      }}
      onCloseAutoFocus={(event) => {
        if (!returnsFocusToBox.current) return;
        event.preventDefault();
        onReturn();
      }}
      className="scroll-pane z-30 w-96 p-4"
    >
      {listensForCommands(commands) ? (
        <Suspense fallback={<p className="text-ink-soft text-list">Loading…</p>}>
          <RunCommandForm
            conversationId={conversationId}
            listened={commands}
            maxLength={commandDetailsMaxLength}
            initial={draftRun ?? { command: '', details: '', isTyped: false }}
            onRan={() => {
              if (draftRun) onRan(draftRun);
            }}
          />
        </Suspense>
      ) : (
        <NoListeningWorkflow platformName={platformName} isAdmin={view.isAdmin} />
      )}
    </Popover>
  );
}

function NoListeningWorkflow({ platformName, isAdmin }: { platformName: string; isAdmin: boolean }) {
  const link = 'text-accent-ink underline underline-offset-2';
  return (
    <div className="grid gap-2">
      <p className="font-semibold">No commands yet</p>
      <p className="text-ink-soft">
        In {platformName}, create a workflow that starts with a command from this workspace, and turn it on.
        Its command then appears here.
      </p>
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        {isAdmin ? (
          <Link href="/settings/integrations" className={link}>
            Integrations
          </Link>
        ) : null}
        <Link href="/docs" className={link}>
          How to connect workflows
        </Link>
      </p>
    </div>
  );
}

'use client';

import { Zap } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { RunCommandForm } from '#app/components/composer/run-command-form.tsx';
import { listensForCommands } from '#app/components/composer/suggest-commands.ts';
import { Button } from '#app/components/ui/button.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import type { ComposerView } from '#server/screens/inbox/views.ts';

/** What the form begins with, and whether it was typed into the text box, which is then done with it. */
export type WantedRun = { command: string; details: string; isTyped: boolean };

type Props = {
  view: ComposerView;
  platformName: string;
  /** The run that is being prepared; null while the form is closed. */
  wanted: WantedRun | null;
  onWant: (wanted: WantedRun | null) => void;
  onRan: (wanted: WantedRun) => void;
  /** Puts the keyboard back into the text box. */
  onReturn: () => void;
};

/** Starts a workflow from this conversation, in a small form. */
export function RunCommandButton({ view, platformName, wanted, onWant, onRan, onReturn }: Props) {
  const { conversationId, commands, commandDetailsMaxLength } = view;
  // Where the keyboard goes when the form closes: where it came from, unless somewhere else was clicked.
  const goesBackToBox = useRef(false);
  useEffect(() => {
    if (wanted) goesBackToBox.current = wanted.isTyped;
  }, [wanted]);
  return (
    <Popover
      control={{
        open: wanted !== null,
        onOpenChange: (open) => onWant(open ? { command: '', details: '', isTyped: false } : null),
      }}
      trigger={
        <Button variant="quiet" title="Run command" className="px-2.5">
          <Zap aria-hidden size={16} strokeWidth={1.75} />
          <span className="@max-xl:sr-only">Run command</span>
        </Button>
      }
      aria-label="Run a command"
      side="top"
      align="start"
      onInteractOutside={() => {
        goesBackToBox.current = false;
      }}
      onCloseAutoFocus={(event) => {
        if (!goesBackToBox.current) return;
        event.preventDefault();
        onReturn();
      }}
      className="scroll-pane z-30 w-96 p-4"
    >
      {listensForCommands(commands) ? (
        <RunCommandForm
          conversationId={conversationId}
          listened={commands}
          maxLength={commandDetailsMaxLength}
          begin={wanted ?? { command: '', details: '', isTyped: false }}
          onRan={() => {
            if (wanted) onRan(wanted);
          }}
        />
      ) : (
        <NoListeningWorkflow platformName={platformName} />
      )}
    </Popover>
  );
}

/** Why there is nothing to run, and how to get something. */
function NoListeningWorkflow({ platformName }: { platformName: string }) {
  const link = 'text-accent-ink underline underline-offset-2';
  return (
    <div className="grid gap-2">
      <p className="font-semibold">No workflow listens for commands yet</p>
      <p className="text-ink-soft">
        In {platformName}, create a workflow that starts with a workflow command from this workspace and turn
        it on. Its command then appears here.
      </p>
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <Link href="/settings/integrations" className={link}>
          Integrations
        </Link>
        <Link href="/docs" className={link}>
          How to connect workflows
        </Link>
      </p>
    </div>
  );
}

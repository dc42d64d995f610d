'use client';

import { Zap } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { listensForCommands } from '#app/components/composer/typed-token.ts';
import type { CommandRun } from '#app/components/drafts/composer-state.ts';
import { Button } from '#app/components/ui/button.tsx';
import { lazyParts, loading } from '#app/components/ui/lazy-part.tsx';
import { Popover } from '#app/components/ui/popover.tsx';
import type { ComposerView } from '#server/screens/inbox/composer-views.ts';

const rareParts = lazyParts(() => import('#app/components/composer/rare-parts.ts'));
const RunCommandForm = rareParts('RunCommandForm', loading);
const NoListeningWorkflow = rareParts('NoListeningWorkflow');

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
        <Button variant="quiet" data-tip="Run command" data-shortcut="command" className="px-2.5">
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
        <RunCommandForm
          conversationId={conversationId}
          listened={commands}
          maxLength={commandDetailsMaxLength}
          initial={draftRun ?? { command: '', details: '', isTyped: false }}
          onRan={() => {
            if (draftRun) onRan(draftRun);
          }}
        />
      ) : (
        <NoListeningWorkflow platformName={platformName} isAdmin={view.isAdmin} />
      )}
    </Popover>
  );
}

'use client';

import type { ReactNode } from 'react';
import { Button, type ButtonVariant } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';

type Props = {
  /** What goes, by its name. */
  name: string;
  verb?: 'Delete' | 'Remove' | 'Disconnect';
  title?: string;
  /** Said once it is done. */
  done?: string;
  /** What becomes of it, in sentences. */
  children: ReactNode;
  act: () => Promise<Outcome<unknown>>;
  /** Called once it is done, for example to go elsewhere. */
  onDone?: () => void;
  variant?: ButtonVariant;
  className?: string;
};

const SAID = {
  Delete: { done: 'deleted', failed: 'Could not delete it' },
  Remove: { done: 'removed', failed: 'Could not remove it' },
  Disconnect: { done: 'is disconnected', failed: 'Could not disconnect it' },
};

/** The button that deletes, removes or disconnects something, after saying what that means. */
export function DeleteButton(props: Props) {
  const { name, verb = 'Delete', title = `${verb} ${name}?`, children, act, onDone, ...look } = props;
  const { done = `${name} ${SAID[verb].done}`, ...button } = look;
  const { run } = useAction(act, { failed: SAID[verb].failed, done });
  const confirm = async () => {
    const outcome = await run();
    if (outcome.done) onDone?.();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button aria-label={`${verb} ${name}`} {...button}>
          {verb}
        </Button>
      }
      title={title}
      confirm={verb}
      onConfirm={confirm}
    >
      {children}
    </ConfirmDialog>
  );
}

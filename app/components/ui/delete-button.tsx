'use client';

import type { ReactNode } from 'react';
import { Button, type ButtonVariant } from '#app/components/ui/button.tsx';
import { ConfirmDialog } from '#app/components/ui/confirm-dialog.tsx';
import { useAction } from '#app/components/ui/use-action.ts';
import type { Outcome } from '#app/lib/outcome.ts';

type Props = {
  /** Name of the deleted object. */
  name: string;
  /** Names the object in the button's accessible name, where `name` is not unique on the page. */
  label?: string;
  verb?: 'Delete' | 'Remove' | 'Disconnect' | 'Revoke';
  title?: string;
  /** Success message. */
  done?: string;
  /** The consequences, as sentences. */
  children: ReactNode;
  act: () => Promise<Outcome<unknown>>;
  /** Called after success, for example to navigate. */
  onDone?: () => void;
  variant?: ButtonVariant;
  className?: string;
};

const DONE = { Delete: 'deleted', Remove: 'removed', Disconnect: 'disconnected', Revoke: 'revoked' };

/** Button that deletes, removes, disconnects or revokes an object after a confirmation. */
export function DeleteButton(props: Props) {
  const {
    name,
    label = name,
    verb = 'Delete',
    title = `${verb} ${name}?`,
    children,
    act,
    onDone,
    ...rest
  } = props;
  const { done = `${name} ${DONE[verb]}`, ...button } = rest;
  const { run } = useAction(act, { failed: `Could not ${verb.toLowerCase()} ${name}`, done });
  const confirm = async () => {
    const outcome = await run();
    if (outcome.done) onDone?.();
  };
  return (
    <ConfirmDialog
      trigger={
        <Button aria-label={`${verb} ${label}`} {...button}>
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

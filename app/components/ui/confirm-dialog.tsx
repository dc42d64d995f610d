'use client';

import { AlertDialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Button } from '#app/components/ui/button.tsx';
import { Shade } from '#app/components/ui/shade.tsx';
import { usePendingTransition } from '#app/components/ui/use-action.ts';
import { useReturnFocus } from '#app/components/ui/use-return-focus.ts';

type Props = {
  /** Button that opens the dialog. Omitted when another element opens it through `control`. */
  trigger?: ReactNode;
  control?: { open: boolean; onOpenChange: (open: boolean) => void };
  title: string;
  /** The consequences, as sentences. */
  children: ReactNode;
  confirm: string;
  cancel?: string;
  /** `danger` unless nothing is lost. */
  variant?: 'danger' | 'primary';
  /** False while the consequences are loading. */
  ready?: boolean;
  /** The dialog stays open until this promise resolves, and afterwards if it resolves to false. */
  onConfirm: () => Promise<unknown>;
  /** Moves the focus after closing, by default to the trigger. */
  onReturn?: () => void;
};

/** Asks for confirmation before an irreversible action. */
export function ConfirmDialog(props: Props) {
  const { trigger, control, title, children, confirm, cancel = 'Cancel', onConfirm, onReturn } = props;
  const { variant = 'danger', ready = true } = props;
  const [opened, setOpened] = useState(false);
  const [pending, start] = usePendingTransition();
  const open = control ? control.open : opened;
  const setOpen = control ? control.onOpenChange : setOpened;
  const returnFocus = useReturnFocus(open, trigger !== undefined);
  const onClosed = onReturn
    ? (event: Event) => {
        event.preventDefault();
        onReturn();
      }
    : returnFocus;
  const run = () =>
    start(async () => {
      if ((await onConfirm()) !== false) setOpen(false);
    });
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => pending || setOpen(next)}>
      {trigger === undefined ? null : <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>}
      <AlertDialog.Portal>
        <Shade className="z-40" />
        <AlertDialog.Content
          {...(onClosed ? { onCloseAutoFocus: onClosed } : {})}
          className="fixed top-1/2 left-1/2 z-50 grid w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 animate-fade gap-3 rounded-lg border bg-surface p-5"
        >
          <AlertDialog.Title className="font-semibold text-base">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="grid gap-2 text-ink-soft">{children}</div>
          </AlertDialog.Description>
          <div className="mt-2 flex justify-end gap-2 max-md:flex-col-reverse">
            <AlertDialog.Cancel asChild>
              <Button disabled={pending}>{cancel}</Button>
            </AlertDialog.Cancel>
            <Button variant={variant} onClick={run} disabled={pending || !ready} aria-busy={pending}>
              {pending ? 'Please wait' : confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

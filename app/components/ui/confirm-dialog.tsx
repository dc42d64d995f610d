'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '#app/components/ui/button.tsx';
import { useOwnTransition } from '#app/components/ui/use-action.ts';
import { useKitOnceOpen } from '#app/components/ui/use-kit.ts';
import { backTo, useTrigger } from '#app/components/ui/use-trigger.tsx';

type Props = {
  /** The button that asks; none where something else does, which then says through `control` when to. */
  trigger?: ReactNode;
  control?: { open: boolean; onOpenChange: (open: boolean) => void };
  title: string;
  /** What will happen, in sentences. */
  children: ReactNode;
  confirm: string;
  /** How the button looks that does it: `danger` unless nothing is lost by it. */
  variant?: 'danger' | 'primary';
  /** False while what will happen is still being found out. */
  ready?: boolean;
  /** Does it; the dialog stays until it is done, and then also when the answer is false. */
  onConfirm: () => Promise<unknown>;
};

/** Asks before something that cannot be taken back. */
export function ConfirmDialog(props: Props) {
  const { trigger, control, title, children, confirm, variant = 'danger', ready = true, onConfirm } = props;
  const [opened, setOpened] = useState(false);
  const [pending, start] = useOwnTransition();
  const open = control ? control.open : opened;
  const setOpen = control ? control.onOpenChange : setOpened;
  const kit = useKitOnceOpen(open, () => setOpen(false));
  const { button, contentId, triggerRef } = useTrigger({ trigger, open, onOpenChange: setOpen });
  const run = () =>
    start(async () => {
      if ((await onConfirm()) !== false) setOpen(false);
    });
  if (!kit) return button;
  const { AlertDialog } = kit;
  return (
    <>
      {button}
      <AlertDialog.Root open={open} onOpenChange={(next) => pending || setOpen(next)}>
        <AlertDialog.Portal>
          <AlertDialog.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
          <AlertDialog.Content
            id={contentId}
            onCloseAutoFocus={backTo(triggerRef)}
            className="fixed top-1/2 left-1/2 z-50 grid w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 animate-fade gap-3 rounded-lg border bg-surface p-5"
          >
            <AlertDialog.Title className="font-semibold text-base">{title}</AlertDialog.Title>
            <AlertDialog.Description asChild>
              <div className="grid gap-2 text-ink-soft">{children}</div>
            </AlertDialog.Description>
            <div className="mt-2 flex justify-end gap-2 max-md:flex-col-reverse">
              <AlertDialog.Cancel asChild>
                <Button disabled={pending}>Cancel</Button>
              </AlertDialog.Cancel>
              <Button variant={variant} onClick={run} disabled={pending || !ready} aria-busy={pending}>
                {pending ? 'One moment' : confirm}
              </Button>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </>
  );
}

'use client';

import { X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { useKitOnceOpen } from '#app/components/ui/use-kit.ts';
import { backTo, useTrigger } from '#app/components/ui/use-trigger.tsx';
import { cx } from '#app/lib/cx.ts';

export type DialogProps = {
  /** The button that opens it; none where something else does, which then says through `control` when to. */
  trigger?: ReactNode;
  control?: { open: boolean; onOpenChange: (open: boolean) => void };
  title: string;
  /** A sentence below the title, read out with it. */
  description?: ReactNode;
  wide?: boolean;
  /** What it shows; a function of what closes it, where that is done from inside. */
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** Something to fill in or to read above the page; on a phone it takes the whole screen. */
export function Dialog({ trigger, control, title, description, wide = false, children }: DialogProps) {
  const [opened, setOpened] = useState(false);
  const { open, onOpenChange } = control ?? { open: opened, onOpenChange: setOpened };
  const close = () => onOpenChange(false);
  const kit = useKitOnceOpen(open, close);
  const { button, contentId, triggerRef } = useTrigger({ trigger, open, onOpenChange });
  if (!kit) return button;
  const { Dialog: Radix } = kit;
  return (
    <>
      {button}
      <Radix.Root open={open} onOpenChange={onOpenChange}>
        <Radix.Portal>
          <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
          <Radix.Content
            id={contentId}
            {...(description ? {} : { 'aria-describedby': undefined })}
            // What it is for comes before the button that closes it.
            onOpenAutoFocus={(event) => {
              if (!(event.currentTarget instanceof HTMLElement)) return;
              const field = event.currentTarget.querySelector<HTMLElement>(
                'input:not([type="checkbox"]), textarea, select',
              );
              if (!field) return;
              event.preventDefault();
              field.focus();
            }}
            onCloseAutoFocus={backTo(triggerRef)}
            // Suggestions below a field are put away first.
            onEscapeKeyDown={(event) => {
              if (document.activeElement?.getAttribute('aria-expanded') === 'true') event.preventDefault();
            }}
            className={cx(
              'fixed top-1/2 left-1/2 z-50 flex max-h-[min(44rem,calc(100dvh-2rem))] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 animate-fade flex-col rounded-lg border bg-surface',
              'max-md:inset-0 max-md:max-h-none max-md:w-auto max-md:max-w-none max-md:translate-x-0 max-md:translate-y-0 max-md:rounded-none max-md:border-0',
              wide ? 'max-w-2xl' : 'max-w-lg',
            )}
          >
            <div className="flex shrink-0 items-start gap-2 pt-4 pr-3 pl-5 max-md:pt-2 max-md:pr-1 max-md:pl-4">
              <div className="grid min-w-0 grow gap-1 max-md:pt-2.5">
                <Radix.Title className="font-semibold text-base">{title}</Radix.Title>
                {description ? (
                  <Radix.Description asChild>
                    <div className="text-ink-soft text-list">{description}</div>
                  </Radix.Description>
                ) : null}
              </div>
              <Radix.Close asChild>
                <IconButton icon={X} label="Close" />
              </Radix.Close>
            </div>
            <div className="scroll-pane min-h-0 grow px-5 pt-3 pb-5 max-md:px-4">
              {typeof children === 'function' ? children(close) : children}
            </div>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </>
  );
}

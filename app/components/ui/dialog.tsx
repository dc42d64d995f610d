'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { Shade } from '#app/components/ui/shade.tsx';
import { useReturnFocus } from '#app/components/ui/use-return-focus.ts';
import { cx } from '#app/lib/cx.ts';

export type DialogProps = {
  /** Button that opens the dialog. Omitted when another element opens it through `control`. */
  trigger?: ReactNode;
  control?: { open: boolean; onOpenChange: (open: boolean) => void };
  title: string;
  description?: ReactNode;
  wide?: boolean;
  /** Content, or a function of `close`. */
  children: ReactNode | ((close: () => void) => ReactNode);
};

/** Modal dialog. On phones it fills the screen. */
export function Dialog({ trigger, control, title, description, wide = false, children }: DialogProps) {
  const [opened, setOpened] = useState(false);
  const { open, onOpenChange } = control ?? { open: opened, onOpenChange: setOpened };
  const returnFocus = useReturnFocus(open, trigger !== undefined);
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger === undefined ? null : <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Shade className="z-40" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          // Focus the first field rather than the close button.
          onOpenAutoFocus={(event) => {
            if (!(event.currentTarget instanceof HTMLElement)) return;
            const field = event.currentTarget.querySelector<HTMLElement>(
              'input:not([type="checkbox"]), textarea, select',
            );
            if (!field) return;
            event.preventDefault();
            field.focus();
          }}
          {...(returnFocus ? { onCloseAutoFocus: returnFocus } : {})}
          // Escape first closes the suggestions of a field.
          onEscapeKeyDown={(event) => {
            if (document.activeElement?.getAttribute('aria-expanded') === 'true') event.preventDefault();
          }}
          className={cx(
            'fixed top-1/2 left-1/2 z-50 flex max-h-[min(48rem,calc(100dvh-2rem))] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 animate-fade flex-col rounded-lg border bg-surface',
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
          {/* Rounded, so that a sticky footer does not cover the corners. */}
          <div className="scroll-pane min-h-0 grow rounded-b-lg px-5 pt-3 pb-5 max-md:rounded-none max-md:px-4">
            {typeof children === 'function' ? children(() => onOpenChange(false)) : children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

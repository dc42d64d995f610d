'use client';

import { X } from 'lucide-react';
import type { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { Shade } from '#app/components/ui/shade.tsx';
import { useRadixOnceOpen } from '#app/components/ui/use-radix.ts';
import { returnFocusTo, useTrigger } from '#app/components/ui/use-trigger.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<typeof Radix.Content>, 'title'> & {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
  /** Button that opens the sheet. Omitted when another element opens it through `control`. */
  trigger?: ReactNode;
  side: 'left' | 'right';
  title: string;
  /** Fixed footer. */
  footer?: ReactNode;
  /** Breakpoint from which the content is part of the page and the sheet is hidden. */
  hiddenFrom?: 'md' | 'lg';
};

const SIDES = {
  left: 'left-0 max-w-[85vw] animate-slide border-r bg-canvas',
  right: 'right-0 max-w-full animate-fade border-l bg-surface max-md:w-full max-md:border-0',
};

const HIDDEN = { md: 'md:hidden', lg: 'lg:hidden' };

/** Side sheet for content that does not fit beside the page. */
export function Sheet(props: Props) {
  const { control, trigger, side, title, footer, hiddenFrom, className, children, ...content } = props;
  const { open, onOpenChange } = control;
  const radix = useRadixOnceOpen(open, () => onOpenChange(false));
  const { button, contentId, triggerRef } = useTrigger({ trigger, open, onOpenChange });
  if (!radix) return button;
  return (
    <>
      {button}
      <radix.Dialog.Root open={open} onOpenChange={onOpenChange}>
        <radix.Dialog.Portal>
          <Shade className={cx('z-30', hiddenFrom && HIDDEN[hiddenFrom])} />
          <radix.Dialog.Content
            id={contentId}
            aria-describedby={undefined}
            onCloseAutoFocus={returnFocusTo(triggerRef)}
            className={cx(
              'fixed inset-y-0 z-40 flex flex-col',
              SIDES[side],
              hiddenFrom && HIDDEN[hiddenFrom],
              className,
            )}
            {...content}
          >
            <div className="flex h-14 shrink-0 items-center justify-between border-b pr-1 pl-4">
              <radix.Dialog.Title className="font-semibold text-base">{title}</radix.Dialog.Title>
              <radix.Dialog.Close asChild>
                <IconButton icon={X} label={`Close ${title.toLowerCase()}`} />
              </radix.Dialog.Close>
            </div>
            <div className="scroll-pane min-h-0 grow">{children}</div>
            {footer ? <div className="border-t p-2">{footer}</div> : null}
          </radix.Dialog.Content>
        </radix.Dialog.Portal>
      </radix.Dialog.Root>
    </>
  );
}

'use client';

import { X } from 'lucide-react';
import type { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { useKitOnceOpen } from '#app/components/ui/use-kit.ts';
import { backTo, useTrigger } from '#app/components/ui/use-trigger.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<typeof Radix.Content>, 'title'> & {
  control: { open: boolean; onOpenChange: (open: boolean) => void };
  /** The button that opens it; none where another part of the page does, through `control`. */
  trigger?: ReactNode;
  side: 'left' | 'right';
  title: string;
  /** What stays below while the rest scrolls. */
  footer?: ReactNode;
  /** From which width on there is no sheet, as what it holds is beside the page. */
  hiddenFrom?: 'md' | 'lg';
};

const SIDES = {
  left: 'left-0 max-w-[85vw] animate-slide border-r bg-canvas',
  right: 'right-0 max-w-full animate-fade border-l bg-surface max-md:w-full max-md:border-0',
};

const HIDDEN = { md: 'md:hidden', lg: 'lg:hidden' };

/** A pane over a side of the page, for what has no room beside it. */
export function Sheet(props: Props) {
  const { control, trigger, side, title, footer, hiddenFrom, className, children, ...content } = props;
  const { open, onOpenChange } = control;
  const kit = useKitOnceOpen(open, () => onOpenChange(false));
  const { button, contentId, triggerRef } = useTrigger({ trigger, open, onOpenChange });
  if (!kit) return button;
  return (
    <>
      {button}
      <kit.Dialog.Root open={open} onOpenChange={onOpenChange}>
        <kit.Dialog.Portal>
          <kit.Dialog.Overlay
            className={cx('fixed inset-0 z-30 animate-fade bg-shade', hiddenFrom && HIDDEN[hiddenFrom])}
          />
          <kit.Dialog.Content
            id={contentId}
            aria-describedby={undefined}
            onCloseAutoFocus={backTo(triggerRef)}
            className={cx(
              'fixed inset-y-0 z-40 flex flex-col',
              SIDES[side],
              hiddenFrom && HIDDEN[hiddenFrom],
              className,
            )}
            {...content}
          >
            <div className="flex h-14 shrink-0 items-center justify-between border-b pr-1 pl-4">
              <kit.Dialog.Title className="font-semibold text-base">{title}</kit.Dialog.Title>
              <kit.Dialog.Close asChild>
                <IconButton icon={X} label={`Close ${title.toLowerCase()}`} />
              </kit.Dialog.Close>
            </div>
            <div className="scroll-pane min-h-0 grow">{children}</div>
            {footer ? <div className="border-t p-2">{footer}</div> : null}
          </kit.Dialog.Content>
        </kit.Dialog.Portal>
      </kit.Dialog.Root>
    </>
  );
}

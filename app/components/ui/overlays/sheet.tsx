'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from '#app/components/ui/icon-button.tsx';
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
  return (
    <Radix.Root open={control.open} onOpenChange={control.onOpenChange}>
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      <Radix.Portal>
        <Radix.Overlay
          className={cx('fixed inset-0 z-30 animate-fade bg-shade', hiddenFrom && HIDDEN[hiddenFrom])}
        />
        <Radix.Content
          aria-describedby={undefined}
          className={cx(
            'fixed inset-y-0 z-40 flex flex-col',
            SIDES[side],
            hiddenFrom && HIDDEN[hiddenFrom],
            className,
          )}
          {...content}
        >
          <div className="flex h-14 shrink-0 items-center justify-between border-b pr-1 pl-4">
            <Radix.Title className="font-semibold text-base">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon={X} label={`Close ${title.toLowerCase()}`} />
            </Radix.Close>
          </div>
          <div className="scroll-pane min-h-0 grow">{children}</div>
          {footer ? <div className="border-t p-2">{footer}</div> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from '#app/components/ui/button.tsx';
import { Shade } from '#app/components/ui/shade.tsx';
import { useReturnFocus } from '#app/components/ui/use-return-focus.ts';
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
  const returnFocus = useReturnFocus(control.open, trigger !== undefined);
  return (
    <Radix.Root {...control}>
      {trigger === undefined ? null : <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Shade className={cx('z-30', hiddenFrom && HIDDEN[hiddenFrom])} />
        <Radix.Content
          aria-describedby={undefined}
          {...(returnFocus ? { onCloseAutoFocus: returnFocus } : {})}
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

'use client';

import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';

/** A non-modal menu: the rest of the page stays reachable while it is open. */
export function DropdownMenu({ children }: { children: ReactNode }) {
  return <Radix.Root modal={false}>{children}</Radix.Root>;
}

export const DropdownMenuTrigger = Radix.Trigger;

/** Menu content, rendered in place rather than in a portal, so that it stays in its landmark. */
export function DropdownMenuContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content sideOffset={6} collisionPadding={8} className={cx('menu', className)} {...rest} />;
}

const itemClass = cx(
  'relative flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-md px-2 py-1.5 text-list outline-none',
  'data-[highlighted]:bg-hover max-md:min-h-11',
);

export function DropdownMenuRadioGroup(props: ComponentProps<typeof Radix.RadioGroup>) {
  return <Radix.RadioGroup {...props} />;
}

export function DropdownMenuLabel({ children }: { children: ReactNode }) {
  return (
    <Radix.Label className="px-2 pt-1.5 pb-1 font-medium text-ink-faint text-xs">{children}</Radix.Label>
  );
}

export function DropdownMenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}

export function DropdownMenuItem({ className, ...rest }: ComponentProps<typeof Radix.Item>) {
  return <Radix.Item className={cx(itemClass, className)} {...rest} />;
}

export function DropdownMenuRadioItem({
  children,
  className,
  ...rest
}: ComponentProps<typeof Radix.RadioItem>) {
  return (
    <Radix.RadioItem className={cx(itemClass, 'pr-8', className)} {...rest}>
      {children}
      <Radix.ItemIndicator className="absolute right-2">
        <Check aria-hidden size={16} className="text-accent-ink" />
      </Radix.ItemIndicator>
    </Radix.RadioItem>
  );
}

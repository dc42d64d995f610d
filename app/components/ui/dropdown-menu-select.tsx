'use client';

import { ChevronsUpDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { DropdownMenuTrigger } from '#app/components/ui/dropdown-menu.tsx';
import { controlClass } from '#app/components/ui/input.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = ComponentProps<'button'> & { label: string };

/**
 * Trigger that looks like a select and shows the chosen value. For a choice that acts immediately: a native select would
 * act on each arrow key.
 */
export function DropdownMenuSelect({ label, className, children, ...rest }: Props) {
  return (
    <DropdownMenuTrigger
      className={cx(controlClass, 'flex items-center justify-between gap-2 text-left', className)}
      {...rest}
    >
      <span className="truncate">
        <span className="sr-only">{label}: </span>
        {children}
      </span>
      <ChevronsUpDown aria-hidden size={16} className="shrink-0 text-ink-soft" />
    </DropdownMenuTrigger>
  );
}

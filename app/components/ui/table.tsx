import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

/** Full-width table. Header cells define the column widths. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table className={cx('grid-table', className)} {...rest} />;
}

export function TableHead({ className, children }: Pick<ComponentProps<'thead'>, 'className' | 'children'>) {
  return (
    <thead className={cx('border-b text-ink-faint text-xs', className)}>
      <tr>{children}</tr>
    </thead>
  );
}

/** Column header. `className` sets width, alignment and visibility. */
export function HeaderCell({ className, ...rest }: ComponentProps<'th'>) {
  return <th scope="col" className={cx('head-cell', className)} {...rest} />;
}

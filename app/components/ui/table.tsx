import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

/** A table of records across its card; columns have the widths that their heads say. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table className={cx('grid-table', className)} {...rest} />;
}

/** The names of the columns, in `HeaderCell`s. */
export function TableHead({ className, children }: Pick<ComponentProps<'thead'>, 'className' | 'children'>) {
  return (
    <thead className={cx('border-b text-ink-faint text-xs', className)}>
      <tr>{children}</tr>
    </thead>
  );
}

/** The name of a column. `className`: its width, its side, and where it is not shown. */
export function HeaderCell({ className, ...rest }: ComponentProps<'th'>) {
  return <th scope="col" className={cx('head-cell', className)} {...rest} />;
}

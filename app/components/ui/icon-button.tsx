import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<'button'>, 'children'> & { icon: LucideIcon; label: string };

/** A button that shows an icon and says its name to those who cannot see it. */
export function IconButton({ icon: Icon, label, className, ...rest }: Props) {
  return (
    <button type="button" aria-label={label} title={label} className={cx('icon-button', className)} {...rest}>
      <Icon aria-hidden size={18} strokeWidth={1.75} />
    </button>
  );
}

import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<'button'>, 'children'> & { icon: LucideIcon; label: string };

/** A button that shows an icon and says its name to those who cannot see it. */
export function IconButton({ icon: Icon, label, className, ...rest }: Props) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-lg text-ink-soft',
        'transition-colors hover:bg-hover hover:text-ink max-md:size-11',
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden size={18} strokeWidth={1.75} />
    </button>
  );
}

import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = Omit<ComponentProps<'button'>, 'type' | 'className' | 'children'> & {
  'aria-label': string;
  /** Short name, shown in a tooltip. */
  'data-tip': string;
  icon: LucideIcon;
  isOnNote?: boolean;
};

/** A small action in the header of a message or note. */
export function MessageButton({ icon: Icon, isOnNote = false, ...props }: Props) {
  return (
    <button
      type="button"
      className={cx(
        '-my-1 inline-flex size-6 items-center justify-center self-center rounded-md max-md:-my-3 max-md:size-11',
        isOnNote ? 'hover:bg-note-line' : 'text-ink-faint hover:bg-hover hover:text-ink',
      )}
      {...props}
    >
      <Icon aria-hidden size={14} strokeWidth={1.75} />
    </button>
  );
}

import { Check, CircleAlert, Clock3, type LucideIcon, Pause } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#app/lib/cx.ts';
import type { SendingView } from '#server/screens/inbox/views.ts';

const icons: Record<SendingView['state'], LucideIcon> = {
  on_its_way: Clock3,
  sent: Check,
  held: Pause,
  failed: CircleAlert,
};

type Props = {
  sending: SendingView;
  /** What can be done about it. */
  children?: ReactNode;
};

/** How far a message of the team got; what did not arrive is said plainly. */
export function SendingState({ sending: { state, sentence }, children }: Props) {
  const Icon = icons[state];
  const isProblem = state === 'failed' || state === 'held';
  return (
    <p
      className={cx(
        'flex gap-1.5',
        isProblem ? 'items-start text-danger-ink text-list' : 'items-center text-ink-faint text-xs',
      )}
    >
      <Icon aria-hidden size={isProblem ? 15 : 12} className={cx('shrink-0', isProblem && 'mt-0.5')} />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {sentence}
        {children}
      </span>
    </p>
  );
}

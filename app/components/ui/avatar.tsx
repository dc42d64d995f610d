import { cx } from '#app/lib/cx.ts';
import { initials } from '#app/lib/initials.ts';

const sizes = { small: 'size-5 text-[0.5625rem]', medium: 'size-8 text-xs', large: 'size-12 text-base' };

const tones = { accent: 'bg-accent-soft text-accent-ink', neutral: 'bg-hover text-ink-soft' };

type Props = {
  name: string;
  size?: keyof typeof sizes;
  square?: boolean;
  /** `accent` for teammates and workspaces, `neutral` for contacts. */
  tone?: keyof typeof tones;
};

/** Initials in a circle (people) or a square (workspaces). Hidden from screen readers because the name is beside it. */
export function Avatar({ name, size = 'medium', square = false, tone = 'accent' }: Props) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex shrink-0 select-none items-center justify-center font-semibold',
        square ? 'rounded-lg' : 'rounded-full',
        sizes[size],
        tones[tone],
      )}
    >
      {initials(name) || '?'}
    </span>
  );
}

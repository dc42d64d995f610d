import { cx } from '#app/lib/cx.ts';
import { initials } from '#app/lib/initials.ts';

const sizes = { small: 'size-5 text-[0.5625rem]', medium: 'size-8 text-xs', large: 'size-12 text-base' };

const TINTS = 8;

/** Returns the tint of a contact's id or a teammate's name: always the same one, so that a person is recognized. */
function tintOf(key: string): string {
  let hash = 0;
  for (const letter of key) hash = (hash * 31 + letter.charCodeAt(0)) % 65_521;
  return `tint-${hash % TINTS}`;
}

type Props = {
  name: string;
  size?: keyof typeof sizes;
  square?: boolean;
  /** For companies and unknown contacts. */
  tone?: 'neutral' | undefined;
  /** Id of a contact, which selects the tint. That of a teammate depends on the name, which every list has. */
  contactId?: string | undefined;
};

/** Initials in a circle (people) or a square (workspaces). Hidden from screen readers because the name is beside it. */
export function Avatar({ name, size = 'medium', square = false, tone, contactId }: Props) {
  const key = contactId ?? (square || tone ? undefined : name);
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex shrink-0 select-none items-center justify-center font-semibold',
        square ? 'rounded-lg' : 'rounded-full',
        sizes[size],
        key ? tintOf(key) : tone ? 'bg-hover text-ink-soft' : 'bg-accent-soft text-accent-ink',
      )}
    >
      {initials(name) || '?'}
    </span>
  );
}

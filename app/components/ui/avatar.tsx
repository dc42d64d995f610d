import { cx } from '#app/lib/cx.ts';
import { initials } from '#app/lib/initials.ts';

const sizes = { small: 'size-5 text-[0.5625rem]', medium: 'size-8 text-xs', large: 'size-12 text-base' };

const tones = { accent: 'bg-accent-soft text-accent-ink', neutral: 'bg-hover text-ink-soft' };

const TINTS = 8;

/** Returns the tint of an id: always the same one, so that a contact is recognized. */
function tintOf(id: string): string {
  let hash = 0;
  for (const letter of id) hash = (hash * 31 + letter.charCodeAt(0)) % 65_521;
  return `tint-${hash % TINTS}`;
}

type Props = {
  name: string;
  size?: keyof typeof sizes;
  square?: boolean;
  /** `accent` for teammates and workspaces, `neutral` for companies and unknown contacts. */
  tone?: keyof typeof tones;
  /** Id of a contact, which selects a tint instead of the tone. */
  contactId?: string | undefined;
};

/** Initials in a circle (people) or a square (workspaces). Hidden from screen readers because the name is beside it. */
export function Avatar({ name, size = 'medium', square = false, tone = 'accent', contactId }: Props) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex shrink-0 select-none items-center justify-center font-semibold',
        square ? 'rounded-lg' : 'rounded-full',
        sizes[size],
        contactId === undefined ? tones[tone] : tintOf(contactId),
      )}
    >
      {initials(name) || '?'}
    </span>
  );
}

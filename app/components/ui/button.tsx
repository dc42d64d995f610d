import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '#app/lib/cx.ts';

type Props = ComponentProps<'button'> & { variant?: ButtonVariant };

/**
 * A button with type `button` by default, so that it never submits a form by accident. While it is busy, its words
 * ("Looking up") are its accessible name: `aria-label` names what it does.
 */
export function Button({ variant = 'secondary', type = 'button', className, ...rest }: Props) {
  const name = rest['aria-busy'] ? undefined : rest['aria-label'];
  return <button type={type} className={buttonClass(variant, className)} {...rest} aria-label={name} />;
}

/**
 * `primary`: the next step. `danger`: irreversible. `danger-outline`: opens the dialog of something irreversible, on a page that is about
 * something else. `quiet`: a secondary control.
 */
export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'danger-outline' | 'quiet';

/** Returns the classes of a button, for buttons and links. */
export function buttonClass(variant: ButtonVariant, more?: string): string {
  return cx('button', `button-${variant}`, more);
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  icon: LucideIcon;
  label: string;
  /** Part of the label that very wide screens show beside the icon. */
  word?: string;
};

/** Icon button with an accessible name, which its tooltip shows (`TooltipLayer`). */
export function IconButton({ icon: Icon, label, word, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={cx('icon-button', word && WITH_WORD, className)}
      {...rest}
    >
      <Icon aria-hidden size={18} strokeWidth={1.75} className="shrink-0" />
      {word ? <span className="text-list max-[110rem]:hidden">{word}</span> : null}
    </button>
  );
}

const WITH_WORD = 'min-[110rem]:w-auto min-[110rem]:gap-1.5 min-[110rem]:px-2';

import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

type Props = Omit<ComponentProps<'button'>, 'children'> & {
  icon: LucideIcon;
  /** Accessible name, which contains the word. */
  label: string;
  word: string;
};

/** Button of the bar of selected conversations: an icon and a word, below each other on phones. */
export function BulkButton({ icon, label, word, ...rest }: Props) {
  return (
    <button type="button" aria-label={label} className="icon-button bulk-button" {...rest}>
      <BulkLabel icon={icon} word={word} />
    </button>
  );
}

/** The content of a bulk button, for menus. */
export function BulkLabel({ icon: Icon, word }: Pick<Props, 'icon' | 'word'>) {
  return (
    <>
      <Icon aria-hidden size={18} strokeWidth={1.75} className="shrink-0" />
      <span>{word}</span>
    </>
  );
}

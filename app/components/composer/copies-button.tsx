import type { EnclosuresDraft } from '#app/components/composer/use-enclosures.ts';

type Props = { enclosures: EnclosuresDraft };

/** Reveals the Cc and Bcc fields. */
export function CopiesButton({ enclosures: { copies, showAllCopies } }: Props) {
  const { shown } = copies;
  if (shown === 'all') return null;
  return (
    <button
      type="button"
      onClick={showAllCopies}
      className="-my-1 ml-auto shrink-0 rounded-md px-1.5 py-1 font-medium text-accent-ink hover:bg-hover max-md:min-h-11"
    >
      {shown === 'cc' ? 'Bcc' : 'Cc, Bcc'}
    </button>
  );
}

import { X } from 'lucide-react';
import { cx } from '#app/lib/cx.ts';

type Props = { address: string; removeLabel: string; onRemove: () => void };

/** One of the addresses that get a copy, with a button that removes it; what is no address stands out. */
export function AddressChip({ address, removeLabel, onRemove }: Props) {
  const isAddress = looksLikeAddress(address);
  return (
    <li
      className={cx(
        'inline-flex h-6 min-w-0 max-w-full items-center rounded-md border pl-1.5 max-md:h-9 max-md:pl-2',
        isAddress ? 'bg-canvas' : 'border-danger-ink bg-danger-soft text-danger-ink',
      )}
    >
      <bdi className="min-w-0 truncate" title={address}>
        {address}
      </bdi>
      {isAddress ? null : <span className="sr-only">, not an email address</span>}
      <button
        type="button"
        aria-label={removeLabel}
        title={removeLabel}
        onClick={onRemove}
        className="focus-inset inline-flex h-full w-6 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-hover hover:text-ink max-md:w-10"
      >
        <X aria-hidden size={14} strokeWidth={1.75} />
      </button>
    </li>
  );
}

/** One `@` with something before it and a domain of several labels behind it; the server has the last word. */
function looksLikeAddress(text: string): boolean {
  const [local, domain = '', ...rest] = text.split('@');
  return Boolean(local) && rest.length === 0 && /[^.]\.[^.]/.test(domain) && !/\s/.test(text);
}

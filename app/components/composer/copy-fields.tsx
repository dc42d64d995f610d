import { X } from 'lucide-react';
import { type KeyboardEvent, useId } from 'react';
import type { EnclosuresDraft } from '#app/components/composer/use-enclosures.ts';
import { allAddresses, type CopyList } from '#app/components/drafts/copies.ts';
import { cx } from '#app/lib/cx.ts';
import { isComposing } from '#app/lib/is-composing.ts';

type Props = { enclosures: EnclosuresDraft };

export function CopyFields({ enclosures: { copies, changeCopies } }: Props) {
  const { shown, cc, bcc } = copies;
  if (shown === 'none') return null;
  const isCcNext = cc.addresses.length === 0;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)]">
      <CopyField
        label="Cc"
        list={cc}
        onChange={(list) => changeCopies({ cc: list })}
        isNew={shown === 'all' && isCcNext}
      />
      {shown === 'all' ? (
        <CopyField
          label="Bcc"
          list={bcc}
          onChange={(list) => changeCopies({ bcc: list })}
          isNew={!isCcNext && bcc.addresses.length === 0}
        />
      ) : null}
    </div>
  );
}

type FieldProps = {
  label: string;
  list: CopyList;
  onChange: (list: CopyList) => void;
  /** The user just opened this field. */
  isNew: boolean;
};

/** Removable addresses and an input for more. A comma, Enter or blur completes an address. */
function CopyField({ label, list, onChange, isNew }: FieldProps) {
  const id = useId();
  const { addresses, typed } = list;
  const finish = (text = typed) =>
    onChange({ addresses: allAddresses({ addresses, typed: text }), typed: '' });
  const isEmpty = addresses.length === 0 && typed === '';
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // Enter that confirms an IME composition does not complete the address.
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      finish();
    } else if (event.key === 'Backspace' && typed === '') {
      onChange({ addresses: addresses.slice(0, -1), typed: '' });
    }
  };
  return (
    <div className="flex items-start gap-2 border-b text-list has-[input:focus-visible]:shadow-[inset_0_-2px_0_0_var(--accent-ink)]">
      <label htmlFor={id} className="flex h-8 w-8 shrink-0 items-center text-ink-soft max-md:h-11">
        {label}
      </label>
      <div className="scroll-pane flex max-h-24 min-w-0 grow flex-wrap items-center gap-x-1.5 gap-y-1 py-1 max-md:max-h-36">
        {addresses.length > 0 ? (
          <ul aria-label={`${label} addresses`} className="contents">
            {addresses.map((address) => (
              <AddressChip
                key={address}
                address={address}
                removeLabel={`Remove ${address} from ${label}`}
                onRemove={() => onChange({ addresses: addresses.filter((each) => each !== address), typed })}
              />
            ))}
          </ul>
        ) : null}
        <input
          id={id}
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the user just opened this field
          autoFocus={isNew}
          placeholder={isEmpty ? 'Addresses, separated by commas' : ''}
          value={typed}
          onChange={({ target: { value } }) =>
            /[,;\n]/.test(value) ? finish(value) : onChange({ addresses, typed: value })
          }
          onKeyDown={onKeyDown}
          onBlur={() => (typed === '' ? undefined : finish())}
          className="h-6 min-w-32 grow bg-transparent outline-none placeholder:text-ink-faint max-md:h-9 max-md:text-base"
        />
      </div>
    </div>
  );
}

type ChipProps = { address: string; removeLabel: string; onRemove: () => void };

/** An address with a button to remove it. Invalid addresses are highlighted. */
function AddressChip({ address, removeLabel, onRemove }: ChipProps) {
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
        data-tip={removeLabel}
        onClick={onRemove}
        className="focus-inset inline-flex h-full w-6 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-hover hover:text-ink max-md:w-10"
      >
        <X aria-hidden size={14} strokeWidth={1.75} />
      </button>
    </li>
  );
}

/** Requires one `@`, a local part and a domain with a dot. The server validates the address. */
function looksLikeAddress(text: string): boolean {
  const [local, domain = '', ...rest] = text.split('@');
  return Boolean(local) && rest.length === 0 && /[^.]\.[^.]/.test(domain) && !/\s/.test(text);
}

import { useId } from 'react';
import type { EnclosuresDraft } from '#app/components/inbox/composer/use-enclosures.ts';

type Props = { enclosures: EnclosuresDraft };

/** Shows the fields for copies, where they are not shown yet. */
export function CopiesButton({ enclosures: { copies, changeCopies } }: Props) {
  if (copies.isShown) return null;
  return (
    <button
      type="button"
      onClick={() => changeCopies({ isShown: true })}
      className="-my-1 ml-auto shrink-0 rounded-md px-1.5 py-1 font-medium text-accent-ink hover:bg-hover max-md:min-h-11"
    >
      Cc, Bcc
    </button>
  );
}

/** Who gets a copy of an email, openly or without the others knowing. */
export function CopyFields({ enclosures: { copies, changeCopies } }: Props) {
  if (!copies.isShown) return null;
  return (
    <div className="grid">
      <CopyField label="Cc" value={copies.cc} onChange={(cc) => changeCopies({ cc })} isFirst />
      <CopyField label="Bcc" value={copies.bcc} onChange={(bcc) => changeCopies({ bcc })} />
    </div>
  );
}

type FieldProps = { label: string; value: string; onChange: (value: string) => void; isFirst?: boolean };

function CopyField({ label, value, onChange, isFirst = false }: FieldProps) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 border-b text-list">
      <label htmlFor={id} className="w-8 shrink-0 text-ink-soft">
        {label}
      </label>
      <input
        id={id}
        type="text"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the field appears because somebody has just asked for it.
        autoFocus={isFirst && value === ''}
        placeholder={isFirst ? 'Addresses, separated by commas' : ''}
        value={value}
        onChange={(change) => onChange(change.target.value)}
        className="focus-inset h-8 min-w-0 grow bg-transparent placeholder:text-ink-faint max-md:h-11 max-md:text-base"
      />
    </div>
  );
}

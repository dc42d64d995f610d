import type { ComponentProps, ReactNode } from 'react';
import { useId } from 'react';

type Props = Omit<ComponentProps<'input'>, 'type' | 'id' | 'className'> & { label: string; hint?: ReactNode };

/** Checkbox with a label and a hint. */
export function Checkbox({ label, hint, ...rest }: Props) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 gap-y-0.5">
      <input
        id={id}
        type="checkbox"
        aria-describedby={hintId}
        className="mt-0.5 size-4 accent-accent max-md:size-5"
        {...rest}
      />
      <label htmlFor={id} className="font-medium text-list [overflow-wrap:anywhere] max-md:leading-6">
        {label}
      </label>
      {hint ? (
        <p id={hintId} className="col-start-2 text-ink-soft text-list">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

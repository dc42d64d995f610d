import { type ReactNode, useId } from 'react';

type Props = {
  label: string;
  hint?: string;
  /** Draws the control; `id` ties the label to it, `describedBy` the hint. */
  children: (control: { id: string; describedBy: string | undefined }) => ReactNode;
};

/** A label above its control, and a hint below it. */
export function Field({ label, hint, children }: Props) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium text-list">
        {label}
      </label>
      {children({ id, describedBy: hintId })}
      {hint ? (
        <p id={hintId} className="text-ink-soft text-list">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

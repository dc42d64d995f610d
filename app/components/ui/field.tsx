import { type ReactNode, useId } from 'react';
import { FieldError } from '#app/components/ui/field-error.tsx';

/** What a control takes: its label's id, what describes it, and whether its value was refused. */
export type FieldControl = { id: string; describedBy: string | undefined; invalid: true | undefined };

type Props = {
  label: string;
  hint?: string | undefined;
  /** Why the value was refused. */
  problem?: string | null | undefined;
  /** Draws the control; `id` ties the label to it, `describedBy` the hint and the problem. */
  children: (control: FieldControl) => ReactNode;
};

/** A label above its control; below it what is wrong with the value, and a hint. */
export function Field({ label, hint, problem, children }: Props) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const problemId = problem ? `${id}-problem` : undefined;
  const describedBy = [problemId, hintId].filter(Boolean).join(' ') || undefined;
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="w-fit font-medium text-list">
        {label}
      </label>
      {children({ id, describedBy, invalid: problem ? true : undefined })}
      {problem ? <FieldError id={problemId}>{problem}</FieldError> : null}
      {hint ? (
        <p id={hintId} className="text-ink-soft text-list">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

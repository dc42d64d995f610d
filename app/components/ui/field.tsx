import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { FormState } from '#app/lib/form-state.ts';

type FieldControl = { id: string; describedBy: string | undefined; invalid: true | undefined };

type Props = {
  label: string;
  hint?: string | undefined;
  /** Validation error. */
  problem?: string | null | undefined;
  /** Renders the control. `id` connects the label, `describedBy` the hint and the error. */
  children: (control: FieldControl) => ReactNode;
};

/** A form field with label, error and hint. */
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

/** Error of a form or field, announced by screen readers. */
export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex gap-1.5 text-danger-ink text-list">
      <CircleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}

/**
 * Returns the props of a control that shows the submitted value and error after a refusal. The control also needs
 * `state.attempt` as its key, because React resets a submitted form: the key remounts the control with its value.
 */
export function fieldProps(
  { id, describedBy, invalid }: FieldControl,
  {
    state,
    name,
    defaultValue,
  }: { state: FormState; name: string; defaultValue?: string | number | readonly string[] | undefined },
) {
  return {
    id,
    name,
    defaultValue: state.values[name] ?? defaultValue,
    'aria-describedby': describedBy,
    'aria-invalid': invalid,
  };
}

import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { FormState } from '#app/lib/form-state.ts';

/** What a control takes: its label's id, what describes it, and whether its value was refused. */
type FieldControl = { id: string; describedBy: string | undefined; invalid: true | undefined };

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

/** What was wrong with a form or one of its fields; screen readers announce it at once. */
export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="flex gap-1.5 text-danger-ink text-list">
      <CircleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  );
}

/**
 * What a control of a form gets, so that after a refusal it holds what was typed and says what is wrong with it. It also
 * needs `state.attempt` as its key: the browser empties a form that was sent, so it is drawn again with its value.
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

import { Field } from '#app/components/ui/field.tsx';
import { cx } from '#app/lib/cx.ts';

type Props = {
  maxLength: number;
  problem?: string | undefined;
  defaultValue?: string;
  value?: string;
  onChange?: (comment: string) => void;
};

/** A few words beside a score. */
export function CommentField({ maxLength, problem, defaultValue, value, onChange }: Props) {
  return (
    <Field label="Comment (optional)" problem={problem}>
      {({ id, describedBy, invalid }) => (
        <textarea
          id={id}
          name="comment"
          rows={3}
          // Counted in another way by the browser, never more strictly.
          maxLength={2 * maxLength}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          className={cx(
            'w-full resize-y rounded-lg border border-line-control bg-surface px-3 py-2 text-sm max-md:text-base',
            'aria-invalid:border-danger-ink',
          )}
          {...(onChange
            ? { value, onChange: ({ currentTarget }) => onChange(currentTarget.value) }
            : { defaultValue })}
        />
      )}
    </Field>
  );
}

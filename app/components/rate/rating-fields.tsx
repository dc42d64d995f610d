import { Field } from '#app/components/ui/field.tsx';
import { cx } from '#app/lib/cx.ts';
import { SCORE_WORDS, SCORES, type Score } from '#server/screens/views.ts';

type Props = {
  legend: string;
  /** The selected score. Controlled with `choose`, otherwise uncontrolled. */
  chosen: Score | null;
  choose?: (score: Score) => void;
};

/** Radio buttons for the five scores, which work without JavaScript. */
export function ScoreChoice({ legend, chosen, choose }: Props) {
  return (
    <fieldset>
      <legend className="mb-2 font-medium">{legend}</legend>
      <div className="grid grid-cols-5 gap-1.5">
        {SCORES.map((score) => (
          <label
            key={score}
            className={cx(
              'grid min-h-16 cursor-pointer content-center justify-items-center gap-0.5 rounded-lg border border-line-control',
              'bg-surface px-1 py-2 text-center hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft',
              'has-checked:text-accent-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink',
              'has-focus-visible:outline-offset-2',
            )}
          >
            <input
              type="radio"
              name="score"
              value={score}
              className="sr-only"
              {...(choose
                ? { checked: chosen === score, onChange: () => choose(score) }
                : { defaultChecked: chosen === score })}
            />
            <span className="font-semibold text-base">{score}</span>
            <span className="text-xs leading-4">{SCORE_WORDS[score]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type CommentFieldProps = {
  maxLength: number;
  problem?: string | undefined;
  defaultValue?: string;
  value?: string;
  onChange?: (comment: string) => void;
};

export function CommentField({ maxLength, problem, defaultValue, value, onChange }: CommentFieldProps) {
  return (
    <Field label="Comment (optional)" problem={problem}>
      {({ id, describedBy, invalid }) => (
        <textarea
          id={id}
          name="comment"
          rows={3}
          // Browsers count UTF-16 units, the server code points. Twice the limit is never stricter.
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

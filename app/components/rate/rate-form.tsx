'use client';

import { sendRating } from '#app/components/rate/actions.ts';
import { CommentField, ScoreChoice } from '#app/components/rate/rating-fields.tsx';
import { Alert } from '#app/components/ui/alert.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { useServerForm } from '#app/components/ui/use-server-form.ts';
import { RATING_COMMENT_MAX_LENGTH, SCORE_WORDS, SCORES, type Score } from '#server/screens/views.ts';

/** Survey that an emailed link opens. A plain form that works without JavaScript. */
export function RateForm({ token, score }: { token: string; score: Score | null }) {
  const [state, submit, pending] = useServerForm(sendRating);
  const rated = SCORES.find((each) => each === state.value?.score);
  if (rated !== undefined) {
    return (
      <div className="grid gap-3 text-center">
        <p role="status" className="font-medium">
          Thank you. You rated this {rated} of 5, {SCORE_WORDS[rated].toLowerCase()}.
        </p>
        <p className="text-ink-soft">You can close this page. To change the rating, open the link again.</p>
      </div>
    );
  }
  const sent = SCORES.find((each) => String(each) === state.values.score) ?? null;
  return (
    <form action={submit} className="grid gap-4">
      {/* A hidden field, not a bound argument: Next.js does not handle bound actions without JavaScript. */}
      <input type="hidden" name="token" value={token} />
      {state.problem ? <Alert key={state.attempt}>{state.problem}</Alert> : null}
      <div key={state.attempt} className="grid gap-4">
        <ScoreChoice legend="Your rating" chosen={sent ?? score} />
        {state.fields.score ? <FieldError>{state.fields.score}</FieldError> : null}
        <CommentField
          maxLength={RATING_COMMENT_MAX_LENGTH}
          problem={state.fields.comment}
          defaultValue={state.values.comment ?? ''}
        />
      </div>
      <Button type="submit" variant="primary" aria-busy={pending} className="w-full">
        {pending ? 'Sending' : 'Send rating'}
      </Button>
    </form>
  );
}

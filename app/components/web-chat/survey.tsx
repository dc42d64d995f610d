'use client';

import { useState } from 'react';
import { CommentField, ScoreChoice } from '#app/components/rate/rating-fields.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { FieldError } from '#app/components/ui/field.tsx';
import { ChatProblem } from '#app/components/web-chat/chat-api.ts';
import { sentenceOf } from '#app/components/web-chat/use-chat.ts';
import { RATING_COMMENT_MAX_LENGTH, SCORE_WORDS, type Score } from '#server/screens/views.ts';
import type { ChatView } from '#server/screens/web-chat/views.ts';

type Props = {
  ended: NonNullable<ChatView['ended']>;
  rating: ChatView['rating'];
  rate: (rating: { score: number; comment: string }) => Promise<void>;
};

const NEXT_STEP = {
  solved: 'Still need help? Just write again.',
  closed: 'This conversation is closed. Your next message starts a new one.',
};

/** Satisfaction survey after the conversation is solved or closed. The rating can be changed until the next message. */
export function Survey({ ended, rating, rate }: Props) {
  const [score, setScore] = useState<Score | null>(null);
  const [comment, setComment] = useState('');
  const [given, setGiven] = useState<number | null>(rating?.score ?? null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);

  async function send() {
    if (score === null) return setProblem('Choose a rating first.');
    setProblem(null);
    setIsSending(true);
    try {
      await rate({ score, comment });
      setGiven(score);
    } catch (error) {
      setProblem((error instanceof ChatProblem && error.fields.comment) || sentenceOf(error));
    } finally {
      setIsSending(false);
    }
  }

  const word = given === null ? '' : SCORE_WORDS[toScore(given)];
  return (
    <section
      aria-label="Rating"
      className="grid max-h-[60%] gap-3 overflow-y-auto border-t bg-canvas px-4 py-4"
    >
      <p role="status" className={given === null ? 'sr-only' : 'font-medium'}>
        {given === null ? '' : `Thank you. You rated this ${given} of 5, ${word.toLowerCase()}.`}
      </p>
      {given === null ? (
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isSending) void send();
          }}
        >
          <ScoreChoice legend="How did we do?" chosen={score} choose={setScore} />
          {score === null ? null : (
            <CommentField value={comment} onChange={setComment} maxLength={RATING_COMMENT_MAX_LENGTH} />
          )}
          {problem ? <FieldError>{problem}</FieldError> : null}
          {score === null ? null : (
            <Button type="submit" variant="primary" aria-busy={isSending} className="w-fit">
              {isSending ? 'Sending' : 'Send rating'}
            </Button>
          )}
        </form>
      ) : (
        <button
          type="button"
          className="w-fit font-medium text-accent-ink text-list hover:underline max-md:py-3"
          onClick={() => {
            setScore(toScore(given));
            setGiven(null);
          }}
        >
          Change the rating
        </button>
      )}
      <p className="text-ink-soft text-list">{NEXT_STEP[ended]}</p>
    </section>
  );
}

function toScore(score: number): Score {
  return ([1, 2, 3, 4, 5] as const).find((each) => each === score) ?? 3;
}

import { Refusal } from '#app/components/consent/refusal.tsx';
import { countOf } from '#app/lib/count-of.ts';

type Props = { platformName: string; retryAfterSeconds: number };

/** The form was sent too often. */
export function TooManyAttempts({ platformName, retryAfterSeconds }: Props) {
  return (
    <Refusal title="Too Many Attempts.">
      <p>
        This form was sent more often than is usual, so it is paused for a moment. Nothing was connected this
        time. Wait {countOf(Math.max(1, retryAfterSeconds), 'second')}, then start again from {platformName}.
      </p>
    </Refusal>
  );
}

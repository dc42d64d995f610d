import { Refusal } from '#app/components/consent/refusals.tsx';
import { pluralize } from '#app/lib/pluralize.ts';
import type { ConsentView } from '#server/screens/consent/views.ts';

/** The form was sent too often. */
export function TooManyAttempts({ view }: { view: Extract<ConsentView, { kind: 'too_many' }> }) {
  const { retryAfterSeconds, retryUrl, cancel } = view;
  return (
    <Refusal title="Too Many Attempts." next={{ label: 'Look again', href: retryUrl }} cancel={cancel}>
      <p>
        This form was sent too many times in a row. Nothing was connected this time. Wait{' '}
        {pluralize(Math.max(1, retryAfterSeconds), 'second')}, then look again.
      </p>
    </Refusal>
  );
}

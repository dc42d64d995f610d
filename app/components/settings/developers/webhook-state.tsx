import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { WebhookView } from '#server/screens/settings/views.ts';

/** Whether an endpoint gets events, and since when it fails. */
export function WebhookState({
  endpoint: { state, failingSince },
}: {
  endpoint: Pick<WebhookView['endpoint'], 'state' | 'failingSince'>;
}) {
  if (state === 'disabled') return <StatusDot tone="quiet">Disabled</StatusDot>;
  if (state === 'failing') return <StatusDot tone="bad">Paused: it failed for five days</StatusDot>;
  if (state === 'gone') return <StatusDot tone="bad">Paused: it no longer exists (410)</StatusDot>;
  if (failingSince === null) return <StatusDot tone="good">Enabled</StatusDot>;
  return (
    <StatusDot tone="bad">
      <span>
        Failing, first <RelativeTime at={failingSince} />
      </span>
    </StatusDot>
  );
}

import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { AccountView } from '#server/screens/settings/channel-views.ts';

/** How an account is doing, in words. */
export function AccountHealth({ account: { state, problem, lastReceivedAt } }: { account: AccountView }) {
  if (state === 'reconnect_needed') {
    return (
      <p className="text-list">
        <StatusDot tone="bad" wrap>
          <span>Needs to be connected again. {problem}</span>
        </StatusDot>
      </p>
    );
  }
  if (state === 'faulty') {
    return (
      <p className="text-list">
        <StatusDot tone="waiting" wrap>
          <span>{problem}</span>
        </StatusDot>
      </p>
    );
  }
  return (
    <p className="text-list">
      <StatusDot tone={lastReceivedAt ? 'good' : 'quiet'} wrap>
        {lastReceivedAt ? (
          <span>
            Receiving, last message <RelativeTime at={lastReceivedAt} />
          </span>
        ) : (
          <span>Connected, no message yet</span>
        )}
      </StatusDot>
    </p>
  );
}

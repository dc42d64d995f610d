import { ReplayButton, TestButton } from '#app/components/settings/channels/account-buttons.tsx';
import { disconnectAccount } from '#app/components/settings/channels/actions.ts';
import { ConnectDialog } from '#app/components/settings/channels/connect-dialog.tsx';
import { FoldedValues } from '#app/components/settings/channels/copied-values.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { StatusDot } from '#app/components/ui/status-dot.tsx';
import type { AccountView, ChannelView } from '#server/screens/settings/channel-views.ts';

type Props = { view: ChannelView; account: AccountView };

/** A connected account: health, actions and values to copy into the provider's settings. */
export function AccountItem({ view, account }: Props) {
  const { name: channel } = view;
  const { id, name, address, verifyToken, failedUpdates } = account;
  const label = `${channel}: ${name}`;
  return (
    <li aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-3 px-5 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="grid min-w-0 gap-0.5">
          <h3 className="[overflow-wrap:anywhere]">{name}</h3>
          <AccountHealth account={account} />
        </div>
        <div className="flex flex-wrap gap-2">
          {account.state === 'connected' ? null : <ConnectDialog view={view} how="again" account={label} />}
          <TestButton accountId={id} name={name} label={label} />
          <DeleteButton verb="Disconnect" name={name} label={label} act={disconnectAccount.bind(null, id)}>
            <p>Existing conversations stay, but replies in them no longer reach the contact.</p>
            <p>New messages on {channel} no longer arrive here. The account’s tokens are deleted.</p>
          </DeleteButton>
        </div>
      </div>
      {failedUpdates > 0 ? <ReplayButton accountId={id} label={label} count={failedUpdates} /> : null}
      <FoldedValues
        title={verifyToken === null ? 'Address' : 'Address and verify token'}
        open={account.openStep !== null || account.lastReceivedAt === null}
        values={[
          { label: 'Address', value: address },
          ...(verifyToken === null ? [] : [{ label: 'Verify token', value: verifyToken }]),
        ]}
      />
    </li>
  );
}

function AccountHealth({ account: { state, problem, lastReceivedAt, openStep } }: { account: AccountView }) {
  if (state === 'reconnect_needed') {
    return (
      <p className="text-list">
        <StatusDot tone="bad" wrap>
          <span>Reconnect this account. {problem}</span>
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
  if (openStep !== null) {
    return (
      <p className="max-w-[65ch] text-pretty text-list">
        <StatusDot tone="waiting" wrap>
          <span>
            <b className="font-semibold">One step left.</b> {openStep}
          </span>
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

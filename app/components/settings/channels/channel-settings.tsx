import { Mail } from 'lucide-react';
import { channels } from '#app/components/conversations/channel-icon.tsx';
import { RefreshOn } from '#app/components/live/refresh-on.tsx';
import { AccountItem } from '#app/components/settings/channels/account-item.tsx';
import { ConnectDialog } from '#app/components/settings/channels/connect-dialog.tsx';
import { EmailSettingsLink } from '#app/components/settings/email/email-settings-link.tsx';
import { EmailState } from '#app/components/settings/email/email-state.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { getScreens } from '#app/data/session.ts';
import type { ChannelView } from '#server/screens/settings/channel-views.ts';

export async function ChannelSettings() {
  const list = await (await getScreens()).channels.list();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <RefreshOn topic="channels" />
      <EmailCard />
      {list.map((view) => (
        <ChannelCard key={view.channel} view={view} />
      ))}
    </div>
  );
}

function ChannelCard({ view }: { view: ChannelView }) {
  const { channel, name, accounts } = view;
  const Icon = channels[channel].icon;
  const heading = `channel-${channel}`;
  return (
    <section aria-labelledby={heading}>
      <Card className="divide-y">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
          <div className="flex min-w-0 items-center gap-2.5">
            <Icon aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
            <h2 id={heading} tabIndex={-1} className="text-base">
              {name}
            </h2>
            {accounts.length === 0 ? <p className="text-ink-soft text-list">Not connected</p> : null}
          </div>
          <ConnectDialog view={view} how={accounts.length === 0 ? 'first' : 'another'} />
        </div>
        {accounts.length > 0 ? (
          <ul className="divide-y">
            {accounts.map((account) => (
              <AccountItem key={account.id} view={view} account={account} />
            ))}
          </ul>
        ) : null}
      </Card>
      <FocusWhenLost on={accounts.length} goTo={heading} />
    </section>
  );
}

/** Shows whether email is received and sent, and links to its settings. */
async function EmailCard() {
  const view = await (await getScreens()).channels.email();
  return (
    <section aria-labelledby="channel-email">
      <Card className="divide-y">
        <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
          <div className="flex min-w-0 items-center gap-2.5">
            <Mail aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
            <h2 id="channel-email" className="text-base">
              Email
            </h2>
          </div>
          <EmailSettingsLink nextStep={view.nextStep} />
        </div>
        <EmailState view={view} />
      </Card>
    </section>
  );
}

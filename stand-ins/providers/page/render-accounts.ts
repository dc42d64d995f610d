import { type Html, html } from '../../http/html.ts';
import { CHANNEL_KINDS } from '../channel-kind.ts';
import type { Providers } from '../providers.ts';
import { type Account, keyOf } from '../state.ts';

/** Returns the credentials, with the labels of Settings > Channels. */
function credentialsOf(account: Account): [string, string | null][] {
  const { channel, externalId, token, secret, businessAccountId } = account;
  if (channel === 'telegram') return [['Bot token', token]];
  if (channel === 'slack') {
    return [
      ['Bot token', token],
      ['Signing secret', secret],
    ];
  }
  const id = { whatsapp: 'Phone number ID', instagram: 'Account ID', messenger: 'Page ID' }[channel];
  return [
    [id, externalId],
    ['Access token', token],
    ['App secret', secret],
    ['Business account ID', businessAccountId],
  ];
}

/** Renders the page with each account's credentials and webhook address, like a provider's dashboard. */
export function renderAccountsPage({ state }: Providers, notice: string | null): Html {
  return html`
    <div>
      <h1>Accounts</h1>
      <p>The accounts of the demo workspaces are already connected. Connect another account in Settings > Channels with the values below, then enter the address shown there.</p>
      ${notice && html`<p role="status">${notice}</p>`}
      <section><div>${[...state.accounts.values()].toReversed().map(renderAccount)}</div></section>
    </div>`;
}

function renderAccount(account: Account): Html {
  const { channel, workspace, address } = account;
  const whose = workspace ?? (address ? 'Connected by you' : 'Not connected yet');
  return html`
    <section aria-label="${CHANNEL_KINDS[channel].label}, ${whose}">
      <h2>${CHANNEL_KINDS[channel].label} <small>${whose}</small></h2>
      <dl>${credentialsOf(account)
        .filter(([, value]) => value)
        .map(([label, value]) => html`<dt>${label}</dt><dd><code>${value}</code></dd>`)}</dl>
      ${
        channel === 'telegram'
          ? html`<p>${address ? `Updates go to ${address}` : 'The service sets the address for updates.'}</p>`
          : renderAddress(account)
      }
    </section>`;
}

function renderAddress(account: Account): Html {
  const key = keyOf(account);
  const { channel, address, verifyToken } = account;
  return html`
    <form method="post" action="/address/${encodeURIComponent(key)}">
      <div><label for="address-${key}">Address</label><input id="address-${key}" name="address" type="url" value="${address ?? ''}" required></div>
      ${channel !== 'slack' && html`<div><label for="verify-${key}">Verify token</label><input id="verify-${key}" name="verify_token" value="${verifyToken ?? ''}"></div>`}
      <button>Verify and save</button>
    </form>`;
}

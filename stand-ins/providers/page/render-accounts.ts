import { type Html, html } from '../../http/html.ts';
import { CHANNEL_KINDS } from '../channel-kind.ts';
import type { Providers } from '../providers.ts';
import { type Account, keyOf } from '../state.ts';

/** What Settings, Channels asks for, by the labels it has there. */
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

/** The page with each account's credentials, and where its updates go: what a provider's dashboard is for. */
export function renderAccountsPage({ state }: Providers, notice: string | null): Html {
  return html`
    <div class="text-page">
      <h1>Accounts</h1>
      <p class="hint">Those of the demo workspaces are connected already. Connect another one in Settings > Channels with the values below, then enter the address that you see there.</p>
      ${notice && html`<p class="notice" role="status">${notice}</p>`}
      <div class="cards">${[...state.accounts.values()].toReversed().map(renderAccount)}</div>
    </div>`;
}

function renderAccount(account: Account): Html {
  const { channel, workspace, address } = account;
  const whose = workspace ?? 'Not connected yet';
  return html`
    <section class="card" aria-label="${CHANNEL_KINDS[channel].label}, ${whose}">
      <h2>${CHANNEL_KINDS[channel].label} <span>${whose}</span></h2>
      <dl class="facts">${credentialsOf(account)
        .filter(([, value]) => value)
        .map(([label, value]) => html`<div><dt>${label}</dt><dd><code>${value}</code></dd></div>`)}</dl>
      ${
        channel === 'telegram'
          ? html`<p class="hint">${address ? `Updates go to ${address}` : 'The service itself says where updates go.'}</p>`
          : renderAddress(account)
      }
    </section>`;
}

function renderAddress(account: Account): Html {
  const key = keyOf(account);
  const { channel, address, verifyToken } = account;
  return html`
    <form method="post" action="/address/${encodeURIComponent(key)}">
      <div class="field"><label for="address-${key}">Address</label><input id="address-${key}" name="address" type="url" value="${address ?? ''}" required></div>
      ${channel !== 'slack' && html`<div class="field"><label for="verify-${key}">Verify token</label><input id="verify-${key}" name="verify_token" value="${verifyToken ?? ''}"></div>`}
      <button class="button">Verify and save</button>
    </form>`;
}

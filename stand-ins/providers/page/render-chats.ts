import { type Html, html } from '../../http/html.ts';
import { CHANNEL_KINDS } from '../channel-kind.ts';
import { castOf } from '../people.ts';
import type { Providers } from '../providers.ts';
import { type Account, type Chat, keyOf } from '../state.ts';
import { chatAddress, renderMessage } from './render-message.ts';
import { renderSwitches } from './render-switches.ts';

/** Selection from the query of the page's URL. */
export type Shown = { account: string | null; chat: string | null; notice: string | null };

const WITHOUT_WORKSPACE = 'Spare accounts';

/** Renders the page for writing as a contact. */
export function renderChats({ state }: Providers, shown: Shown): Html {
  const accounts = [...state.accounts.values()];
  const account =
    state.accounts.get(shown.account ?? '') ??
    accounts.findLast(isOwn) ??
    accounts.find(isUsual) ??
    accounts[0];
  if (!account) return html`<p>No accounts.</p>`;
  const chats = [...account.chats.values()].toReversed();
  const chat = account.chats.get(shown.chat ?? '') ?? chats[0];
  return html`
    <aside aria-labelledby="accounts-title">
      <h2 id="accounts-title">Accounts</h2>
      ${renderAccounts(accounts, account)}
    </aside>
    <section aria-labelledby="chat-title">
      <header>
        <h1 id="chat-title">${CHANNEL_KINDS[account.channel].label} <small>${account.name}</small></h1>
        ${!account.address && html`<p>Messages are not delivered until you enter the address under <a href="/accounts">Accounts</a>.</p>`}
      </header>
      ${shown.notice && html`<p role="status">${shown.notice}</p>`}
      <nav id="people" aria-label="Contacts" data-live>${renderPeople(account, chats, chat)}</nav>
      <div id="log" role="log" aria-label="Messages" tabindex="0" data-live>${
        chat
          ? chat.messages.map((message) => renderMessage(account, chat, message))
          : html`<p>No messages yet. Your first message starts a new conversation in the inbox.</p>`
      }</div>
        ${renderComposer(account, chat)}
    </section>
    <aside aria-labelledby="switches-title">
      <h2 id="switches-title">Provider behaviour</h2>
      <div id="switches" data-live>${renderSwitches(account)}</div>
    </aside>`;
}

/** Returns whether an account was connected to a workspace of one's own. */
function isOwn({ workspace, address }: Account): boolean {
  return workspace === null && address !== null;
}

function isUsual({ workspace, channel }: Account): boolean {
  return workspace === 'Demo Growth' && channel === 'whatsapp';
}

function renderAccounts(accounts: Account[], selected: Account): Html[] {
  const workspaces = [...new Set(accounts.map(({ workspace }) => workspace ?? WITHOUT_WORKSPACE))];
  const shown = selected.workspace ?? WITHOUT_WORKSPACE;
  const rowsOf = (workspace: string) =>
    accounts.filter((account) => (account.workspace ?? WITHOUT_WORKSPACE) === workspace);
  return workspaces.map(
    (workspace) => html`
      <details ${workspace === shown && html`open`}>
        <summary>${workspace}</summary>
        <ul>${rowsOf(workspace).map(
          (account) => html`
          <li><a href="/?account=${encodeURIComponent(keyOf(account))}" ${account === selected && html`aria-current="true"`}>${CHANNEL_KINDS[account.channel].label}</a></li>`,
        )}</ul>
      </details>`,
  );
}

function renderPeople(account: Account, chats: Chat[], selected: Chat | undefined): Html[] {
  return chats.map((chat) => {
    const where = chat.place?.threadTs ? ' in a thread' : '';
    return html`<a href="${chatAddress(account, chat)}" ${chat === selected && html`aria-current="true"`}>${chat.person.name}${where}</a>`;
  });
}

function renderComposer(account: Account, chat: Chat | undefined): Html {
  const cast = castOf(account).map(({ name }) => name);
  const chosen = chat?.person.name ?? cast[0] ?? '';
  return html`
    <form method="post" action="/do/${encodeURIComponent(keyOf(account))}" enctype="multipart/form-data">
      ${chat?.place?.threadTs && html`<input type="hidden" name="chat" value="${chat.key}">`}
      <div><label for="from">As</label><input id="from" name="from" list="cast" value="${chosen}" required autocomplete="off"></div>
      ${account.slack && html`<label><input type="checkbox" name="mention" value="1"> Mention the app in #help</label>`}
      <datalist id="cast">${[...new Set([chosen, ...cast])].map((name) => html`<option value="${name}"></option>`)}</datalist>
      <div><label for="text">Message</label><textarea id="text" name="text" rows="3"></textarea></div>
      <div><label for="files">Files</label><input id="files" type="file" name="files" multiple></div>
      <button data-tone="main">Send as contact</button>
    </form>`;
}

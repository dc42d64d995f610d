import { type Html, html } from '../../http/html.ts';
import { renderTime } from '../../http/render-document.ts';
import { CHANNEL_KINDS } from '../channel-kind.ts';
import { type Account, type Chat, keyOf, type Message } from '../state.ts';

const TONES: Record<string, string> = { read: 'good', failed: 'bad' };

/** Returns the URL of a chat. */
export function chatAddress(account: Account, chat: Chat): string {
  return `/?account=${encodeURIComponent(keyOf(account))}&chat=${encodeURIComponent(chat.key)}`;
}

/** Renders a message with the buttons for the person or the provider. */
export function renderMessage(account: Account, chat: Chat, message: Message): Html {
  const { id, direction, text, files, removed, edits, reaction, label, at, status, failure } = message;
  const isOut = direction === 'out';
  return html`
    <article data-side="${direction}" aria-label="${isOut ? account.name : chat.person.name}">
      ${label && html`<small>${label}</small>`}
      ${text && html`<p>${text}</p>`}
      ${files.map((file) => html`<p><a href="/files/${file.id}/${encodeURIComponent(file.name)}">${file.name}</a></p>`)}
      <small>${renderTime(at)} ${removed && 'Removed'} ${edits > 0 && 'Edited'} ${reaction} ${isOut && html`<small data-tone="${TONES[status ?? ''] ?? 'sent'}">${failure ?? status}</small>`}</small>
      <form method="post" action="/do/${encodeURIComponent(keyOf(account))}/${encodeURIComponent(id)}">
        <input type="hidden" name="back" value="${chatAddress(account, chat)}">
        ${isOut ? renderOwnActs(account) : renderTheirActs(message)}
        <button name="act" value="react" aria-label="React with thumbs up">👍</button>
      </form>
    </article>`;
}

function renderOwnActs({ channel }: Account): Html | false {
  return (
    CHANNEL_KINDS[channel].lateFailures.length > 0 &&
    html`<button name="act" value="fail">Report as failed</button>`
  );
}

function renderTheirActs({ text }: Message): Html {
  return html`
    <details><summary>Edit</summary><div><input name="text" aria-label="New text" value="${text}"><button name="act" value="edit">Save</button></div></details>
    <button name="act" value="remove">Remove</button>`;
}

import { type Html, html } from '../../http/html.ts';
import type { Mail } from '../mail/mail-state.ts';

/** A mail with its head, text, HTML in a sandbox, files, and how to answer it. */
export function renderMail(mail: Mail): Html {
  const { id, direction, email, envelope, answer, taken } = mail;
  const listed = (addresses: typeof email.to) => (addresses ?? []).map(({ address }) => address).join(', ');
  return html`
    <h1>${email.subject || 'No subject'}</h1>
    <dl class="facts">
      <div><dt>From</dt><dd>${[email.from?.name, email.from?.address].filter(Boolean).join(' · ')}</dd></div>
      <div><dt>To</dt><dd>${listed(email.to)}</dd></div>
      ${email.cc && html`<div><dt>Cc</dt><dd>${listed(email.cc)}</dd></div>`}
      <div><dt>Envelope</dt><dd>${envelope.from || '<>'} to ${envelope.to.join(', ')}</dd></div>
      <div><dt>${direction === 'out' ? 'We said' : 'The service said'}</dt><dd class="${taken ? '' : 'bad'}">${answer}</dd></div>
    </dl>
    ${
      email.attachments.length > 0 &&
      html`<ul>${email.attachments.map(
        (file, index) =>
          html`<li><a href="/mail/${id}/files/${index}">${file.filename ?? 'file'}</a> <span class="meta">${file.mimeType}</span></li>`,
      )}</ul>`
    }
    ${email.html && html`<iframe class="mail-html" title="The mail as HTML" sandbox="" src="/mail/${id}/html"></iframe>`}
    <details ${!email.html && html`open`}><summary>Text</summary><pre class="mail-text">${email.text ?? ''}</pre></details>
    <details><summary>Headers</summary><pre class="mail-text">${email.headers.map(({ originalKey, value }) => `${originalKey}: ${value}`).join('\n')}</pre></details>
    <p><a href="/mail/${id}/raw">The mail as it was sent</a></p>
    ${direction === 'out' && renderReply(mail)}`;
}

function renderReply({ id, envelope }: Mail): Html {
  return html`
    <form class="composer" method="post" action="/mail/${id}/reply">
      <div class="field"><label for="text">Reply as ${envelope.to[0] ?? ''}</label><textarea id="text" name="text" rows="5" required></textarea></div>
      <div class="field-row"><button class="button button-main">Reply</button></div>
    </form>
    <form method="post" action="/mail/${id}/bounce"><button class="button">Bounce this mail</button></form>`;
}

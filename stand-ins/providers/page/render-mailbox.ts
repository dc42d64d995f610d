import { type Html, html } from '../../http/html.ts';
import { MAIL_ANSWER_WORDS, MAIL_ANSWERS, type Mail } from '../mail/mail-state.ts';
import type { Providers } from '../providers.ts';
import { renderSelect, renderTime } from './render-page.ts';

/** Mailboxes of the demo data, suggested as recipients. */
const MAILBOXES = [
  'support@growth.demo.test',
  'billing@growth.demo.test',
  'care@business.demo.test',
  'care@scale.demo.test',
  'studio@starter.demo.test',
  'workshop@full.demo.test',
];

/** Renders the page with sent and received mails. */
export function renderMailbox({ state }: Providers, id: string | null, notice: string | null): Html {
  const { mails, answer, count } = state.mail;
  const mail = mails.find((each) => each.id === id) ?? (id === 'new' ? undefined : mails[0]);
  const options = MAIL_ANSWERS.map((value) => ({ value, label: MAIL_ANSWER_WORDS[value] }));
  const select = { id: 'answer', name: 'answer', label: 'Behaviour of the contacts’ mail server', options };
  return html`
    <div class="columns columns-mail">
      <section class="pane" aria-labelledby="mails-title">
        <div class="pane-head"><h2 id="mails-title">Mails</h2><a class="button" href="/mail?mail=new">Write a mail</a></div>
        <form method="post" action="/mail-answer" class="switches">
          ${renderSelect({ ...select, chosen: answer })}
          <label class="check"><input type="checkbox" name="all" value="1" ${answer !== 'accept' && count === null && html`checked`}> For every mail, not only the next</label>
          <button class="button">Apply</button>
        </form>
        <div id="mails" data-live>
          <ul class="mails">${mails.map((each) => renderRow(each, each === mail))}</ul>
          ${mails.length === 0 && html`<p class="empty">No mail yet. Mail from the service appears here immediately.</p>`}
        </div>
      </section>
      <section class="pane pane-main">
        ${notice && html`<p class="notice" role="status">${notice}</p>`}
        ${mail ? renderMail(mail) : renderNew()}
      </section>
    </div>`;
}

function renderRow(mail: Mail, isSelected: boolean): Html {
  const { id, direction, email, envelope, at, accepted } = mail;
  const other = direction === 'out' ? `To ${envelope.to.join(', ')}` : `From ${envelope.from || 'nobody'}`;
  return html`<li><a class="row" href="/mail?mail=${id}" ${isSelected && html`aria-current="true"`}>
    <span class="row-top"><strong>${email.subject || 'No subject'}</strong>${renderTime(at)}</span>
    <span class="row-sub">${other} ${!accepted && html`<span class="status status-failed">refused</span>`}</span></a></li>`;
}

function renderNew(): Html {
  return html`
    <h1>Write a mail</h1>
    <form class="composer" method="post" action="/mail" enctype="multipart/form-data">
      <div class="field-row">
        <div class="field"><label for="name">Your name</label><input id="name" name="name" value="Ada Marsh"></div>
        <div class="field"><label for="from">Your address</label><input id="from" name="from" type="email" value="ada.marsh@contacts.example" required></div>
      </div>
      <div class="field"><label for="to">To</label><input id="to" name="to" list="mailboxes" value="${MAILBOXES[0] ?? ''}" required></div>
      <div class="field"><label for="cc">Cc</label><input id="cc" name="cc"></div>
      <datalist id="mailboxes">${MAILBOXES.map((address) => html`<option value="${address}"></option>`)}</datalist>
      <div class="field"><label for="subject">Subject</label><input id="subject" name="subject"></div>
      <div class="field"><label for="text">Message</label><textarea id="text" name="text" rows="8"></textarea></div>
      <div class="field-row">
        <div class="field"><label for="files">Files</label><input id="files" type="file" name="files" multiple></div>
        <button class="button button-main">Send</button>
      </div>
    </form>`;
}

/** Renders a mail: header fields, text, HTML in a sandbox, files, and the reply form. */
function renderMail(mail: Mail): Html {
  const { id, direction, email, envelope, answer, accepted } = mail;
  const listed = (addresses: typeof email.to) => (addresses ?? []).map(({ address }) => address).join(', ');
  return html`
    <h1>${email.subject || 'No subject'}</h1>
    <dl class="facts">
      <div><dt>From</dt><dd>${[email.from?.name, email.from?.address].filter(Boolean).join(' · ')}</dd></div>
      <div><dt>To</dt><dd>${listed(email.to)}</dd></div>
      ${email.cc && html`<div><dt>Cc</dt><dd>${listed(email.cc)}</dd></div>`}
      <div><dt>Envelope</dt><dd>${envelope.from || '<>'} to ${envelope.to.join(', ')}</dd></div>
      <div><dt>${direction === 'out' ? 'Our response' : 'Response of the service'}</dt><dd class="${accepted ? '' : 'bad'}">${answer}</dd></div>
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
    <p><a href="/mail/${id}/raw">Raw mail</a></p>
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

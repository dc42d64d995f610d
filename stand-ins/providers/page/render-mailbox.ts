import { type Html, html } from '../../http/html.ts';
import { renderTime } from '../../http/render-document.ts';
import { DEMO_MAILBOXES } from '../mail/demo-mailboxes.ts';
import { MAIL_ANSWER_WORDS, MAIL_ANSWERS, type Mail } from '../mail/mail-state.ts';
import type { Providers } from '../providers.ts';
import { renderSelect } from './render-page.ts';

/** Renders the page with sent and received mails. */
export function renderMailbox({ state }: Providers, id: string | null, notice: string | null): Html {
  const { mails, answer, count } = state.mail;
  const mail = mails.find((each) => each.id === id);
  const options = MAIL_ANSWERS.map((value) => ({ value, label: MAIL_ANSWER_WORDS[value] }));
  const select = { id: 'answer', name: 'answer', label: 'Behaviour of the contacts’ mail server', options };
  return html`
    <aside aria-labelledby="mails-title">
      <header><h2 id="mails-title">Emails</h2><form action="/mail"><button name="mail" value="new">Write an email</button></form></header>
      <form method="post" action="/mail-answer">
        ${renderSelect({ ...select, chosen: answer })}
        <label><input type="checkbox" name="all" value="1" ${answer !== 'accept' && count === null && html`checked`}> For every email, not only the next</label>
        <button>Apply</button>
      </form>
      <div id="mails" data-live>
        <ul>${mails.map((each) => renderRow(each, each === mail))}</ul>
        ${mails.length === 0 && html`<p>No email yet. Email from the service appears here immediately.</p>`}
      </div>
    </aside>
    <section>
      ${notice && html`<p role="status">${notice}</p>`}
      ${mail ? renderMail(mail) : renderNew(mails)}
    </section>`;
}

function renderRow(mail: Mail, isSelected: boolean): Html {
  const { id, direction, email, envelope, at, accepted } = mail;
  const other = direction === 'out' ? `To ${envelope.to.join(', ')}` : `From ${envelope.from || 'nobody'}`;
  return html`<li><a href="/mail?mail=${id}" ${isSelected && html`aria-current="true"`}>
    <strong>${email.subject || 'No subject'}</strong> ${renderTime(at)} <small>${other}</small>
    ${!accepted && html`<small data-tone="bad">refused</small>`}</a></li>`;
}

/** Renders the form for a mail, addressed like the last one that was written. */
function renderNew(mails: readonly Mail[]): Html {
  const written = mails
    .filter(({ direction }) => direction === 'in')
    .flatMap(({ envelope }) => envelope.to)
    // Replies go to addresses such as reply+…, which nobody types.
    .filter((address) => !address.includes('+'));
  const to = written[0] ?? DEMO_MAILBOXES[0] ?? '';
  const known = [...new Set([...written, ...DEMO_MAILBOXES])];
  return html`
    <h1>Write an email</h1>
    <form method="post" action="/mail" enctype="multipart/form-data">
      <div><label for="name">Your name</label><input id="name" name="name" value="Ada Marsh"></div>
      <div><label for="from">Your address</label><input id="from" name="from" type="email" value="ada.marsh@contacts.example" required></div>
      <div><label for="to">To</label><input id="to" name="to" list="mailboxes" value="${to}" required aria-describedby="to-hint"><small id="to-hint">A mailbox of your workspace, such as support@acme.test.${DEMO_MAILBOXES.includes(to) && ' This one belongs to Demo Growth.'}</small></div>
      <div><label for="cc">Cc</label><input id="cc" name="cc"></div>
      <datalist id="mailboxes">${known.map((address) => html`<option value="${address}"></option>`)}</datalist>
      <div><label for="subject">Subject</label><input id="subject" name="subject"></div>
      <div><label for="text">Message</label><textarea id="text" name="text" rows="8"></textarea></div>
      <div><label for="files">Files</label><input id="files" type="file" name="files" multiple></div>
      <label><input type="checkbox" name="forged" value="1"> Forge the sender: the email is not signed</label>
      <button data-tone="main">Send</button>
    </form>`;
}

/** Renders a mail: header fields, text, HTML in a sandbox, files, and the reply form. */
function renderMail(mail: Mail): Html {
  const { id, direction, email, envelope, answer, accepted } = mail;
  const listed = (addresses: typeof email.to) => (addresses ?? []).map(({ address }) => address).join(', ');
  return html`
    <h1>${email.subject || 'No subject'}</h1>
    <dl>
      <dt>From</dt><dd>${[email.from?.name, email.from?.address].filter(Boolean).join(' · ')}</dd>
      <dt>To</dt><dd>${listed(email.to)}</dd>
      ${email.cc && html`<dt>Cc</dt><dd>${listed(email.cc)}</dd>`}
      <dt>Envelope</dt><dd>${envelope.from || '<>'} to ${envelope.to.join(', ')}</dd>
      <dt>${direction === 'out' ? 'Our response' : 'Response of the service'}</dt><dd ${!accepted && html`data-tone="bad"`}>${answer}</dd>
    </dl>
    ${
      email.attachments.length > 0 &&
      html`<ul>${email.attachments.map(
        (file, index) =>
          html`<li><a href="/mail/${id}/files/${index}">${file.filename ?? 'file'}</a> <small>${file.mimeType}</small></li>`,
      )}</ul>`
    }
    ${email.html && html`<iframe title="The email as HTML" sandbox="" src="/mail/${id}/html"></iframe>`}
    <details ${!email.html && html`open`}><summary>Text</summary><pre>${linkify(email.text ?? '')}</pre></details>
    <details><summary>Headers</summary><pre>${email.headers.map(({ originalKey, value }) => `${originalKey}: ${value}`).join('\n')}</pre></details>
    <p><a href="/mail/${id}/raw">Raw email</a></p>
    ${direction === 'out' && renderReply(mail)}`;
}

/** Makes the addresses in a text links, such as that of an invitation. They open a new tab. */
function linkify(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>` : html`${part}`,
    );
}

function renderReply({ id, envelope }: Mail): Html {
  return html`
    <form method="post" action="/mail/${id}/reply">
      <div><label for="text">Reply as ${envelope.to[0] ?? ''}</label><textarea id="text" name="text" rows="5" required></textarea></div>
      <button data-tone="main">Reply</button>
    </form>
    <form method="post" action="/mail/${id}/bounce"><button>Bounce this email</button></form>`;
}

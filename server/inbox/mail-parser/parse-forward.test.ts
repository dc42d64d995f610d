import { describe, expect, test } from 'vitest';
import { parseFormEmail } from '#server/inbox/mail-parser/parse-form-email.ts';
import { parseForward } from '#server/inbox/mail-parser/parse-forward.ts';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

const MIA = { name: 'Mia Berg', address: 'mia@kunde.example' };
const FROM = 'Mia Berg <mia@kunde.example>';
const RULE = '________________________________';

/** Marks of Gmail, Apple Mail and Thunderbird, and labels of sender, date, subject and recipient, by language. */
const LANGUAGES: [string, string[], string[], string][] = [
  [
    'English',
    [
      '---------- Forwarded message ---------',
      'Begin forwarded message:',
      '-------- Forwarded Message --------',
    ],
    ['From', 'Sent', 'To', 'Subject'],
    'FW',
  ],
  [
    'German',
    [
      '---------- Weitergeleitete Nachricht ----------',
      'Anfang der weitergeleiteten Nachricht:',
      '-------- Weitergeleitete Nachricht --------',
    ],
    ['Von', 'Gesendet', 'An', 'Betreff'],
    'WG',
  ],
  [
    'French',
    [
      '---------- Message transféré ---------',
      'Début du message réexpédié :',
      '-------- Message transféré --------',
    ],
    ['De\u00a0', 'Envoyé\u00a0', 'À\u00a0', 'Objet\u00a0'],
    'TR',
  ],
  [
    'Spanish',
    [
      '---------- Mensaje reenviado ----------',
      'Inicio del mensaje reenviado:',
      '-------- Mensaje reenviado --------',
    ],
    ['De', 'Enviado el', 'Para', 'Asunto'],
    'RV',
  ],
  [
    'Italian',
    [
      '---------- Messaggio inoltrato ---------',
      'Inizio messaggio inoltrato:',
      '-------- Messaggio Inoltrato --------',
    ],
    ['Da', 'Inviato', 'A', 'Oggetto'],
    'I',
  ],
  [
    'Portuguese',
    [
      '---------- Mensagem encaminhada ---------',
      'Início da mensagem reencaminhada:',
      '-------- Mensagem reencaminhada --------',
    ],
    ['De', 'Enviada em', 'Para', 'Assunto'],
    'ENC',
  ],
  [
    'Dutch',
    [
      '---------- Doorgestuurd bericht ---------',
      'Begin doorgestuurd bericht:',
      '-------- Doorgestuurd bericht --------',
    ],
    ['Van', 'Verzonden', 'Aan', 'Onderwerp'],
    'FW',
  ],
  [
    'Polish',
    [
      '---------- Przekazana wiadomość ---------',
      'Początek przekazywanej wiadomości:',
      '-------- Przekazana wiadomość --------',
    ],
    ['Od', 'Wysłano', 'Do', 'Temat'],
    'PD',
  ],
];

describe.each(LANGUAGES)('a forward in %s names its sender, as written by', (_, marks, labels, prefix) => {
  const [gmail = '', apple = '', thunderbird = ''] = marks;
  const [from = '', sent = '', to = '', subject = ''] = labels;

  test('Gmail', () => {
    const text = `See below.\n\n${gmail}\n${from}: ${FROM}\n${sent}: 3 May\n${subject}: Order\n${to}: <me@acme.example>\n\n\nHello`;
    expect(parseForward(text, { isForward: false })).toEqual([MIA]);
  });

  test('Outlook', () => {
    const rows = [`${sent}: 3 May 2026 10:00`, `${to}: Me <me@acme.example>`, `${subject}: Order`].join('\n');
    for (const row of [
      FROM,
      'Mia Berg [mailto:mia@kunde.example]',
      'Mia Berg <mia@kunde.example<mailto:mia@kunde.example>>',
    ]) {
      const text = `Can you help?\n${RULE}\n${from}: ${row}\n${rows}\n\nHello`;
      expect(parseForward(text, { isForward: true })).toEqual([MIA]);
    }
  });

  test('Outlook, in a whole email', async () => {
    const body = `Can you help?\n\n${RULE}\n${from}: ${FROM}\n${sent}: 3 May 2026 10:00\n${to}: Me <me@acme.example>\n${subject}: Order\n\nHello`;
    const head = `From: t@acme.example\r\nSubject: ${prefix}: Order\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n`;
    expect((await parseMail(Buffer.from(head + body), undefined)).forwarded).toEqual([MIA]);
  });

  test('Apple Mail', () => {
    const text = `${apple}\n\n> ${from}: ${FROM}\n> ${subject}: Order\n> ${sent}: 3 May\n> ${to}: me@acme.example\n> \n> Hello`;
    expect(parseForward(text, { isForward: false })).toEqual([MIA]);
  });

  test('Thunderbird', () => {
    const text = `${thunderbird}\n${subject}: \tOrder\n${sent}: \t3 May\n${from}: \t${FROM}\n${to}: \tme@acme.example\n\nHello`;
    expect(parseForward(text, { isForward: false })).toEqual([MIA]);
  });
});

describe('a forward', () => {
  const MARK = '---------- Forwarded message ---------';
  const forward = (row: string, isForward = false) => parseForward(`${MARK}\n${row}\n`, { isForward });

  test.each([
    ['a bold label', `*From:* ${FROM}`, MIA],
    ['a name in quotes', 'From: "Berg, Mia" <mia@kunde.example>', { ...MIA, name: 'Berg, Mia' }],
    ['only an address', 'From: mia@kunde.example', { ...MIA, name: '' }],
    ['an address twice', 'From: mia@kunde.example <mia@kunde.example>', { ...MIA, name: '' }],
    ['a row of two lines', 'From: Mia Berg\n<mia@kunde.example>', MIA],
    ['capitals', 'FROM: Mia Berg <Mia@Kunde.Example>', MIA],
    [
      'a domain in Unicode',
      'From: Mia <mia@müller.example>',
      { name: 'Mia', address: 'mia@xn--mller-kva.example' },
    ],
  ])('may have %s', (_, row, sender) => {
    expect(forward(row)).toEqual([sender]);
  });

  test.each([
    ['no address', 'From: Mia Berg'],
    ['two persons', 'From: Web <web@forms.example> on behalf of Mia <mia@kunde.example>'],
    ['an address in another row only', 'From: Mia\nTo: me@acme.example'],
    ['no From row', 'Subject: Order\nTo: me@acme.example'],
    ['an address that is too long', `From: ${'a'.repeat(400)}@kunde.example`],
  ])('names nobody with %s', (_, row) => {
    expect(forward(row)).toEqual([]);
  });

  test('of a forward names the outermost sender first, and at most three', () => {
    const text = [1, 2, 1, 3, 4]
      .map((n) => `${MARK}\nFrom: p${n}@kunde.example\nTo: x@acme.example\n`)
      .join('\nHello\n');
    const found = parseForward(text, { isForward: true });
    expect(found.map(({ address }) => address)).toEqual([
      'p1@kunde.example',
      'p2@kunde.example',
      'p3@kunde.example',
    ]);
  });

  test.each([
    [
      'a quote below an answer',
      `Hello\n${RULE}\nFrom: ${FROM}\nSent: 3 May\nTo: x@acme.example\nSubject: Order`,
    ],
    ['a list', 'From: Berlin\nTo: Paris'],
    ['a sentence', `The words "Begin forwarded message" and From: ${FROM}`],
  ])('is not %s', (_, text) => {
    expect(parseForward(text, { isForward: false })).toEqual([]);
  });

  test('as HTML of Gmail, Outlook and Thunderbird has the same block', async () => {
    const link = '<a href="mailto:mia@kunde.example">mia@kunde.example</a>';
    const bodies = [
      `<div>See</div><div class="gmail_quote"><div class="gmail_attr">${MARK}<br>From: <strong>Mia Berg</strong> <span>&lt;${link}&gt;</span><br>Date: 3 May<br>To: &lt;x@acme.example&gt;<br></div><div>Hello</div></div>`,
      `<p>See</p><hr><div id="divRplyFwdMsg"><b>From:</b> Mia Berg &lt;mia@kunde.example&gt;<br><b>Sent:</b> 3 May<br><b>To:</b> x@acme.example<br><b>Subject:</b> Order</div><p>Hello</p>`,
      `<div class="moz-forward-container">-------- Forwarded Message --------<table><tr><th>Subject: </th><td>Order</td></tr><tr><th>From: </th><td>Mia Berg ${link.replace('>mia', '>&lt;mia').replace('</a>', '&gt;</a>')}</td></tr></table>Hello</div>`,
    ];
    for (const body of bodies) {
      const raw = `From: t@acme.example\r\nSubject: Fwd: Order\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${body}`;
      expect((await parseMail(Buffer.from(raw), undefined)).forwarded).toEqual([MIA]);
    }
  });
});

describe('the email of a contact form names the person in', () => {
  test.each([
    'Name: Nora Winter\nEmail: nora@winter.example\nMessage: Hello, write to x@other.example',
    'E-mail: nora@winter.example',
    'Your email: Nora <nora@winter.example>',
    'Email Address *: nora@winter.example',
    'E-Mail-Adresse: nora@winter.example',
    'Ihre E-Mail-Adresse: nora@winter.example',
    'Adresse e-mail : nora@winter.example',
    'Votre courriel\u00a0: nora@winter.example',
    'Correo electrónico: nora@winter.example',
    'Indirizzo e-mail: nora@winter.example',
    'Endereço de e-mail: nora@winter.example',
    'E-mailadres: nora@winter.example',
    'Adres e-mail: nora@winter.example',
    'Email:\nnora@winter.example',
    '*Email*\n\nnora@winter.example',
    'Email\tnora@winter.example',
    'Email (required) | nora@winter.example',
    'Email: [nora@winter.example](mailto:nora@winter.example)',
    'Email: none\nEmail: nora@winter.example',
  ])('%j', (text) => {
    expect(parseFormEmail(text)).toEqual({ name: '', address: 'nora@winter.example' });
  });

  test.each([
    'Message: my email is nora@winter.example',
    'nora@winter.example',
    'Emails: nora@winter.example',
    'Email: nora@winter.example, bo@winter.example',
    'Email:\nMessage: nora@winter.example is mine and bo@winter.example',
  ])('no row of %j', (text) => {
    expect(parseFormEmail(text)).toBeNull();
  });
});

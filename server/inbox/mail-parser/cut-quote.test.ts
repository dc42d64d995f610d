import { expect, test } from 'vitest';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

const parse = (body: string, { subject = 'Re: Order', type = 'text/plain' } = {}) =>
  parseMail(
    Buffer.from(
      `From: ada@acme.test\r\nSubject: ${subject}\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body.replaceAll('\n', '\r\n')}`,
    ),
    undefined,
  );

test.each([
  ['a table drawn with pipes', 'Please order:\n\n| Item | Qty |\n|------|-----|\n| Lamp | 3   |'],
  ['one line that begins with >', 'How many?\n\n> 5 pieces'],
  ['an address below dashes', 'Please send it to:\n--\nRosa Klein\nMill Lane 7'],
  ['a list of sender, recipient and date', 'Please book:\n\nFrom: Berlin\nTo: Paris\nDate: 3 May'],
  ['a line with a date and a time that ends in a colon', 'My dates are 2026-03-04 10:02:\n\nall of March'],
])('what a person wrote is no quote: %s', async (_what, text) => {
  expect(await parse(text)).toMatchObject({ text, fullText: null });
});

test.each([
  [
    'with its header block',
    'Is this from you?\n\nFrom: billing@fake.example\nSent: Monday\nTo: rosa@klein.example\nSubject: Overdue\n\nPay at once.\n\nI do not want to pay twice.',
  ],
  ['with quote prefixes', 'My neighbour got this:\n\n> Dear customer,\n> your parcel is at our shop.'],
  [
    'below an attribution',
    'He wrote:\n\nOn 4 Mar 2026, at 10:02, Bo <bo@acme.example> wrote:\n\n> It is broken.',
  ],
])('a mail that answers nothing keeps what it quotes: %s', async (_how, text) => {
  expect(await parse(text, { subject: 'Is this yours?' })).toMatchObject({ text, fullText: null });
});

test.each([
  'Re: Order',
  'AW: Order',
  'RE[2]: Order',
  'Sv: Order',
  'Odp: Order',
  'Antw.: Order',
  'YNT: Order',
  '回复：Order',
  'Відп: Order',
])('a subject that starts like %s marks a reply', async (subject) => {
  expect(
    await parse('Yes.\n\nOn 4 Mar 2026, at 10:02, Help wrote:\n> Blue?\n> Help', { subject }),
  ).toMatchObject({ text: 'Yes.' });
});

test.each([
  '2026-03-04 10:02 GMT+01:00 Help Desk <help@shop.example>:',
  'ср, 4 бер. 2026 р. о 10:02 Help <help@shop.example> пише:',
  'Στις Τετ 4 Μαρ 2026 στις 10:02 π.μ., ο χρήστης Help <help@shop.example> έγραψε:',
  'Pada tanggal Rab, 4 Mar 2026 pukul 10.02 Help <help@shop.example> menulis:',
  'Vào Th 4, 4 thg 3, 2026 vào lúc 10:02 Help <help@shop.example> đã viết:',
  'În mie., 4 mar. 2026 la 10:02, Help <help@shop.example> a scris:',
  '4. märts 2026 10:02 kirjutas Help (help@shop.example):',
  'ב-4 במרץ 2026 בשעה 10:02 מאת Help ‏<help@shop.example>:',
  'Quoting Help <help@shop.example>:',
  'Help, 04.03.2026 10:02:',
])('an attribution in any language is cut with the quote directly below it: %s', async (attribution) => {
  expect(await parse(`Yes.\n\n${attribution}\n\n> Do you want it?\n> Help`)).toMatchObject({ text: 'Yes.' });
});

test('an attribution above a blockquote without marks is cut with it', async () => {
  const html =
    '<div>Да.<br><br>Среда, 4 марта 2026, 10:02 +03:00 от Help &lt;help@shop.example&gt;:<br><blockquote style="margin:10px">Do you want it?<br>Help</blockquote></div>';
  expect(await parse(html, { type: 'text/html' })).toMatchObject({ text: 'Да.' });
  // Without an attribution, people indent other text so.
  const indented = '<p>The sign says:</p><blockquote>No entry</blockquote>';
  expect((await parse(indented, { type: 'text/html' })).text).toContain('No entry');
});

test.each([
  ['Romanian', 'De la: Help <help@shop.example>', 'Trimis: miercuri', 'Către: Ada', 'Subiect: Comanda'],
  ['Greek', 'Από: Help <help@shop.example>', 'Στάλθηκε: Τετάρτη', 'Προς: Ada', 'Θέμα: Order'],
  ['Ukrainian', 'Від: Help <help@shop.example>', 'Надіслано: середа', 'Кому: Ada', 'Тема: Order'],
  ['Slovak', 'Od: Help <help@shop.example>', 'Odoslané: streda', 'Komu: Ada', 'Predmet: Order'],
  ['Hebrew', 'מאת: Help <help@shop.example>', 'נשלח: יום רביעי', 'אל: Ada', 'נושא: Order'],
  ['Arabic', 'من: Help <help@shop.example>', 'تم الإرسال: الأربعاء', 'إلى: Ada', 'الموضوع: Order'],
  ['Vietnamese', 'Từ: Help <help@shop.example>', 'Đã gửi: Thứ Tư', 'Đến: Ada', 'Chủ đề: Order'],
  [
    'Danish',
    '-------- Oprindelig besked --------',
    'Fra: Help <help@shop.example>',
    'Til: Ada',
    'Emne: Order',
  ],
])('the header block of a quoted mail in %s is cut with it', async (_language, ...block) => {
  expect(await parse(`Yes.\n\n${block.join('\n')}\n\nDo you want it?`)).toMatchObject({ text: 'Yes.' });
});

test.each(['Hi, see below', 'Meine Antworten unten in rot', 'Mes réponses ci-dessous'])(
  'a quote in which only a person can tell the answers stays: %s',
  async (announcement) => {
    const html = `<div>${announcement}</div><div class="yahoo_quoted"><div>On Wednesday Help wrote:</div><div>Which size?</div><div style="color:blue">42</div></div>`;
    expect((await parse(html, { type: 'text/html' })).text).toContain('42');
  },
);

test('a long address that a mail program broke does not end the quote', async () => {
  const address = `https://shop.example/orders/${'a'.repeat(60)}`;
  const quote = (rest: string) => `Thanks.\n\n> See your order at\n> ${address}\n${rest}\n> and tell us.`;
  expect(await parse(quote('bbbbbbbbbbbb'))).toMatchObject({ text: 'Thanks.' });
  expect((await parse(quote('I did.'))).text).toContain('I did.');
});

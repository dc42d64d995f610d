import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

/** A reply: a greeting, pairs of a quote and the answer below it, perhaps a last quote, perhaps a signature. */
type Reply = { pairs: { quote: string[]; answer: string[] }[]; last: string[]; hasSignature: boolean };

const words = fc.array(fc.constantFrom('blue', 'lamp', 'size', 'forty', 'desk', 'Oslo', 'yes'), {
  minLength: 1,
  maxLength: 6,
});
const linesOf = (kind: string, least: number) =>
  fc
    .array(words, { minLength: least, maxLength: 3 })
    .map((lines) => lines.map((line) => `${kind} ${line.join(' ')}`));
const reply: fc.Arbitrary<Reply> = fc.record({
  pairs: fc.array(fc.record({ quote: linesOf('Asked', 1), answer: linesOf('Answer', 1) }), {
    minLength: 1,
    maxLength: 4,
  }),
  last: linesOf('Asked', 0),
  hasSignature: fc.boolean(),
});

const WROTE = 'On Wed, 4 Mar 2026 at 10:02, Help <help@shop.example> wrote:';
const HTML_WROTE = WROTE.replace('<', '&lt;').replace('>', '&gt;');
const HEADERS =
  '<b>From:</b> Help &lt;help@shop.example&gt;<br><b>Sent:</b> Wednesday<br><b>To:</b> Ada<br><b>Subject:</b> Size';

function plain({ pairs, last, hasSignature }: Reply, quoteEnd = '') {
  const quoted = (lines: string[]) => lines.map((line) => `> ${line}${quoteEnd}`);
  const body = [
    'Hello',
    '',
    WROTE,
    ...pairs.flatMap(({ quote, answer }) => [...quoted(quote), ...answer]),
    ...quoted(last),
  ];
  return [...body, ...(hasSignature ? ['-- ', 'Ada'] : [])].join('\r\n');
}

/** Wraps quotes and answers as mail programs do. */
function html(
  { pairs, last, hasSignature }: Reply,
  quote: (inner: string) => string,
  whole: (inner: string) => string,
) {
  const div = (lines: string[]) => lines.map((line) => `<div>${line}</div>`).join('');
  const inner = pairs.map((each) => `${quote(div(each.quote))}${div(each.answer)}`).join('');
  const end = last.length > 0 ? quote(div(last)) : '';
  return `<div>Hello</div>${whole(`${inner}${end}${hasSignature ? '<div>-- </div><div>Ada</div>' : ''}`)}`;
}

const DIALECTS: Record<string, { type: string; write: (input: Reply) => string }> = {
  plain: { type: 'text/plain', write: (input) => plain(input) },
  flowed: { type: 'text/plain; format=flowed', write: (input) => plain(input, ' ') },
  Gmail: {
    type: 'text/html',
    write: (input) =>
      html(
        input,
        (inner) => `<blockquote class="gmail_quote">${inner}</blockquote>`,
        (inner) => `<div class="gmail_quote"><div class="gmail_attr">${HTML_WROTE}<br></div>${inner}</div>`,
      ),
  },
  Yahoo: {
    type: 'text/html',
    write: (input) =>
      html(
        input,
        (inner) => `<blockquote>${inner}</blockquote>`,
        (inner) => `<div class="yahoo_quoted"><div>${HTML_WROTE}</div>${inner}</div>`,
      ),
  },
  Proton: {
    type: 'text/html',
    write: (input) =>
      html(
        input,
        (inner) => `<blockquote class="protonmail_quote" type="cite">${inner}</blockquote>`,
        (inner) => `<div class="protonmail_quote">${HTML_WROTE}<br>${inner}</div>`,
      ),
  },
  Thunderbird: {
    type: 'text/html',
    write: (input) =>
      html(
        input,
        (inner) => `<blockquote type="cite">${inner}</blockquote>`,
        (inner) => `<div class="moz-cite-prefix">${HTML_WROTE}<br></div>${inner}`,
      ),
  },
  Outlook: {
    type: 'text/html',
    write: (input) =>
      html(
        input,
        (inner) => `<blockquote>${inner}</blockquote>`,
        (inner) => `<div id="appendonsend"></div><hr><div id="divRplyFwdMsg">${HEADERS}</div>${inner}`,
      ),
  },
};

test.each(Object.entries(DIALECTS))(
  'no answer between quotes is cut, and no quoted line is shown without its mark: %s',
  async (_dialect, { type, write }) => {
    await fc.assert(
      fc.asyncProperty(reply, async (input) => {
        const raw = `From: ada@acme.test\r\nSubject: Re: Size\r\nContent-Type: ${type}\r\n\r\n${write(input)}\r\n`;
        const { text } = await parseMail(Buffer.from(raw), undefined);
        const lines = text.split('\n');
        for (const line of input.pairs.flatMap(({ answer }) => answer)) expect(lines).toContain(line);
        expect(lines.filter((line) => line.includes('Asked') && !line.startsWith('>'))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  },
);

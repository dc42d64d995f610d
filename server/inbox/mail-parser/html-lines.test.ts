import { expect, test } from 'vitest';
import { htmlLines } from '#server/inbox/mail-parser/html-lines.ts';
import { parseMail } from '#server/inbox/mail-parser/parse-mail.ts';

const textOf = (html: string) =>
  htmlLines(html)
    .map(({ text }) => text)
    .join('\n')
    .trim();

test.each([
  [
    'cells of a row',
    '<table><tr><td>Name</td> <td>Ada</td><td></td></tr><tr><th>Age</th><td>36</td></tr></table>',
    'Name\tAda\nAge\t36',
  ],
  ['cells with paragraphs', '<table><tr><td><p>Name</p></td><td><p>Ada</p></td></tr></table>', 'Name\n\nAda'],
  [
    'a link',
    'See <a href="https://shop.example/a?b=1">the order</a>.',
    'See the order [https://shop.example/a?b=1].',
  ],
  ['a link to an address', '<a href="mailto:ada@acme.example?subject=Hi">Ada</a>', 'Ada [ada@acme.example]'],
  [
    'a link that says its address',
    '<a href="https://www.shop.example/">shop.example</a> <a href="mailto:a@b.example">a@b.example</a>',
    'shop.example a@b.example',
  ],
  [
    'links without an address for people',
    '<a href="#top">Top</a> <a href="javascript:go()">Go</a> <a name="x">Here</a>',
    'Top Go Here',
  ],
  ['a link without text', 'Hi<a href="https://shop.example"></a>', 'Hi'],
  ['an ordered list', '<ol><li>Unplug it</li><li><p>Wait</p></li></ol>', '1. Unplug it\n2. Wait'],
  [
    'an ordered list that starts elsewhere, with an unordered one in it',
    '<ol start=4><li>Four<ul><li>inner</li></ul></li><li>Five</li></ol>',
    '4. Four\n\ninner\n\n5. Five',
  ],
  [
    'pictures',
    '<img src="https://x.example/a.png" alt="Price list"> <img src="cid:a" alt="image.png"> <img src="https://x.example/p" alt="pixel" width=1>',
    'Price list',
  ],
  ['preformatted text', '<pre>if x:\n    go()\n\nend</pre>', 'if x:\n    go()\n\nend'],
  [
    'text that the page hides',
    '<div style="color:red; DISPLAY : none">a</div><p hidden>b</p><span style="visibility:hidden">c</span><b style="font-size:0">d</b>',
    'd',
  ],
])('the text of HTML is what a reader sees: %s', (_what, html, text) => {
  expect(textOf(html)).toBe(text);
});

/** Quotes of mail programs, with answers between and below them. */
const DIALECTS: Record<string, string> = {
  Gmail:
    '<div dir="ltr">Hi</div><br><div class="gmail_quote gmail_quote_container"><div class="gmail_attr">On Wed, 4 Mar 2026 at 10:02, Help &lt;help@shop.example&gt; wrote:<br></div><blockquote class="gmail_quote">Which size?<br></blockquote><div>42</div><blockquote class="gmail_quote">Which colour?</blockquote><div>blue</div></div>',
  'Gmail of 2015':
    '<div>Hi</div><div class="gmail_extra"><br>Ada, ACME<br><div class="gmail_quote">On 4 Mar 2026 10:02, Help wrote:<br><blockquote class="gmail_quote">Which size?</blockquote>42<blockquote class="gmail_quote">Which colour?</blockquote>blue</div></div>',
  Yahoo:
    '<div>Hi</div><div class="yahoo_quoted"><div>On Wednesday, Help &lt;help@shop.example&gt; wrote:</div><blockquote>Which size?</blockquote><div>42</div><blockquote>Which colour?</blockquote><div>blue</div></div>',
  Proton:
    '<div>Hi</div><div class="protonmail_quote">On Wednesday, 4 March 2026 at 10:02, Help wrote:<br><blockquote class="protonmail_quote" type="cite">Which size?</blockquote>42<blockquote type="cite">Which colour?</blockquote>blue</div>',
  Thunderbird:
    '<p>Hi</p><div class="moz-cite-prefix">On 04.03.26 10:02, Help wrote:<br></div><blockquote type="cite"><p>Which size?</p></blockquote><p>42</p><blockquote type="cite"><p>Which colour?</p></blockquote><p>blue</p>',
  Outlook:
    '<div>Hi</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Help &lt;help@shop.example&gt;<br><b>Sent:</b> Wednesday<br><b>To:</b> Ada<br><b>Subject:</b> Size</div><blockquote>Which size?</blockquote><div>42</div><blockquote>Which colour?</blockquote><div>blue</div>',
};

const parseReply = (html: string) =>
  parseMail(
    Buffer.from(`From: ada@acme.test\r\nSubject: Re: Size\r\nContent-Type: text/html\r\n\r\n${html}`),
    undefined,
  );

test.each(Object.entries(DIALECTS))(
  'answers between the quotes of %s are kept, and their quotes marked',
  async (_program, html) => {
    const { text } = await parseReply(html);
    expect(text.split('\n').filter((line) => line !== '')).toEqual(
      expect.arrayContaining(['Hi', '> Which size?', '42', '> Which colour?', 'blue']),
    );
  },
);

test.each(Object.entries(DIALECTS))(
  'a quote of %s without an answer below is cut',
  async (_program, html) => {
    const unanswered = html.replaceAll(/42|blue/g, '');
    const { text, fullText } = await parseReply(unanswered);
    expect(text.split('\n')[0]).toBe('Hi');
    expect(text).not.toMatch(/Which/);
    expect(fullText).toContain('Which size?');
  },
);

test('what a quoted mail says beside its own quote is quote', async () => {
  const html =
    '<div>Hi</div><div class="yahoo_quoted"><div>On Wednesday, Help wrote:</div><div>We have it in blue.</div><div>Help</div><blockquote>Which colours?</blockquote><div>Regards</div></div>';
  expect(await parseReply(html)).toMatchObject({ text: 'Hi' });
});

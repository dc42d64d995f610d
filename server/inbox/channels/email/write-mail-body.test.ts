import { describe, expect, test } from 'vitest';
import { writeMailBody } from '#server/inbox/channels/email/write-mail-body.ts';

const htmlOf = (text: string, signature: string | null = null) => writeMailBody({ text, signature }).html;

describe('the plain text of a mail', () => {
  test('is the written text, then the signature delimiter, then the signature', () => {
    expect(writeMailBody({ text: 'Hello\n\nBye\n', signature: 'Ada\nAcme' }).text).toBe(
      'Hello\n\nBye\n\n-- \nAda\nAcme',
    );
  });

  test.each([[null], [''], ['  \n']])('is unchanged without a signature (%j)', (signature) => {
    expect(writeMailBody({ text: ' Hello ', signature }).text).toBe(' Hello ');
  });
});

describe('a quoted message', () => {
  const quote = { head: ['Forwarded message', 'From: Ada <a@b.c>'], text: 'One\n> two\r\n\nthree\n' };

  test('is below text and signature in both bodies', () => {
    const { text, html } = writeMailBody({ text: 'See below', signature: 'Bob', quote });
    expect(text).toBe(
      'See below\n\n-- \nBob\n\nForwarded message\nFrom: Ada <a@b.c>\n\n> One\n>> two\n>\n> three',
    );
    expect(html).toContain('From: Ada &lt;a@b.c&gt;');
    expect(html).toMatch(/<blockquote [^>]*>One<br>\n&gt; two<br>\n<br>\nthree<\/blockquote>/);
  });

  test('is all of the text if there is no other', () => {
    expect(writeMailBody({ text: '', signature: null, quote }).text).toMatch(/^Forwarded message\n/);
  });
});

describe('the HTML of a mail', () => {
  test('keeps line breaks and indentation', () => {
    expect(htmlOf('One\n  two\r\nthree')).toContain('One<br>\n&nbsp; two<br>\nthree');
  });

  test('escapes HTML in the text and in the signature', () => {
    const html = htmlOf('<script>alert("1")</script> & <b>', '<img src=x onerror=alert(1)>');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &lt;b&gt;');
    expect(html).not.toMatch(/<script|<img|<b>/);
  });

  test.each([
    ['See https://acme.test/a?b=1&c=2.', 'https://acme.test/a?b=1&amp;c=2'],
    ['(http://acme.test/x)', 'http://acme.test/x'],
    ['„https://acme.test/ü“!', 'https://acme.test/ü'],
  ])('links the web address in %j', (text, url) => {
    expect(htmlOf(text)).toContain(`<a href="${url}">${url}</a>`);
  });

  test('links nothing else, and an address cannot break out of the link', () => {
    expect(htmlOf('javascript:alert(1) www.acme.test')).not.toContain('<a ');
    expect(htmlOf('https://a.test/"onmouseover="alert(1)')).toContain('<a href="https://a.test/">');
  });

  test('has the signature in a separate block below', () => {
    expect(htmlOf('Hello', 'Ada')).toMatch(/Hello<\/div>\n<br><div [^>]*>-- <br>Ada<\/div>/);
  });
});

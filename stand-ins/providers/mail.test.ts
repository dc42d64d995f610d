import nodemailer from 'nodemailer';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { playService, until } from './played-service.ts';

const { played, control } = playService();

describe('mail', () => {
  const send = (subject: string) => {
    const { smtpPort } = played.running.providers.settings;
    const transport = nodemailer.createTransport({ host: 'localhost', port: smtpPort, ignoreTLS: true });
    return transport.sendMail({
      from: 'reply+abc@growth.demo.test',
      to: { name: 'Ada', address: 'ada@contacts.example' },
      subject,
      text: 'Your order left.',
      messageId: '<one@growth.demo.test>',
    });
  };

  it('is stored unchanged, and a reply joins its thread and quotes it', async () => {
    await send('Your order');
    const [mail] = await control('GET', '/control/mails?to=ada@contacts.example');
    expect(mail).toMatchObject({ direction: 'out', subject: 'Your order', accepted: true });
    expect(await control('POST', `/control/mails/${mail.id}/reply`, { text: 'Thanks' })).toMatchObject({
      accepted: true,
    });
    expect(played.mails[0]).toMatchObject({
      from: 'ada@contacts.example',
      to: ['reply+abc@growth.demo.test'],
    });
    const reply = await PostalMime.parse(played.mails[0]?.raw ?? '');
    expect(reply).toMatchObject({ subject: 'Re: Your order', inReplyTo: '<one@growth.demo.test>' });
    expect(reply.text).toMatch(/^Thanks\n\nOn .*wrote:\n> Your order left\./);
  });

  it.each([
    ['451', 451],
    ['550', 550],
  ])('is refused once with %s on request', async (chosen, code) => {
    await control('PUT', '/control/mail-answer', { answer: chosen });
    await expect(send('Refused')).rejects.toMatchObject({ responseCode: code });
    await expect(send('Accepted')).resolves.toBeDefined();
  });

  it('bounces with a report to its envelope sender, from the null sender (RFC 3464)', async () => {
    await control('PUT', '/control/mail-answer', { answer: 'bounce' });
    await send('Nobody there');
    const bounced = await until('the bounce arrived', () => played.mails[0]);
    expect([bounced.from, bounced.to]).toEqual(['', ['reply+abc@growth.demo.test']]);
    const raw = bounced.raw.toString('utf8');
    expect(raw).toContain('report-type=delivery-status');
    expect(raw).toMatch(
      /Final-Recipient: rfc822; ada@contacts\.example\r\nAction: failed\r\nStatus: 5\.1\.1/,
    );
    expect(raw).toContain('Message-ID: <one@growth.demo.test>');
  });

  it('the mailbox keeps marking the shown mail, and addresses a new one like the last that was written', async () => {
    await send('First');
    const { url } = await fetch(`${played.url}/mail`);
    await send('Second');
    const reloaded = await (await fetch(url)).text();
    expect(reloaded).toMatch(/aria-current="true"[^>]*>\s*<strong>First/);
    expect(reloaded).toContain('<h1>First</h1>');
    const form = new FormData();
    for (const [name, value] of Object.entries({ from: 'ada@contacts.example', to: 'support@acme.test' })) {
      form.set(name, value);
    }
    await fetch(`${played.url}/mail`, { method: 'POST', body: form, headers: { Origin: played.url } });
    const blank = await (await fetch(`${played.url}/mail?mail=new`)).text();
    expect(blank).toContain('name="to" list="mailboxes" value="support@acme.test"');
  });
});

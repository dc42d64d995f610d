import { describe, expect } from 'vitest';
import { type DnsServer, test } from '#test/fixtures/received-mail-test.ts';
import { sealed, sealKeys } from '#test/fixtures/sealed-mail.ts';
import { rawMail } from '#test/servers/inbound-mail.ts';

describe('an email that Gmail forwards, from a domain with SPF only', () => {
  test('joins the conversation that it answers, and makes one contact', async ({ dns, mail, inbox }) => {
    publish(dns, 'bank.test');
    const charles = 'Charles <charles@bank.test>';
    await inbox.bringVerbatim(await forwarded({ From: charles, 'Message-ID': '<a@bank.test>' }), GMAIL);
    const [asked] = await inbox.messages();
    expect(asked).toMatchObject({
      senderVerified: true,
      conversation: { contactClaimed: false, contact: { email: 'charles@bank.test' } },
    });

    await inbox.reply(asked?.conversationId ?? '');
    const inReplyTo = mail.received[0]?.email.messageId ?? '';
    const answer = { From: charles, 'Message-ID': '<b@bank.test>', 'In-Reply-To': inReplyTo };
    await inbox.bringVerbatim(await forwarded(answer), GMAIL);
    expect(await inbox.newest()).toMatchObject({
      conversationId: asked?.conversationId,
      direction: 'inbound',
      senderVerified: true,
      senderChecks: { forwarder: 'google.com' },
    });
  });

  test('is not a teammate’s, also under the address of one', async ({ dns, mailbox, mail, inbox }) => {
    const { email } = mailbox.agent;
    const domain = email.slice(email.indexOf('@') + 1);
    publish(dns, domain);
    const { conversationId } = await inbox.first();
    await inbox.reply(conversationId);
    const inReplyTo = mail.received[0]?.email.messageId ?? '';
    const headers = { From: `Agent <${email}>`, 'Message-ID': `<c@${domain}>`, 'In-Reply-To': inReplyTo };
    await inbox.bringVerbatim(await forwarded(headers, domain), GMAIL);
    const claimed = await inbox.newest();
    expect(claimed).toMatchObject({ senderVerified: false, conversation: { contactClaimed: true } });
    expect(claimed?.conversationId).not.toBe(conversationId);
  });
});

/** Gmail's envelope sender of a forwarded email. */
const GMAIL = 'support+caf_=in=inbox.test@gmail.test';

function publish({ answers }: DnsServer, domain: string): void {
  const records = { [domain]: 'v=spf1 ip4:192.0.2.1 -all', ...sealKeys('google.com') };
  // A text of a record has 255 characters at most (RFC 1035 §3.3.14).
  for (const [name, text] of Object.entries(records)) answers.set(name, [text.match(/.{1,255}/g) ?? []]);
}

function forwarded(headers: Record<string, string>, domain = 'bank.test'): Promise<string> {
  const results = `mx.google.com; spf=pass smtp.mailfrom=x@${domain}`;
  return sealed(rawMail(headers, `Hello from ${headers['Message-ID']}`), [['google.com', results]]);
}

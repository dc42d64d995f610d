import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { findRoute } from '#server/api/routes.ts';
import { isPlatformHookUrl } from '#server/automation/hooks/is-platform-hook-url.ts';
import { authenticateClient } from '#server/automation/oauth/authenticate-client.ts';
import { textProblem } from '#server/contract/fields.ts';
import { parseDomain, parseEmail, requireEmail } from '#server/contract/parse-email.ts';
import { parseName } from '#server/contract/parse-name.ts';
import { tagList } from '#server/contract/tag-list.ts';
import { describeError } from '#server/core/describe-error.ts';
import { addressKey } from '#server/core/limits/address-key.ts';
import { cleanName, foldLines, searchWords } from '#server/core/text.ts';
import { checkRequest } from '#server/http/refuse-broken-request.ts';
import { parseBearerToken } from '#server/http/request/authorization.ts';
import { clientAddress } from '#server/http/request/client-address.ts';
import { keepLinkPrivate } from '#server/http/response/security-headers.ts';
import { chatPageOf } from '#server/http/web-chat/handle-try-page.ts';
import { matchAnswer } from '#server/inbox/ai-agent/example-agent.ts';
import { parseSignedAddress } from '#server/inbox/channels/email/signed-address.ts';
import { normalizeCommand } from '#server/inbox/commands/command-name.ts';
import { matchesCondition } from '#server/inbox/flows/matches-condition.ts';
import { parseFlow } from '#server/inbox/flows/parse-flow.ts';
import { parseAuthor } from '#server/inbox/mail-parser/mail-addresses.ts';
import { parseMailHeaders, parseMessageIds } from '#server/inbox/mail-parser/mail-headers.ts';
import { parseBounce } from '#server/inbox/mail-parser/parse-bounce.ts';
import { parseWords } from '#server/inbox/mail-parser/parse-mail.ts';
import { isForwardSubject } from '#server/inbox/mail-parser/quote-lines.ts';
import { parseContactForm } from '#server/screens/contacts/save-contact.ts';
import { processorMs } from '#test/fixtures/processor-time.ts';
import { setTestSettings } from '#test/servers/settings.ts';

setTestSettings();

/** Upper bound on the processor time of each text, in ms. */
const MOST_MS = 50;
/** Ascending, so that quadratic time fails early. */
const LENGTHS = [10_000, 100_000, 1_000_000];

/** Texts of a given length that are known to slow down such parsers. */
const SHAPES: Record<string, (length: number) => string> = {
  spaces: (length) => ' '.repeat(length),
  'spaces within': (length) => `a${' '.repeat(length)}!`,
  'spaces after a scheme': (length) => `Basic ${' '.repeat(length)}!`,
  'a token and its padding': (length) => `Bearer ${'a'.repeat(length / 2)}${'='.repeat(length / 2)}!`,
  dots: (length) => '.'.repeat(length),
  'dots before a sign': (length) => `a@${'.'.repeat(length)}@`,
  'dots and spaces': (length) => `${'. '.repeat(length / 2)}!`,
  letters: (length) => `${'a'.repeat(length)}!`,
  'domains of one letter': (length) => `a@${'a.'.repeat(length / 2)}!`,
  'signs of an address': (length) => '@'.repeat(length),
  slashes: (length) => `https://hooks.platform.test${'/'.repeat(length)}\u0000`,
  semicolons: (length) => `multipart/form-data${'; '.repeat(length / 2)}x`,
  commas: (length) => ','.repeat(length),
  'forwarded addresses': (length) => '1.1.1.1,'.repeat(length / 8),
  digits: (length) => `+${'0 '.repeat(length / 2)}x`,
  lines: (length) => '\r\n'.repeat(length / 2),
  'marks without a letter': (length) => '\u0E31'.repeat(length),
  'letters of two units': (length) => '𝒂'.repeat(length / 2),
  'encoded octets': (length) => `/${'%41'.repeat(length / 3)}%`,
};

function request(
  given: Partial<Record<'authorization' | 'x-forwarded-for' | 'url', string>>,
): IncomingMessage {
  const { url = '/', ...headers } = given;
  return Object.assign(new IncomingMessage(new Socket()), { url, headers });
}

const FLOW = { name: 'x', channels: [], words: '', emailDomain: '', tags: 'x', assigneeId: '', teamId: '' };
const SAVED = Array.from({ length: 100 }, (_, i) => ({ question: `Where is parcel ${i}?`, answer: `${i}` }));
const WORDS = ['a', 'invoice', '.', 'ก'];

const RESPONSE = new ServerResponse(request({}));

const PARSERS: Record<string, (text: string) => unknown> = {
  'client authentication': (text) => authenticateClient(new Map(), text),
  'a bearer token': (text) => parseBearerToken(request({ authorization: text })),
  'the target of a request': (text) => checkRequest(request({ url: text })),
  'the path of a call': (text) => findRoute(`/contacts/${text}`),
  'the client’s address': (text) => clientAddress(request({ 'x-forwarded-for': text }), 1),
  'an email address of the API': (text) => parseEmail(text),
  'an email address of a form': (text) => requireEmail(text),
  'a short text of the API': (text) => textProblem(text, { label: 'name', max: 160 }),
  'a field of one line': (text) => foldLines(text),
  'the name of a contact': (text) => cleanName(text),
  'the subject of an unreadable mail': (text) => parseWords(text),
  'the page of a chat': (text) => chatPageOf(`/chat/${text}`),
  'the page of a mailed link': (text) =>
    keepLinkPrivate(request({}), RESPONSE, { path: `/rate/${text}`, origin: '' }),
  'an address that is counted': (text) => addressKey(text),
  'an error that quotes it': (text) => describeError(Object.assign(new Error(text), { stack: text })),
  tags: (text) => tagList.safeParse(text),
  'a command': (text) => normalizeCommand(text),
  'the address of a hook': (text) => isPlatformHookUrl(text, 'hooks.platform.test'),
  'a contact that was typed': (text) => parseContactForm({ name: text }),
  'the address of a contact that was typed': (text) => parseContactForm({ email: text }),
  'a name that was typed': (text) => parseName(text, { field: 'name', label: 'name' }),
  'a domain that was typed': (text) => parseDomain(text),
  'the domain of a flow': (text) => parseFlow({ ...FLOW, status: '', emailDomain: text }),
  'a search': (text) => searchWords(text),
  'what a contact wrote, by flows': (text) =>
    matchesCondition(
      { channels: [], words: WORDS, emailDomain: null },
      { channel: 'email', text, email: null },
    ),
  'the ids of a mail': (text) => parseMessageIds(text),
  'an address that mail is sent to': (text) => parseSignedAddress(`reply+${text}`),
  'the headers of a mail': (text) => parseMailHeaders(Buffer.from(text)),
  'the author of a mail': (text) => parseAuthor(Buffer.from(`From: ${text}`)),
  'the author of a mail with a quoted local part': (text) =>
    parseAuthor(Buffer.from(`From: "${text}"@x.test`)),
  'a report that mail came back': (text) => parseBounce(text),
  'the subject of a mail': (text) => isForwardSubject(text),
  'what a contact asked the agent': (text) => matchAnswer(text, SAVED),
};

/** Parses a text, which may fail. */
function tryToParse(parse: (text: string) => unknown, text: string): void {
  try {
    parse(text);
  } catch {
    // Refused.
  }
}

describe.each(Object.entries(PARSERS))('an attacker cannot block a server with %s', (_what, parse) => {
  test.each(Object.entries(SHAPES))('of 1,000,000 characters: %s', (_shape, make) => {
    for (const length of LENGTHS) {
      const text = make(length);
      expect(processorMs(() => tryToParse(parse, text), MOST_MS)).toBeLessThanOrEqual(MOST_MS);
    }
  });
});

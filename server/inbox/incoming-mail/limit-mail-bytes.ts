import { isPublicMailProvider } from '#server/contacts/public-mail-providers.ts';
import { addressKey } from '#server/core/limits/address-key.ts';
import { consumeLimit, type LimitName } from '#server/core/limits/limits.ts';

/** Maximum length of an address in a rate limit key (RFC 5321 §4.5.3.1.3). */
const ADDRESS_MAX_LENGTH = 254;

/** The sender has reached the hourly limit of bytes. */
export class TooMuchMail extends Error {
  override readonly name = 'TooMuchMail';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('The sender has sent too many bytes in this hour.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Counts the bytes that a workspace receives by mail in an hour, per envelope sender, per domain, and per sending
 * server. Public mail providers do not count as one domain. Mail without an envelope sender, such as delivery reports,
 * counts only for its server.
 * @param sizeBytes 0 only checks whether the limit is reached
 * @throws TooMuchMail
 */
export async function limitMailBytes(
  workspaceId: string,
  { from, ip }: { from: string; ip: string | null },
  sizeBytes: number,
): Promise<void> {
  const sender = from.toLowerCase().slice(0, ADDRESS_MAX_LENGTH);
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  const counted: [LimitName, string][] = [
    ...(sender === '' ? [] : [['inbound_mail_kib_sender', sender] as [LimitName, string]]),
    ...(domain === '' || isPublicMailProvider(domain)
      ? []
      : [['inbound_mail_kib_domain', domain] as [LimitName, string]]),
    ...(ip === null ? [] : [['inbound_mail_kib_server', addressKey(ip)] as [LimitName, string]]),
  ];
  const kib = Math.ceil(sizeBytes / 1_024);
  const states = await Promise.all(
    counted.map(([limit, key]) => consumeLimit(limit, `${workspaceId}:${key}`, kib)),
  );
  const refused = states.filter(({ allowed }) => !allowed);
  if (refused.length === 0) return;
  throw new TooMuchMail(Math.max(...refused.map(({ retryAfterSeconds }) => retryAfterSeconds)));
}

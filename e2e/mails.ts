import { endToEndAddresses } from '#scripts/start/end-to-end-environment.ts';
import { until } from '#test/fixtures/until.ts';

/** Where the stand-in for the providers of channels and mail is while the flows run. */
export const PROVIDERS_URL = endToEndAddresses(process.env).providers;

/** A mail that left the service, as the stand-in for the contacts' mail servers got it. */
export type SentMail = {
  id: string;
  subject: string;
  text: string;
  html: string | null;
  message_id: string;
  references: string | null;
  reply_to: { address: string }[];
  cc: { address: string }[];
};

/** The mail to an address that came after so many others. */
export async function sentMailTo(address: string, earlier = 0): Promise<SentMail> {
  return until(`mail ${earlier + 1} to ${address} was sent`, async () => {
    const query = new URLSearchParams({ to: address, direction: 'out' });
    const newestFirst: SentMail[] = await (await fetch(`${PROVIDERS_URL}/control/mails?${query}`)).json();
    return newestFirst.at(-1 - earlier);
  });
}

/** The text of the mail to an address that came after so many others. */
export async function mailTo(address: string, earlier = 0): Promise<string> {
  return (await sentMailTo(address, earlier)).text;
}

/** The path of the link in a mail. */
export function linkIn(mail: string): string {
  const link = /https?:\/\/\S+\?token=\S+/.exec(mail)?.[0];
  if (link === undefined) throw new Error(`There is no link in this mail:\n${mail}`);
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

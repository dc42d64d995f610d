import { endToEndAddresses } from '#scripts/start/end-to-end-environment.ts';
import { until } from '#test/fixtures/until.ts';

/** URL of the stand-in for channel and email providers. */
export const PROVIDERS_URL = endToEndAddresses(process.env).providers;

/** An email sent by the service, as received by the stand-in for the contacts' mail servers. */
export type SentMail = {
  id: string;
  subject: string;
  text: string;
  html: string | null;
  message_id: string;
  references: string | null;
  from: { address: string } | null;
  files: { name: string }[];
  reply_to: { address: string }[];
  cc: { address: string }[];
};

/** Returns an email to an address, after skipping `earlier` ones. */
export async function sentMailTo(address: string, earlier = 0): Promise<SentMail> {
  return until(`mail ${earlier + 1} to ${address} was sent`, async () =>
    (await listMailsTo(address)).at(-1 - earlier),
  );
}

/** Returns the emails to an address until now, newest first. */
export async function listMailsTo(address: string): Promise<SentMail[]> {
  const query = new URLSearchParams({ to: address, direction: 'out' });
  return (await fetch(`${PROVIDERS_URL}/control/mails?${query}`)).json();
}

/** Returns the text of an email to an address, after skipping `earlier` ones. */
export async function mailTo(address: string, earlier = 0): Promise<string> {
  return (await sentMailTo(address, earlier)).text;
}

/** Returns the path of the link to a page in the newest email that has one. The address may also get other emails. */
export async function linkTo(page: string, address: string): Promise<string> {
  return until(`a mail to ${address} has a link to ${page}`, async () => {
    const mails = await listMailsTo(address);
    const found = mails.find(({ text }) => text.includes(`${page}?token=`));
    return found && linkIn(found.text);
  });
}

/** Returns the path of the link in an email. */
export function linkIn(mail: string): string {
  const link = /https?:\/\/\S+\?token=\S+/.exec(mail)?.[0];
  if (link === undefined) throw new Error(`There is no link in this email:\n${mail}`);
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { endToEndEnvironment } from '#scripts/check/end-to-end-environment.ts';
import { dataDirOf } from '#scripts/tools/project.ts';
import { until } from '#test/until.ts';

const MAIL_DIR = join(dataDirOf(endToEndEnvironment(process.env)), 'mail');

/** The text of the mail to an address that came after so many others. */
export async function mailTo(address: string, earlier = 0): Promise<string> {
  return until(`mail ${earlier + 1} to ${address} was saved`, async () => {
    const files = (await readdir(MAIL_DIR).catch(() => [])).filter((name) => name.endsWith('.eml'));
    const mails = await Promise.all(
      files.sort().map(async (name) => PostalMime.parse(await readFile(join(MAIL_DIR, name)))),
    );
    return mails.filter(({ to }) => to?.some((each) => each.address === address))[earlier]?.text;
  });
}

/** The path of the link in a mail. */
export function linkIn(mail: string): string {
  const link = /https?:\/\/\S+\?token=\S+/.exec(mail)?.[0];
  if (link === undefined) throw new Error(`There is no link in this mail:\n${mail}`);
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

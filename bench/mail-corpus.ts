import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { runCli, UserError } from '#server/core/user-error.ts';
import { MAIL_MAX_BYTES } from '#server/inbox/mail-parser/mail-limits.ts';
import { readRawMail } from '#test/fixtures/read-raw-mail.ts';

// npm run mail-corpus -- FOLDER: parses each NAME.eml of a folder as the worker does, in a process with limits of time and
// memory, and compares it with NAME.json.

/** Expected values of a mail. Missing fields are not compared. */
const expectation = z.object({
  subject: z.string().nullable().optional(),
  /** Address of the author. */
  from: z.string().nullable().optional(),
  /** The new text without quotes. White space does not matter, and null is not compared. */
  text: z.string().nullish(),
  /** Names of the files without pictures of the text, or their number. */
  files: z.union([z.array(z.string()), z.int()]).optional(),
});

type Difference = { field: string; expected: unknown; found: unknown };

await runCli(async () => {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new UserError('Name the folder: npm run mail-corpus -- FOLDER');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0) throw new UserError(`${folder} has no expectations: NAME.json beside NAME.eml.`);
  let disagreed = 0;
  for (const name of names.map((each) => basename(each, '.json'))) {
    const differences = await compareMail(join(folder, name));
    if (differences.length > 0) disagreed += 1;
    for (const { field, expected, found } of differences) {
      console.log(
        `${name}, ${field}\n  expected ${JSON.stringify(expected)}\n  found    ${JSON.stringify(found)}`,
      );
    }
  }
  console.log(`${names.length} mails: ${names.length - disagreed} agreed, ${disagreed} disagreed.`);
  if (disagreed > 0) process.exitCode = 1;
  // The parser processes stay idle for a while.
  process.exit();
});

async function compareMail(path: string): Promise<Difference[]> {
  const expected = expectation.parse(JSON.parse(await readFile(`${path}.json`, 'utf8')));
  const { size: bytes } = await stat(`${path}.eml`);
  if (bytes > MAIL_MAX_BYTES) return [{ field: 'size', expected: `at most ${MAIL_MAX_BYTES}`, found: bytes }];
  const mail = await readRawMail(await readFile(`${path}.eml`), '');
  const names = mail.files.filter(({ isInline }) => !isInline).map((file) => file.name);
  const found = {
    subject: mail.subject,
    from: mail.from?.address ?? null,
    text: words(mail.text),
    files: typeof expected.files === 'number' ? names.length : names,
  };
  const wanted = { ...expected, text: expected.text == null ? undefined : words(expected.text) };
  return (['subject', 'from', 'text', 'files'] as const).flatMap((field) =>
    wanted[field] === undefined || JSON.stringify(wanted[field]) === JSON.stringify(found[field])
      ? []
      : [{ field, expected: wanted[field], found: found[field] }],
  );
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

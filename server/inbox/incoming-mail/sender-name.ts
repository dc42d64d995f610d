import { splitName } from '#server/contacts/contact-fields.ts';
import { cleanName } from '#server/core/text.ts';

/** Quotation marks that stand around a whole name, by their opening mark. */
const QUOTES: Record<string, string> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '‘': '’',
  '‚': '‘',
  '«': '»',
  '»': '«',
};

/** `Last, First (Company)`, as Outlook writes names. Each part has up to three words. */
const WORDS = '[^\\s,()]+(?: [^\\s,()]+){0,2}';
const LAST_FIRST = new RegExp(`^(${WORDS}), (${WORDS})( \\([^()]*\\))?$`, 'u');
/** What follows the comma in the name of a company or in a name with a title. */
const SUFFIX =
  /^(?:inc|ltd|llc|llp|plc|corp|co|gmbh|ag|kg|ug|se|sa|sas|sarl|srl|spa|bv|nv|ab|as|oy|aps|pty|jr|sr|ii|iii|iv|phd|md|mba|esq|cpa|rn)\b\.?/iu;

/**
 * Returns first and last name from the name in a mail's From (docs/rulings.md 1.10). Drops quotation marks around the whole
 * name. `Doe, Jane (ACME)` is Jane Doe (ACME).
 * @returns undefined for a name without visible characters
 */
export function senderName(displayName: string): { firstName: string; lastName: string | null } | undefined {
  const name = withoutQuotes(cleanName(displayName).replaceAll(/\s+/g, ' '));
  if (cleanName(name) === '') return undefined;
  const [, last = '', first = '', company = ''] = LAST_FIRST.exec(name) ?? [];
  if (first === '' || SUFFIX.test(first)) return splitName(name);
  return { firstName: first, lastName: `${last}${company}` };
}

function withoutQuotes(name: string): string {
  const closing = QUOTES[name.charAt(0)];
  const inner = name.slice(1, -1);
  if (closing === undefined || name.length < 2 || !name.endsWith(closing) || inner.includes(closing))
    return name;
  return withoutQuotes(inner.trim());
}

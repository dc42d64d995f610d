import type { MailAddress } from '#server/inbox/mail-parser/parsed-mail.ts';
import { isBlank } from '#server/inbox/mail-parser/quote-lines.ts';
import { parseRowAddress } from '#server/inbox/mail-parser/row-address.ts';

/** Maximum number of lines that are searched. */
const LINES_MAX = 500;
/** Maximum length of a label, in UTF-16 units. */
const LABEL_MAX_LENGTH = 60;

/** Labels for the email address in the mail of a contact form, without hyphens and spaces. */
const EMAIL_LABELS: ReadonlySet<string> = new Set([
  'email',
  'mail',
  'emailaddress',
  'mailaddress',
  'emailadresse',
  'mailadresse',
  'adresseemail',
  'adressemail',
  'adresseélectronique',
  'adressedemessagerie',
  'courriel',
  'correo',
  'correoelectrónico',
  'correoelectronico',
  'direccióndecorreo',
  'direccióndecorreoelectrónico',
  'direccióndeemail',
  'indirizzoemail',
  'indirizzomail',
  'indirizzodipostaelettronica',
  'postaelettronica',
  'endereçodeemail',
  'endereçoeletrônico',
  'endereçoeletrónico',
  'correioeletrônico',
  'correioeletrónico',
  'emailadres',
  'mailadres',
  'adresemail',
  'adresmail',
  'adrespocztyelektronicznej',
  'pocztaelektroniczna',
]);
/** Words before a label, as in "Your email" or "Ihre E-Mail-Adresse". */
const POSSESSIVES =
  /^(?:your|my|ihre|deine|votre|ton|su|tu|il tuo|la tua|la sua|seu|o seu|o teu|uw|je|jouw|twój|twoj|contact|kontakt|customer)\s+/u;

/**
 * Returns the address in the "Email" row of a contact form's mail. The first row with an address counts. Its value is
 * behind the label or in the next line.
 */
export function parseFormEmail(text: string): MailAddress | null {
  const lines = text.split('\n', LINES_MAX).filter((line) => !isBlank(line));
  for (const [at, line] of lines.entries()) {
    const value = valueIn(line);
    if (value === undefined) continue;
    const person = parseRowAddress(isBlank(value) ? (lines[at + 1] ?? '') : value);
    if (person) return { name: '', address: person.address };
  }
  return null;
}

/** Returns the text behind the label of an "Email" row; empty if it is in the next line, undefined for another row. */
function valueIn(line: string): string | undefined {
  const end = line.slice(0, LABEL_MAX_LENGTH + 10).search(/[:：\t|=]/);
  if (end !== -1) return isEmailLabel(line.slice(0, end)) ? line.slice(end + 1) : undefined;
  return line.length <= LABEL_MAX_LENGTH && isEmailLabel(line) ? '' : undefined;
}

function isEmailLabel(text: string): boolean {
  const label = text
    .slice(0, LABEL_MAX_LENGTH + 10)
    .replaceAll(/\([^()]{0,40}\)|[*>_"•#]/g, ' ')
    .trim()
    .toLowerCase()
    .replace(POSSESSIVES, '');
  return EMAIL_LABELS.has(label.replaceAll(/[\s\u00a0\u2010\u2011-]/g, ''));
}

import { requireEmail } from '#server/contract/parse-email.ts';
import { invalid, refusalIn } from '#server/core/errors.ts';

/** So many people may get a copy of a reply, open and hidden ones together. */
export const COPIES_MAX = 20;

/** Who gets a copy of a reply by email. */
type Copies = { cc: string[]; bcc: string[] };

/**
 * The addresses that a teammate wrote for copies, in lowercase and each once: who is in both gets an open one.
 * @throws Refusal under `cc` or `bcc` that names the address which is none, or says that they are too many
 */
export function parseCopies(given: { cc?: string[] | undefined; bcc?: string[] | undefined }): Copies {
  const cc = [...new Set(given.cc?.map((typed) => parseCopy('cc', typed)))];
  const bcc = [...new Set(given.bcc?.map((typed) => parseCopy('bcc', typed)))].filter(
    (address) => !cc.includes(address),
  );
  if (cc.length + bcc.length > COPIES_MAX) {
    throw invalid({ cc: [`A reply can have up to ${COPIES_MAX} addresses in Cc and Bcc.`] });
  }
  return { cc, bcc };
}

function parseCopy(field: 'cc' | 'bcc', typed: string): string {
  try {
    return requireEmail(typed);
  } catch (error) {
    if (!refusalIn(error)) throw error;
    const label = field === 'cc' ? 'Cc' : 'Bcc';
    throw invalid({ [field]: [`${label}: “${typed.trim().slice(0, 100)}” is not an email address.`] });
  }
}

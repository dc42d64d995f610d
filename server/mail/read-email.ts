import { z } from 'zod';
import { invalid } from '#server/errors.ts';

/** As long as an address can be (RFC 5321 §4.5.3.1.3). */
const ADDRESS_MAX_LENGTH = 254;
const addressSchema = z.string().max(ADDRESS_MAX_LENGTH).pipe(z.email());

/** An e-mail address as it was typed, trimmed and lowercase. Throws a Refusal for what is none. */
export function readEmail(typed: string): string {
  // Cut before it is looked at: what is longer is none.
  const given = typed.trim().slice(0, ADDRESS_MAX_LENGTH + 1);
  const email = addressSchema.safeParse(given.toLowerCase());
  if (email.success) return email.data;
  throw invalid({ email: ['Give a whole e-mail address, for example ada@example.com.'] });
}

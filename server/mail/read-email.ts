import { z } from 'zod';
import { invalid } from '#server/errors.ts';

/** As long as an address can be (RFC 5321 §4.5.3.1.3). */
const addressSchema = z.string().max(254).pipe(z.email());

/** An e-mail address as it was typed, trimmed and lowercase. Throws a Refusal for what is none. */
export function readEmail(typed: string): string {
  const email = addressSchema.safeParse(typed.trim().toLowerCase());
  if (email.success) return email.data;
  throw invalid({ email: ['Give a whole e-mail address, for example ada@example.com.'] });
}

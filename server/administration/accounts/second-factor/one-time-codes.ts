import { randomBytes } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import { sameSecret } from '#server/core/secrets.ts';

/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Earlier and later codes that are accepted, for clocks that differ (RFC 6238 §5.2). */
const STEPS = [0, -1, 1];

/** Returns a new secret in base32, as authenticator apps read it. */
export function newTotpSecret(): string {
  return encodeBase32(randomBytes(SECRET_BYTES));
}

/** Returns the address that a QR code contains. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  // Some apps show the plus of a form for a space.
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

/**
 * Returns the time step whose code this is (RFC 6238), or undefined. The caller accepts a step once, and none before it.
 * @param code six digits
 */
export async function totpStep(secret: string, code: string, now = Date.now()): Promise<number | undefined> {
  const otp = createOTP(Uint8Array.from(base32.decode(secret)).buffer);
  const current = Math.floor(now / 1_000 / PERIOD_SECONDS);
  let matching: number | undefined;
  for (const offset of STEPS) {
    if (sameSecret(await otp.hotp(current + offset), code)) matching ??= current + offset;
  }
  return matching;
}

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** Returns ten recovery codes of 80 random bits: four groups of four characters. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    groupsOf(encodeBase32(randomBytes(RECOVERY_BYTES)).toLowerCase()).join('-'),
  );
}

/** Splits a text into groups of four characters. */
export function groupsOf(text: string): string[] {
  return text.match(/.{1,4}/g) ?? [];
}

/** Longer texts are no code. */
const TYPED_MAX_LENGTH = 100;

/** Reads a code as people type it: six digits of an app, or a recovery code in its written form. Undefined for other texts. */
export function parseCode(typed: string): { kind: 'app' | 'recovery'; code: string } | undefined {
  if (typed.length > TYPED_MAX_LENGTH) return undefined;
  const text = typed.replaceAll(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(text)) return { kind: 'app', code: text };
  return /^[a-z2-7]{16}$/.test(text) ? { kind: 'recovery', code: groupsOf(text).join('-') } : undefined;
}

function encodeBase32(bytes: Buffer): string {
  return base32.encode(bytes, { padding: false });
}

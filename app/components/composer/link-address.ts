import { isLinkAddress } from '#server/screens/inbox/is-link-address.ts';

/** Any scheme. `localhost:8080` has none. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;
const EMAIL = /^[^\s@/]+@[^\s@/]+$/;
const PHONE = /^\+?[\d ()/.-]{5,30}$/;

/** Returns the address that a typed link leads to, with its scheme; null if it is none. */
export function linkAddress(typed: string): string | null {
  const text = typed.trim();
  return [text, withScheme(text)].find(isLinkAddress) ?? null;
}

function withScheme(text: string): string {
  if (EMAIL.test(text)) return `mailto:${text}`;
  if (PHONE.test(text)) return `tel:${text.replaceAll(/[^\d+]/g, '')}`;
  return text.includes('.') && !SCHEME.test(text) ? `https://${text}` : text;
}

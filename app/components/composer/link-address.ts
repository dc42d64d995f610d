/** Schemes that links may have. The server refuses others (`parse-formatted.ts`). */
export const LINK_SCHEME = /^(https?:\/\/|mailto:|tel:)/i;
/** Also `localhost:8080`, which is no scheme. */
const OTHER_SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;
const EMAIL = /^[^\s@/]+@[^\s@/]+$/;
const PHONE = /^\+?[\d ()/.-]{5,30}$/;
export const LINK_MAX_LENGTH = 2_000;

/** Returns the address that a typed link leads to, with its scheme; null if it is none. */
export function linkAddress(typed: string): string | null {
  const text = typed.trim();
  if (text === '' || text.length > LINK_MAX_LENGTH) return null;
  if (LINK_SCHEME.test(text)) return URL.canParse(text) ? text : null;
  if (EMAIL.test(text)) return `mailto:${text}`;
  if (PHONE.test(text)) return `tel:${text.replaceAll(/[^\d+]/g, '')}`;
  const isAddress = text.includes('.') && !OTHER_SCHEME.test(text) && URL.canParse(`https://${text}`);
  return isAddress ? `https://${text}` : null;
}

/** A cookie in the shape of `cookies().set()` in Next.js. */
export type ParsedCookie = {
  name: string;
  value: string;
  path?: string;
  domain?: string;
  maxAge?: number;
  expires?: Date;
  httpOnly?: boolean;
  secure?: boolean;
  sameSite?: 'lax' | 'strict' | 'none';
};

/** Parses a `Set-Cookie` header of our own server (RFC 6265 §5.2). Returns null without a name. */
export function parseSetCookie(header: string): ParsedCookie | null {
  const [pair = '', ...attributes] = header.split(';');
  const [name, value] = halves(pair);
  if (name === '') return null;
  const cookie: ParsedCookie = { name, value: decoded(value) };
  for (const attribute of attributes) {
    const [key, text] = halves(attribute);
    switch (key.toLowerCase()) {
      case 'path':
        cookie.path = text;
        break;
      case 'domain':
        cookie.domain = text;
        break;
      case 'max-age':
        cookie.maxAge = Number(text);
        break;
      case 'expires':
        cookie.expires = new Date(text);
        break;
      case 'httponly':
        cookie.httpOnly = true;
        break;
      case 'secure':
        cookie.secure = true;
        break;
      case 'samesite':
        cookie.sameSite = sameSite(text);
        break;
    }
  }
  return cookie;
}

function halves(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim(), ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function sameSite(text: string): 'lax' | 'strict' | 'none' {
  const word = text.toLowerCase();
  return word === 'strict' || word === 'none' ? word : 'lax';
}

/** Next.js encodes values, so decode an already encoded value first. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

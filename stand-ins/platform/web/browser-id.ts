import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Settings } from '../settings.ts';

const COOKIE = 'platform_browser';
const BROWSER_ID = /^[0-9a-f]{32}$/;

/** The id that tells one browser from another between starting and finishing a connect. */
export function readBrowserId(req: IncomingMessage): string | undefined {
  for (const pair of (req.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=');
    if (name === COOKIE && BROWSER_ID.test(value)) return value;
  }
  return undefined;
}

/** A new browser id. */
export function newBrowserId(): string {
  return randomBytes(16).toString('hex');
}

/** The cookie that carries it. `Lax`, because the browser comes back from another site with it. */
export function browserCookie(settings: Settings, browserId: string): string {
  const secure = settings.returnUrl.protocol === 'https:' ? '; Secure' : '';
  return `${COOKIE}=${browserId}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

import { createHash } from 'node:crypto';
import { escapeHtml } from '#server/core/text.ts';
import { PERMISSIONS_POLICY } from '#server/http/response/security-headers.ts';
import { CANVAS } from '#server/screens/themes.ts';

/** Styled like the app, whose style sheet may not be on the device. Its colours follow the device: the theme is in a cookie that scripts cannot read. */
const STYLE = `:root{color-scheme:light dark}*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:grid;place-items:center;padding:1rem;font:14px/1.45 "Inter Variable",ui-sans-serif,system-ui,sans-serif;background:light-dark(${CANVAS.light},${CANVAS.dark});color:light-dark(#19191c,#ededf0)}
main{width:100%;max-width:24rem;padding:1.5rem;display:grid;justify-items:center;gap:.5rem;text-align:center;border:1px solid light-dark(#e3e3e7,#2c2e33);border-radius:8px;background:light-dark(#fff,#17181b)}
svg{width:1.5rem;height:1.5rem;margin-bottom:.25rem;color:light-dark(#53535d,#b0b2bb)}
h1{font-size:1.125rem;font-weight:600;line-height:1.4;margin:0}p{margin:0;text-wrap:balance;color:light-dark(#53535d,#b0b2bb)}
button{font:inherit;font-weight:500;min-height:2.75rem;margin-top:.75rem;padding:0 1.25rem;border:0;border-radius:8px;background:light-dark(#3450cf,#4863e8);color:#fff;cursor:pointer}
button:hover{background:light-dark(#2a42b2,#3c56d6)}button:focus-visible{outline:2px solid light-dark(#2a42b2,#a9b8ff);outline-offset:2px}`;

/**
 * Loads the wanted page again: on a click, when the device is online, and when the service responds. The requests of many devices are
 * spread.
 */
const SCRIPT = `const retry=()=>location.reload();
document.querySelector('button').addEventListener('click',retry);
addEventListener('online',retry);
const check=async()=>{
  const response=navigator.onLine&&document.visibilityState==='visible'?await fetch('/readyz',{cache:'no-store'}).catch(()=>null):null;
  if(response&&response.ok)retry();else setTimeout(check,5000+5000*Math.random());
};
setTimeout(check,5000+5000*Math.random());`;

/** Icon “wifi-off” of Lucide (ISC licence). */
const ICON = `<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"><path d="M12 20h.01"/><path d="M8.5 16.429a5 5 0 0 1 7 0"/><path d="M5 12.859a10 10 0 0 1 5.17-2.69"/><path d="M19 12.859a10 10 0 0 0-2.007-1.523"/><path d="M2 8.82a15 15 0 0 1 4.177-2.643"/><path d="M22 8.82a15 15 0 0 0-11.288-3.764"/><path d="m2 2 20 20"/></svg>`;

/** Returns the page that the service worker shows when a page cannot be loaded. It contains no data. */
export function noConnectionPage(serviceName: string): string {
  const name = escapeHtml(serviceName);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>No connection · ${name}</title><style>${STYLE}</style></head>
<body><main>${ICON}<h1>No connection</h1><p>${name} can’t be reached. It opens again as soon as there is a connection.</p>
<button type="button">Try again</button></main><script>${SCRIPT}</script></body></html>
`;
}

/** The page has its own style and script, and checks whether the service responds. */
const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  'img-src data:',
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

export const NO_CONNECTION_HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy': PERMISSIONS_POLICY,
};

function hashOf(source: string): string {
  return `'sha256-${createHash('sha256').update(source).digest('base64')}'`;
}

import type { ServerResponse } from 'node:http';
import type { ProviderRequest } from '../../http/bodies.ts';
import { redirect, sendJson, sendPage } from '../../http/responses.ts';
import { servePageFiles } from '../../http/serve-page-files.ts';
import type { Providers } from '../providers.ts';
import { renderAccountsPage } from './render-accounts.ts';
import { renderCalls } from './render-calls.ts';
import { renderChats } from './render-chats.ts';
import { renderDns } from './render-dns.ts';
import { renderMailbox } from './render-mailbox.ts';
import { renderPage } from './render-page.ts';
import { runForm } from './run-form.ts';
import { sendContent } from './send-content.ts';

const serveFile = servePageFiles(new URL('../public/', import.meta.url));

/** The pages load nothing from other origins. */
const HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Handles pages, static files and forms. */
export async function handlePage(
  providers: Providers,
  request: ProviderRequest,
  res: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value);
  const { path, query, method } = request;
  if (method === 'POST') {
    const next = await runForm(providers, request);
    return next ? redirect(res, next) : sendJson(res, 404, { message: 'There is no such form.' });
  }
  if (serveFile(res, path)) return;
  // With the mail in the URL, a reload of the list marks the mail that is shown, not one that arrived since.
  if (path === '/mail' && !query.has('mail')) {
    query.set('mail', providers.state.mail.mails[0]?.id ?? 'new');
    return redirect(res, `/mail?${query}`);
  }
  const page = renderPath(providers, path, query);
  if (page) return sendPage(res, 200, page);
  if (sendContent(providers, res, path)) return;
  sendJson(res, 404, { message: 'There is no such page.' });
}

function renderPath(providers: Providers, path: string, query: URLSearchParams): string | null {
  const { settings } = providers;
  const notice = query.get('notice');
  if (path === '/') {
    const shown = { account: query.get('account'), chat: query.get('chat'), notice };
    return renderPage(settings, 'Chats', renderChats(providers, shown));
  }
  if (path === '/mail')
    return renderPage(settings, 'Mailbox', renderMailbox(providers, query.get('mail'), notice));
  if (path === '/accounts') return renderPage(settings, 'Accounts', renderAccountsPage(providers, notice));
  if (path === '/dns') return renderPage(settings, 'DNS', renderDns(providers, notice));
  if (path === '/calls') return renderPage(settings, 'Calls', renderCalls(providers));
  return null;
}

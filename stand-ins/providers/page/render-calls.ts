import { parseJson } from '../../http/bodies.ts';
import { type Html, html } from '../../http/html.ts';
import type { Providers } from '../providers.ts';
import type { ApiCall, WebhookCall } from '../state.ts';
import { renderTime } from './render-page.ts';

const SHOWN = 60;

/** Renders the page with the updates to the service and its API calls. */
export function renderCalls({ state: { webhookCalls, apiCalls } }: Providers): Html {
  return html`
    <div class="columns columns-2">
      <section class="pane" aria-labelledby="updates-title"><h1 id="updates-title">Updates to the service</h1>
        <div id="updates" data-live>${webhookCalls.slice(0, SHOWN).map(renderUpdate)}${webhookCalls.length === 0 && html`<p class="empty">No updates yet.</p>`}</div></section>
      <section class="pane" aria-labelledby="calls-title"><h1 id="calls-title">Calls from the service</h1>
        <div id="calls" data-live>${apiCalls.slice(0, SHOWN).map(renderCall)}${apiCalls.length === 0 && html`<p class="empty">No calls yet.</p>`}</div></section>
    </div>`;
}

function renderUpdate({ id, account, method, url, headers, body, attempts }: WebhookCall): Html {
  const last = attempts.at(-1);
  const outcome = last ? (last.status ?? last.problem ?? 'no response') : 'in flight';
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const tries = attempts.length > 1 ? `, ${attempts.length} attempts` : '';
  return html`<details class="call" id="${id}"><summary>${renderStatus(last?.status ?? 0, String(outcome))} ${account}${tries} ${last && renderTime(last.at)}</summary>
    <pre class="mail-text">${lines.join('\n')}\n\n${pretty(body)}</pre></details>`;
}

function renderCall({ id, account, method, path, fields, status, response, at }: ApiCall): Html {
  const lines = [account ?? 'unknown token', pretty(fields), pretty(response)];
  return html`<details class="call" id="${id}"><summary>${renderStatus(status, String(status || 'no response'))} ${method} ${path} ${renderTime(at)}</summary>
    <pre class="mail-text">${lines.join('\n\n')}</pre></details>`;
}

function renderStatus(status: number, words: string): Html {
  const isGood = status >= 200 && status < 300;
  return html`<span class="status ${isGood ? 'status-read' : 'status-failed'}">${words}</span>`;
}

function pretty(value: unknown): string {
  if (value === '') return '';
  return JSON.stringify(typeof value === 'string' ? parseJson(value) : value, null, 2);
}

import { parseJson } from '../../http/bodies.ts';
import { type Html, html } from '../../http/html.ts';
import { renderTime } from '../../http/render-document.ts';
import type { Providers } from '../providers.ts';
import type { ApiCall, WebhookCall } from '../state.ts';

const SHOWN = 60;

/** Renders the page with the updates to the service and its API calls. */
export function renderCalls({ state: { webhookCalls, apiCalls } }: Providers): Html {
  return html`
    <section aria-labelledby="updates-title"><h1 id="updates-title">Updates to the service</h1>
      <ul id="updates" data-live>${webhookCalls.slice(0, SHOWN).map(renderUpdate)}${webhookCalls.length === 0 && html`<li><small>No updates yet.</small></li>`}</ul></section>
    <section aria-labelledby="calls-title"><h1 id="calls-title">Calls from the service</h1>
      <ul id="calls" data-live>${apiCalls.slice(0, SHOWN).map(renderCall)}${apiCalls.length === 0 && html`<li><small>No calls yet.</small></li>`}</ul></section>`;
}

function renderUpdate({ id, account, method, url, headers, body, attempts }: WebhookCall): Html {
  const last = attempts.at(-1);
  const outcome = last ? (last.status ?? last.problem ?? 'no response') : 'in flight';
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const tries = attempts.length > 1 ? `, ${attempts.length} attempts` : '';
  return html`<li id="${id}"><details><summary><strong>${account}${tries}</strong> ${last && renderTime(last.at)}
    ${renderStatus(last?.status ?? 0, String(outcome))}</summary><pre>${lines.join('\n')}\n\n${pretty(body)}</pre></details></li>`;
}

function renderCall({ id, account, method, path, fields, status, response, at }: ApiCall): Html {
  const lines = [account ?? 'unknown token', pretty(fields), pretty(response)];
  return html`<li id="${id}"><details><summary><strong>${method} ${path}</strong> ${renderTime(at)}
    ${renderStatus(status, String(status || 'no response'))}</summary><pre>${lines.join('\n\n')}</pre></details></li>`;
}

function renderStatus(status: number, words: string): Html {
  const isGood = status >= 200 && status < 300;
  return html`<small data-tone="${isGood ? 'good' : 'bad'}">${words}</small>`;
}

function pretty(value: unknown): string {
  if (value === '') return '';
  return JSON.stringify(typeof value === 'string' ? parseJson(value) : value, null, 2);
}

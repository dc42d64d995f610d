import { type Html, html, toText } from '../../http/html.ts';
import { renderTime } from '../../http/render-document.ts';
import { triggerOf } from '../catalogue/triggers.ts';
import type { Attempt, ReceivedEvent, Subscription } from '../state.ts';
import { receivedLine } from './parts.ts';

const SHOWN_HEADERS = [
  ['x-service-event', 'X-Service-Event'],
  ['x-service-delivery', 'X-Service-Delivery'],
  ['user-agent', 'User-Agent'],
  ['content-type', 'Content-Type'],
  ['host', 'Host'],
] as const;

/** Words for requests without a response. */
const RESPONSE_WORDS: Record<string, string> = { hang: 'no response', 'break off': 'connection closed' };

/** Renders an event as a list item: one line that expands to its headers and JSON. */
export function renderEvent(event: ReceivedEvent): Html {
  const { attempts } = event;
  const lastResponse = attempts.at(-1)?.answered;
  const trouble = lastResponse !== 200;
  const repeats = describeRepeats(attempts.length);
  return html`
    <li id="event-${event.id}">
      <details>
        <summary>
          <strong>${triggerOf(event.trigger).name}</strong>
          ${renderTime(attempts[0].at)}
          <small>${gist(event.body)}</small>
          ${repeats && html`<small>${repeats}</small>`}
          ${event.bodyChanged && html`<small data-tone="bad">body changed</small>`}
          ${trouble && html`<small data-tone="bad">${typeof lastResponse === 'number' ? `response ${lastResponse}` : 'no response'}</small>`}
        </summary>
        <dl>
          ${SHOWN_HEADERS.map(([name, label]) => html`<dt>${label}</dt><dd><code>${event.headers[name] ?? 'none'}</code></dd>`)}
          <dt>Responses</dt>${attempts.map(renderAttempt)}
        </dl>
        <pre tabindex="0" role="group" aria-label="JSON">${pretty(event.body)}</pre>
      </details>
    </li>`;
}

function renderAttempt({ at, answered }: Attempt): Html {
  return html`<dd>${RESPONSE_WORDS[answered] ?? answered} at ${renderTime(at)}</dd>`;
}

export function pretty(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body, null, 2);
}

/** Returns a short description of an event: the conversation's subject, else the contact. */
function gist(body: unknown): string {
  return (
    textAt(body, 'conversation', 'subject') ??
    textAt(body, 'contact', 'name') ??
    textAt(body, 'contact', 'email') ??
    textAt(body, 'conversation', 'contact', 'name') ??
    textAt(body, 'conversation', 'channel') ??
    'No subject'
  );
}

function textAt(value: unknown, ...path: string[]): string | null {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null) return null;
    current = Object.entries(current).find(([key]) => key === name)?.[1];
  }
  return typeof current === 'string' && current !== '' ? current : null;
}

/** Returns how often an event arrived, when more than once. */
function describeRepeats(times: number): string | null {
  if (times < 2) return null;
  return times === 2 ? 'received twice' : `received ${times} times`;
}

/** Returns the message for the open pages when an event arrives or repeats. */
export function eventNews(subscription: Subscription, event: ReceivedEvent) {
  const { name } = triggerOf(event.trigger);
  return {
    connection: event.connectionId,
    id: `event-${event.id}`,
    html: toText(renderEvent(event)),
    announcement: event.attempts.length > 1 ? `${name} arrived again` : `${name} arrived`,
    subscription: subscription.key,
    received: receivedLine(subscription),
  };
}

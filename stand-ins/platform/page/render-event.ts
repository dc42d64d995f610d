import { type Html, html, toText } from '../../http/html.ts';
import { triggerOf } from '../catalogue/triggers.ts';
import type { Attempt, ReceivedEvent, Subscription } from '../state.ts';
import { icon, receivedLine, renderTime, tile } from './parts.ts';

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
    <li class="event" id="event-${event.id}">
      <details>
        <summary>
          ${tile('bolt', 'trigger')}
          <span class="event-words">
            <span class="event-name">${triggerOf(event.trigger).name}</span>
            <span class="event-gist">${gist(event.body)}</span>
            ${repeats && html`<span class="tag">${repeats}</span>`}
            ${event.bodyChanged && html`<span class="tag tag-bad">body changed</span>`}
            ${trouble && html`<span class="tag tag-bad">${typeof lastResponse === 'number' ? `response ${lastResponse}` : 'no response'}</span>`}
          </span>
          ${renderTime(attempts[0].at)}
          ${icon('chevron')}
        </summary>
        <dl class="headers">
          ${SHOWN_HEADERS.map(([name, label]) => html`<div><dt>${label}</dt><dd>${event.headers[name] ?? 'none'}</dd></div>`)}
          <div><dt>Responses</dt><dd>${attempts.map(renderAttempt)}</dd></div>
        </dl>
        <pre class="json" tabindex="0" role="group" aria-label="JSON">${pretty(event.body)}</pre>
      </details>
    </li>`;
}

function renderAttempt({ at, answered }: Attempt): Html {
  return html`<span class="attempt">${RESPONSE_WORDS[answered] ?? answered} at ${renderTime(at)}</span>`;
}

function pretty(body: unknown): string {
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

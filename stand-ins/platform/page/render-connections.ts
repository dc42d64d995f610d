import { type Html, html } from '../../http/html.ts';
import type { Connection } from '../state.ts';
import { renderTime } from './parts.ts';

const HEALTH_WORDS = {
  connected: 'Connected',
  test_failed: 'Test failed',
  needs_reconnect: 'Needs to be reconnected',
} as const;

/** Renders the list of connections, with the selected one highlighted. */
export function renderConnections(connections: Connection[], selected: Connection): Html {
  return html`
    <ul class="connections" id="connections-list" role="list" aria-labelledby="connections" data-swap data-live>
      ${connections.map((connection) => renderConnection(connection, connection === selected))}
    </ul>`;
}

function renderConnection(connection: Connection, isSelected: boolean): Html {
  const { id, label, health, message, connectedAt } = connection;
  return html`
    <li class="connection" aria-labelledby="connection-${id}">
      <span class="initials" aria-hidden="true">${initials(label)}</span>
      <div class="connection-words">
        <a class="connection-label" id="connection-${id}" href="/?connection=${id}" ${isSelected && html`aria-current="true"`}>${label}</a>
        <p class="health health-${health}">
          <span>${HEALTH_WORDS[health]}</span>
          ${health === 'connected' ? html`<span class="since">since ${renderTime(connectedAt)}</span>` : html`<span class="since">${message}</span>`}
        </p>
      </div>
      <div class="connection-buttons">
        <button class="button" id="test-${id}" data-do="test" data-connection="${id}" aria-describedby="connection-${id}">Test</button>
        <button class="button button-quiet" id="disconnect-${id}" data-do="disconnect" data-connection="${id}" aria-describedby="connection-${id}">Disconnect</button>
      </div>
    </li>`;
}

function initials(label: string): string {
  const words = label.replace(/\(.*/, '').trim().split(/\s+/);
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
}

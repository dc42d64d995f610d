import { type Html, html } from '../../http/html.ts';
import { renderTime } from '../../http/render-document.ts';
import type { Connection } from '../state.ts';

const HEALTH_WORDS = {
  connected: 'Connected',
  test_failed: 'Test failed',
  needs_reconnect: 'Needs to be reconnected',
} as const;

/** Renders the list of connections, with the selected one highlighted. */
export function renderConnections(connections: Connection[], selected: Connection): Html {
  return html`
    <ul id="connections-list" role="list" aria-labelledby="connections" data-selected="${selected.id}" data-swap data-live>
      ${connections.map((connection) => renderConnection(connection, connection === selected))}
    </ul>`;
}

function renderConnection(connection: Connection, isSelected: boolean): Html {
  const { id, label, health, message, connectedAt } = connection;
  return html`
    <li aria-labelledby="connection-${id}">
      <div>
        <a id="connection-${id}" href="/?connection=${id}" ${isSelected && html`aria-current="true"`}>${label}</a>
        <p>
          <small data-tone="${health === 'connected' ? 'good' : 'bad'}">${HEALTH_WORDS[health]}</small>
          <small>${health === 'connected' ? html`since ${renderTime(connectedAt)}` : message}</small>
        </p>
      </div>
      <footer>
        <button id="test-${id}" data-do="test" data-connection="${id}" aria-describedby="connection-${id}">Test</button>
        <button id="disconnect-${id}" data-do="disconnect" data-connection="${id}" aria-describedby="connection-${id}">Disconnect</button>
      </footer>
    </li>`;
}

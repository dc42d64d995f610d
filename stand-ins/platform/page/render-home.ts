import { type Html, html } from '../../http/html.ts';
import { renderDocument } from '../../http/render-document.ts';
import type { Platform } from '../platform.ts';
import type { Connection, Notice } from '../state.ts';
import { renderConnections } from './render-connections.ts';
import { renderWorkbench } from './render-workbench.ts';
import { renderWorkflows } from './render-workflows.ts';

const SECTIONS = ['Connections', 'Workflows', 'Events', 'Triggers', 'Actions', 'Searches'] as const;

/** Renders the page for the requested connection, else for the newest. */
export function renderHome(platform: Platform, query: URLSearchParams, notice: Notice | null): string {
  const { state, settings } = platform;
  const connections = [...state.connections.values()].toReversed();
  const selected = state.connections.get(query.get('connection') ?? '') ?? connections[0];
  const notes = html`
    ${notice && renderNotice(notice)}
    <noscript><p role="alert">This page needs JavaScript, except for connecting.</p></noscript>`;
  return renderDocument({
    title: `${settings.serviceName} on ${settings.platformName}`,
    brand: settings.platformName,
    sections: selected ? SECTIONS.map((name) => ({ href: `#${name.toLowerCase()}`, name })) : [],
    content: selected
      ? renderConnected(platform, { connections, selected, notes, query })
      : renderWelcome(platform, notes),
  });
}

function renderNotice({ tone, title, text }: Notice): Html {
  const role = tone === 'good' ? 'status' : 'alert';
  return html`<p role="${role}" data-tone="${tone}"><strong>${title}</strong> ${text}</p>`;
}

function renderWelcome({ settings }: Platform, notes: Html): Html {
  const { serviceName } = settings;
  return html`
    <article>
      ${notes}
      <h1>Let ${serviceName} start the work</h1>
      <p>When something happens in the inbox, a workflow runs. When a workflow runs, something happens in the inbox. Connect a workspace to try both.</p>
      ${renderConnect()}
      <ol>
        <li><div><strong>Connect a workspace</strong><p>You choose it on ${serviceName}’s own page.</p></div></li>
        <li><div><strong>Create a workflow</strong><p>A trigger, such as New Conversation, and an action, such as Add Internal Note.</p></div></li>
        <li><div><strong>Watch it run</strong><p>Each event arrives live, and each run shows the response.</p></div></li>
      </ol>
    </article>`;
}

type Connected = { connections: Connection[]; selected: Connection; notes: Html; query: URLSearchParams };

function renderConnected(platform: Platform, { connections, selected, notes, query }: Connected): Html {
  const { triggers, events, steps } = renderWorkbench(platform, selected);
  return html`
    <div>
      ${notes}
      <section aria-labelledby="connections">
        <header><h1 id="connections">Connections</h1>${renderConnect()}</header>
        <p>Everything below uses the one you select.</p>
        ${renderConnections(connections, selected)}
        <output id="connection-answer"></output>
      </section>
      ${renderWorkflows(platform, selected, query)}
      ${triggers}
    </div>
    ${events}
    <div>${steps}</div>`;
}

function renderConnect(): Html {
  return html`<form method="post" action="/connect"><button data-tone="main">Connect</button></form>`;
}

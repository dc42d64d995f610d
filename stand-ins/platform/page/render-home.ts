import { type Html, html, toText } from '../../http/html.ts';
import type { Platform } from '../platform.ts';
import type { Connection, Notice } from '../state.ts';
import { icon, tile } from './parts.ts';
import { renderConnections } from './render-connections.ts';
import { renderWorkbench } from './render-workbench.ts';

const SECTIONS = ['Connections', 'Triggers', 'Events', 'Actions', 'Searches'] as const;

/** Renders the page for the requested connection, else for the newest. */
export function renderHome(platform: Platform, connectionId: string | null, notice: Notice | null): string {
  const { state, settings } = platform;
  const connections = [...state.connections.values()].toReversed();
  const selected = state.connections.get(connectionId ?? '') ?? connections[0];
  return toText(html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${settings.serviceName} on ${settings.platformName}</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page.css">
    <script type="module" src="/page.js"></script>
  </head>
  <body data-connection="${selected?.id ?? ''}">
    <a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <a class="brand" href="/">${icon('flow')}<span>${settings.platformName}</span></a>
      ${selected && html`<nav aria-label="Sections">${SECTIONS.map((name) => html`<a href="#${name.toLowerCase()}">${name}</a>`)}</nav>`}
    </header>
    <main id="main">
      ${notice && renderNotice(notice)}
      <noscript><p class="notice notice-bad">This page needs JavaScript, except for connecting.</p></noscript>
      ${selected ? renderConnected(platform, connections, selected) : renderWelcome(platform)}
    </main>
  </body>
</html>
`);
}

function renderNotice({ tone, title, text }: Notice): Html {
  return html`
    <div class="notice notice-${tone}" role="${tone === 'good' ? 'status' : 'alert'}">
      <p><strong>${title}</strong> ${text}</p>
    </div>`;
}

function renderWelcome({ settings }: Platform): Html {
  const { serviceName } = settings;
  return html`
    <div class="welcome">
      <div class="chain" aria-hidden="true">${tile('inbox', 'app')}${tile('bolt', 'trigger')}${tile('play', 'action')}</div>
      <h1>Let ${serviceName} start the work</h1>
      <p class="lead">When something happens in the inbox, a workflow runs. When a workflow runs, something happens in the inbox. Connect a workspace to try both.</p>
      ${renderConnect()}
      <ol class="ways">
        <li><strong>Connect a workspace</strong><span>You choose it on ${serviceName}’s own page.</span></li>
        <li><strong>Turn on a trigger</strong><span>There are eight, from new conversations to commands.</span></li>
        <li><strong>Watch events arrive</strong><span>Live, with the complete request.</span></li>
      </ol>
    </div>`;
}

function renderConnected(platform: Platform, connections: Connection[], selected: Connection): Html {
  return html`
    <div class="app-head">${tile('inbox', 'app')}<h1>${platform.settings.serviceName}</h1></div>
    <section class="part" aria-labelledby="connections">
      <div class="part-head">
        <div><h2 id="connections">Connections</h2><p class="part-words">The steps below use the one you select.</p></div>
        ${renderConnect()}
      </div>
      ${renderConnections(connections, selected)}
      <p class="answer-line" role="status" id="connection-answer"></p>
    </section>
    ${renderWorkbench(platform, selected)}`;
}

function renderConnect(): Html {
  return html`<form method="post" action="/connect"><button class="button button-main button-big">Connect</button></form>`;
}

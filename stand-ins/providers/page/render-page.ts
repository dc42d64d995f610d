import { type Html, html } from '../../http/html.ts';
import { renderDocument } from '../../http/render-document.ts';
import type { Settings } from '../settings.ts';

const SECTIONS = [
  ['/', 'Chats'],
  ['/mail', 'Mailbox'],
  ['/accounts', 'Accounts'],
  ['/dns', 'DNS'],
  ['/calls', 'Calls'],
] as const;

/** Renders a page. Parts marked `data-live` are reloaded when the state changes. */
export function renderPage({ serviceName }: Settings, section: string, content: Html): string {
  return renderDocument({
    title: `${section} · Providers of ${serviceName}`,
    brand: html`Providers <small>of ${serviceName}</small>`,
    sections: SECTIONS.map(([href, name]) => ({ href, name, isCurrent: name === section })),
    content,
  });
}

export type Option = { value: string; label: string };
type SelectParts = { id: string; name: string; label: string; options: Option[]; chosen: string };

export function renderSelect({ id, name, label, options, chosen }: SelectParts): Html {
  return html`<div><label for="${id}">${label}</label><select id="${id}" name="${name}">${options.map(
    ({ value, label: words }) =>
      html`<option value="${value}" ${value === chosen && html`selected`}>${words}</option>`,
  )}</select></div>`;
}

import { isIP } from 'node:net';
import { addressProblem } from '#server/automation/deliveries/public-address.ts';
import { textProblem } from '#server/contract/fields.ts';
import { ALL_EVENTS, LOGGED_EVENT_KEYS, type LoggedEventKey } from '#server/contract/program-events.ts';
import { settings } from '#server/core/env.ts';
import { type FieldErrors, invalid } from '#server/core/errors.ts';
import { cleanName } from '#server/core/text.ts';

export const URL_MAX_LENGTH = 500;
export const DESCRIPTION_MAX_LENGTH = 200;
/** Lower ports, other than that of HTTPS, belong to other services. */
const FIRST_FREE_PORT = 1024;

/** Fields of an endpoint as a teammate or program sent them. Missing fields stay unchanged. */
export type TypedEndpoint = {
  url?: string | undefined;
  events?: readonly string[] | undefined;
  description?: string | undefined;
};

/** The events of an endpoint: their keys, or `ALL_EVENTS` alone. */
export type EndpointEvents = (LoggedEventKey | typeof ALL_EVENTS)[];

export type EndpointFields = { url?: string; events?: EndpointEvents; description?: string };

/** Parses the fields of an endpoint. @throws Refusal that names every invalid field */
export function parseEndpoint({ url, events, description }: TypedEndpoint): EndpointFields {
  const errors: FieldErrors = {};
  const fields: EndpointFields = {};
  if (url !== undefined) {
    const text = url.trim();
    const problem = urlProblem(text);
    if (problem) errors.url = [problem];
    else fields.url = text;
  }
  if (events !== undefined) {
    const isAll = events.includes(ALL_EVENTS);
    const unknown = events.find((event) => event !== ALL_EVENTS && !isLoggedEvent(event));
    if (unknown !== undefined) errors.events = [`There is no event ${unknown.slice(0, 50)}.`];
    else if (events.length === 0) errors.events = ['Choose at least one event.'];
    else fields.events = isAll ? [ALL_EVENTS] : LOGGED_EVENT_KEYS.filter((key) => events.includes(key));
  }
  if (description !== undefined) {
    const text = cleanName(description);
    const problem = textProblem(text, { label: 'description', max: DESCRIPTION_MAX_LENGTH });
    if (problem) errors.description = [problem];
    else fields.description = text;
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return fields;
}

function isLoggedEvent(text: string): text is LoggedEventKey {
  return (LOGGED_EVENT_KEYS as readonly string[]).includes(text);
}

/** Returns why events cannot be sent to a URL; undefined if they can. The addresses of a name are checked at each attempt. */
export function urlProblem(text: string): string | undefined {
  if (text.length > URL_MAX_LENGTH) return `The URL can have up to ${URL_MAX_LENGTH} characters.`;
  if (!/^https:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) {
    return 'Enter a complete https address, for example https://example.com/webhooks.';
  }
  const { hostname, port, username, password, hash } = new URL(text);
  if (username !== '' || password !== '') {
    return 'The URL cannot have a user name or password. The signature shows that an event is genuine.';
  }
  if (hash !== '') return 'The URL cannot have a fragment (#).';
  if (port !== '' && Number(port) < FIRST_FREE_PORT) return 'The port must be 443, or 1024 or higher.';
  const { WEBHOOK_PRIVATE_HOSTS: privateHosts = [] } = settings();
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  const isPrivateName = isName && !hostname.includes('.') && !privateHosts.includes(hostname);
  if (isPrivateName || addressProblem(hostname, privateHosts)) {
    return 'This host is not in the public internet.';
  }
  return undefined;
}

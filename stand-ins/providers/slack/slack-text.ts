/** A link, or a mention of a user, channel or group. @see https://docs.slack.dev/messaging/formatting-message-text */
const TOKEN = /<(?:https?:\/\/|mailto:|[@#!])[^<>\s][^<>]*>/;
const LINK = /https?:\/\/[^\s<>]*[^\s<>.,;:!?)'"]/;
const PARTS = new RegExp(`(${TOKEN.source}|${LINK.source})`);

/** Writes a text as Slack sends it: three characters are escaped, and links are in angle brackets. */
export function toSlack(text: string): string {
  return text
    .split(PARTS)
    .map((part, index) => (index % 2 === 0 ? escapeText(part) : part.startsWith('<') ? part : `<${part}>`))
    .join('');
}

/** Returns a text of a call as people read it. Mentions and links with a label stay. */
export function fromSlack(text: string): string {
  return text
    .replaceAll(/<(https?:\/\/[^<>|\s]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The text between angle brackets, and what a label may follow with (docs.slack.dev, formatting message text). */
const LINK = /<([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g;

/**
 * A message of Slack as plain text: links by their address, mentions by name where Slack says it, entities as the characters
 * they stand for.
 * @param botUserId the bot itself, whose mention is left out
 */
export function parseSlackText(text: string, botUserId: string): string {
  return text
    .replaceAll(LINK, (_all, target: string, label: string | undefined) =>
      plainLink(target, label, botUserId),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim();
}

function plainLink(target: string, label: string | undefined, botUserId: string): string {
  if (target === `@${botUserId}`) return '';
  if (target.startsWith('@') || target.startsWith('#')) return label ? `${target.charAt(0)}${label}` : target;
  if (target.startsWith('!')) return label ?? `@${target.slice(1).split('^', 1)[0]}`;
  const address = target.replace(/^mailto:/, '');
  return label && label !== address && label !== target ? `${label} (${address})` : address;
}

/** The three characters that Slack reads as its own. */
export function writeSlackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

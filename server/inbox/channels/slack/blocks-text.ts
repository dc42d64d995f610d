import { writeSlackText } from '#server/inbox/channels/slack/slack-client.ts';

/** Maximum number of visited objects, and maximum depth. */
const NODES_MAX = 5_000;
const DEPTH_MAX = 30;

/** Elements that stand within a line. All others end it. */
const INLINE = new Set([
  'text',
  'link',
  'user',
  'usergroup',
  'channel',
  'emoji',
  'broadcast',
  'date',
  'color',
]);

/** Returns the text of blocks (Slack Block Kit) in Slack's own markup; empty for other values. */
export function blocksText(blocks: unknown): string {
  const texts: string[] = [];
  let left = NODES_MAX;
  const visit = (node: unknown, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > DEPTH_MAX || typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const each of node) visit(each, depth + 1);
      return;
    }
    const { type, text, alt_text, ...others } = node as Record<string, unknown>;
    const own = inlineText(node as Record<string, unknown>);
    if (own !== '') texts.push(own);
    else if (typeof text === 'string') texts.push(text);
    else visit(text, depth + 1);
    for (const name of ['elements', 'fields', 'message']) visit(others[name], depth + 1);
    if (typeof alt_text === 'string') texts.push(writeSlackText(alt_text));
    if (own === '' && !INLINE.has(String(type))) texts.push('\n');
  };
  visit(blocks, 0);
  return texts
    .join('')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}

/** Returns an element of rich text in Slack's markup for messages. */
function inlineText({ type, text, url, user_id, channel_id, name, range }: Record<string, unknown>): string {
  if (type === 'text' && typeof text === 'string') return writeSlackText(text);
  if (type === 'link' && typeof url === 'string')
    return typeof text === 'string' ? `<${url}|${writeSlackText(text)}>` : `<${url}>`;
  if (type === 'user' && typeof user_id === 'string') return `<@${user_id}>`;
  if (type === 'channel' && typeof channel_id === 'string') return `<#${channel_id}>`;
  if (type === 'emoji' && typeof name === 'string') return `:${name}:`;
  return type === 'broadcast' && typeof range === 'string' ? `<!${range}>` : '';
}

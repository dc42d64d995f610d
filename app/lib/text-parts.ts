/** A part of a text: plain, a link with its `href`, or a mention of a teammate. */
export type TextPart = { text: string; href?: string; isMention?: true };

/** A link that a linkifier found, with its position in the text. */
export type FoundLink = { start: number; end: number; href: string };

/** Other schemes, such as `javascript:` or `data:`, are never linked. */
const SAFE = /^(?:https?:\/\/|mailto:)/i;

/**
 * Splits a text into plain parts, links and mentions. Joined, the parts are the text.
 * @param links in the order of the text
 * @param mentioned names and email addresses of the mentioned teammates
 */
export function textParts(text: string, links: FoundLink[], mentioned: string[] = []): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { start, end, href } of links) {
    if (!SAFE.test(href) || start < at) continue;
    parts.push(...mentionParts(text.slice(at, start), mentioned), { text: text.slice(start, end), href });
    at = end;
  }
  parts.push(...mentionParts(text.slice(at), mentioned));
  return parts.filter((part) => part.text !== '');
}

/** Splits a text without links at each `@name`, ignoring case. The longest name wins. */
function mentionParts(text: string, mentioned: string[]): TextPart[] {
  const lower = text.toLowerCase();
  const handles = mentioned.map((name) => `@${name.toLowerCase()}`).sort((a, b) => b.length - a.length);
  const parts: TextPart[] = [];
  let at = 0;
  for (let next = lower.indexOf('@'); next !== -1; next = lower.indexOf('@', next + 1)) {
    const handle = handles.find((name) => lower.startsWith(name, next));
    if (handle === undefined || lower.length !== text.length) continue;
    parts.push(
      { text: text.slice(at, next) },
      { text: text.slice(next, next + handle.length), isMention: true },
    );
    at = next + handle.length;
  }
  parts.push({ text: text.slice(at) });
  return parts;
}

import { find } from 'linkifyjs';
import { textParts } from '#app/lib/text-parts.ts';

/** Longest prefix that is searched for links, in characters. */
const SEARCHED_MAX = 20_000;

/** A text whose URLs and email addresses are links, and whose mentions of teammates are highlighted. */
export default function LinkedParts({ text, mentioned }: { text: string; mentioned?: string[] }) {
  const links = find(text.slice(0, SEARCHED_MAX), { defaultProtocol: 'https' });
  return textParts(text, links, mentioned).map((part, place) => {
    const key = `${place}`;
    if (part.href !== undefined) {
      return (
        <a
          key={key}
          href={part.href}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="underline underline-offset-2 hover:decoration-2"
        >
          {part.text}
        </a>
      );
    }
    if (part.isMention) {
      return (
        <mark key={key} className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-ink">
          {part.text}
        </mark>
      );
    }
    return part.text;
  });
}

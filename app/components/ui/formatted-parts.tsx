import type { ReactNode } from 'react';
import LinkedParts from '#app/components/ui/linked-parts.tsx';
import type {
  FormattedBlock,
  FormattedInline,
  FormattedListItem,
  FormattedMark,
  FormattedText,
} from '#server/screens/inbox/formatted-text.ts';

/** `text`: the plain text, which is shown until this is loaded. */
type Props = { text: string; formatted: FormattedText; mentioned: string[] };

/** The nodes of a formatted text as elements. */
export default function FormattedParts({ formatted, mentioned }: Props) {
  return <div className="formatted">{blocks(formatted.content, mentioned)}</div>;
}

// The nodes are keyed by their place: they never change without the whole text.

function blocks(content: readonly FormattedBlock[], mentioned: string[]): ReactNode[] {
  return content.map((block, place) => {
    const key = `${place}`;
    if (block.type === 'bulletList') return <ul key={key}>{items(block.content, mentioned)}</ul>;
    if (block.type === 'orderedList') {
      return (
        <ol key={key} start={block.attrs.start}>
          {items(block.content, mentioned)}
        </ol>
      );
    }
    if (block.type === 'codeBlock') {
      return (
        <pre key={key}>
          <code>{(block.content ?? []).map(({ text }) => text).join('')}</code>
        </pre>
      );
    }
    return <p key={key}>{(block.content ?? []).map((inline, at) => inlineOf(inline, `${at}`, mentioned))}</p>;
  });
}

function items(content: readonly FormattedListItem[], mentioned: string[]): ReactNode[] {
  return content.map((item, place) => {
    const key = `${place}`;
    return <li key={key}>{blocks(item.content, mentioned)}</li>;
  });
}

function inlineOf(inline: FormattedInline, key: string, mentioned: string[]): ReactNode {
  if (inline.type === 'hardBreak') return <br key={key} />;
  const { text, marks = [] } = inline;
  const isPlain = !marks.some(({ type }) => type === 'link' || type === 'code');
  const shown: ReactNode = isPlain ? <LinkedParts text={text} mentioned={mentioned} /> : text;
  return <span key={key}>{marks.reduceRight(markOf, shown)}</span>;
}

function markOf(content: ReactNode, mark: FormattedMark): ReactNode {
  switch (mark.type) {
    case 'bold':
      return <strong>{content}</strong>;
    case 'italic':
      return <em>{content}</em>;
    case 'code':
      return <code>{content}</code>;
    case 'link':
      return (
        <a href={mark.attrs.href} target="_blank" rel="noopener noreferrer nofollow ugc">
          {content}
        </a>
      );
  }
}

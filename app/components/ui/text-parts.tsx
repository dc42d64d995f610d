import { Fragment, type ReactNode } from 'react';
import LinkedParts from '#app/components/ui/linked-parts.tsx';
import type { LinkedTextProps } from '#app/components/ui/linked-text.tsx';
import { TextPicture } from '#app/components/ui/text-picture.tsx';
import type {
  FormattedBlock,
  FormattedInline,
  FormattedListItem,
  FormattedMark,
  FormattedPicture,
} from '#server/screens/inbox/formatted-text.ts';

type Parts = Omit<LinkedTextProps, 'text' | 'formatted'>;

/** The parts of a `LinkedText`: of a plain text links and mentions, of a formatted one its nodes as elements. */
export default function TextParts({ text, formatted, ...parts }: LinkedTextProps) {
  if (!formatted) return <LinkedParts text={text} mentioned={parts.mentioned ?? []} />;
  return <div className="formatted">{blocks(formatted.content, parts)}</div>;
}

// The nodes are keyed by their place: they never change without the whole text.

function blocks(content: readonly FormattedBlock[], parts: Parts): ReactNode[] {
  return content.map((block, place) => {
    const key = `${place}`;
    if (block.type === 'bulletList') return <ul key={key}>{items(block.content, parts)}</ul>;
    if (block.type === 'orderedList') {
      return (
        <ol key={key} start={block.attrs.start}>
          {items(block.content, parts)}
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
    return <p key={key}>{(block.content ?? []).map((inline, at) => inlineOf(inline, `${at}`, parts))}</p>;
  });
}

function items(content: readonly FormattedListItem[], parts: Parts): ReactNode[] {
  return content.map((item, place) => {
    const key = `${place}`;
    return <li key={key}>{blocks(item.content, parts)}</li>;
  });
}

function inlineOf(inline: FormattedInline, key: string, parts: Parts): ReactNode {
  if (inline.type === 'hardBreak') return <br key={key} />;
  if (inline.type === 'image') {
    return <Fragment key={key}>{pictureOf(inline, parts)}</Fragment>;
  }
  const { text, marks = [] } = inline;
  const isPlain = !marks.some(({ type }) => type === 'link' || type === 'code');
  const shown: ReactNode = isPlain ? <LinkedParts text={text} mentioned={parts.mentioned ?? []} /> : text;
  return <span key={key}>{marks.reduceRight(markOf, shown)}</span>;
}

function pictureOf(
  { attrs: { fileId, alt } }: FormattedPicture,
  { pictures = [], picture }: Parts,
): ReactNode {
  if (picture) return picture(fileId, alt);
  const sent = pictures.find((each) => each.fileId === fileId);
  return <TextPicture src={sent ? `/attachments/${sent.id}` : null} name={alt} />;
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

import { FileText, Paperclip } from 'lucide-react';
import { cx } from '#app/lib/cx.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { formatSize } from '#app/lib/format-size.ts';
import type { AttachmentView } from '#server/screens/inbox/thread-views.ts';

/** Image types that the server serves inline. */
const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

type Props = {
  attachments: AttachmentView[];
  /** Number of attachments that are not stored here. */
  filesElsewhere: number;
  /** Aligns the files right, under a message of the team. */
  atEnd: boolean;
};

/** Attachments of a message: thumbnails for images, name and size for others. Each opens in a new tab. */
export function ThreadAttachments({ attachments, filesElsewhere, atEnd }: Props) {
  return (
    <ul aria-label="Files" className={cx('flex max-w-full flex-wrap gap-2', atEnd && 'justify-end')}>
      {attachments.map((attachment) => (
        <li key={attachment.id} className="min-w-0 max-w-full">
          <a
            href={`/attachments/${attachment.id}`}
            target="_blank"
            rel="noreferrer"
            className="block max-w-full overflow-hidden rounded-lg border hover:bg-hover"
          >
            {IMAGES.includes(attachment.contentType) ? (
              <Picture attachment={attachment} />
            ) : (
              <File attachment={attachment} />
            )}
          </a>
        </li>
      ))}
      {filesElsewhere > 0 ? (
        <li className="flex items-center gap-1.5 rounded-lg border border-dashed px-2.5 py-1.5 text-ink-soft text-list">
          <Paperclip aria-hidden size={14} className="shrink-0" />
          {pluralize(filesElsewhere, 'file')} {filesElsewhere === 1 ? 'was' : 'were'} not stored
        </li>
      ) : null}
    </ul>
  );
}

/** Fixed size, to avoid layout shifts. */
function Picture({ attachment: { id, name, sizeBytes } }: { attachment: AttachmentView }) {
  return (
    // biome-ignore lint/performance/noImgElement: served unchanged, with access control
    <img
      src={`/attachments/${id}`}
      alt={`${name}, ${formatSize(sizeBytes)}`}
      title={name}
      loading="lazy"
      decoding="async"
      width={176}
      height={128}
      className="h-32 w-44 bg-hover object-cover"
    />
  );
}

function File({ attachment: { name, sizeBytes } }: { attachment: AttachmentView }) {
  return (
    <span className="flex min-h-11 max-w-72 items-center gap-2 px-2.5 py-1.5 text-list">
      <FileText aria-hidden size={18} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
      <span className="min-w-0 truncate font-medium" title={name}>
        <bdi>{name}</bdi>
      </span>
      <span className="tabular shrink-0 text-ink-soft text-xs">{formatSize(sizeBytes)}</span>
    </span>
  );
}

import { FileText, LoaderCircle, X } from 'lucide-react';
import type { DraftFile } from '#app/components/drafts/composer-state.ts';
import { IconButton } from '#app/components/ui/button.tsx';
import { formatSize } from '#app/lib/format-size.ts';
import { type FormattedText, pictureIds } from '#server/screens/inbox/formatted-text.ts';

type Props = {
  files: readonly DraftFile[];
  /** Shows some of the files as pictures. */
  formatted?: FormattedText | null;
  onRemove: (key: string) => void;
  label?: string;
};

/** Files attached to the draft, without the pictures in its text. */
export function DraftFiles({ files: all, formatted = null, onRemove, label = 'Files to send' }: Props) {
  const pictures = pictureIds(formatted);
  const files = all.filter(({ uploaded }) => !pictures.includes(uploaded?.id ?? ''));
  if (files.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-2 px-3 pt-1 pb-1">
      {files.map(({ key, name, sizeBytes, uploaded }) => (
        <li key={key} className="flex max-w-full items-center gap-1.5 rounded-lg border pl-2 text-list">
          {uploaded ? (
            <FileText aria-hidden size={16} strokeWidth={1.75} className="shrink-0 text-ink-soft" />
          ) : (
            <LoaderCircle aria-label="Uploading" size={16} className="shrink-0 animate-spin text-ink-soft" />
          )}
          <span className="min-w-0 max-w-60 truncate" title={name}>
            <bdi>{name}</bdi>
          </span>
          <span className="tabular shrink-0 text-ink-faint text-xs">{formatSize(sizeBytes)}</span>
          <IconButton icon={X} label={`Remove ${name}`} onClick={() => onRemove(key)} />
        </li>
      ))}
    </ul>
  );
}

import { FileText } from 'lucide-react';
import type { OfferedSavedReply } from '#server/screens/settings/views.ts';

/** The start of a saved reply as it will be inserted. */
export function SuggestionPreview({ preview }: { preview: OfferedSavedReply }) {
  const { content, missing, files } = preview;
  return (
    <div className="grid min-w-0 grow content-start gap-2 overflow-hidden p-3 text-list max-md:border-t md:border-l">
      <p dir="auto" className="line-clamp-9 whitespace-pre-wrap [overflow-wrap:anywhere] max-md:line-clamp-4">
        {content}
      </p>
      {files.map(({ name }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files can have the same name, and the list never changes
        <p key={index} className="flex min-w-0 items-center gap-1.5 text-ink-soft">
          <FileText aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
          <bdi className="truncate">{name}</bdi>
        </p>
      ))}
      {missing.length > 0 ? (
        <p className="text-ink-soft text-xs">Unknown, so left out: {missing.join(', ')}</p>
      ) : null}
    </div>
  );
}

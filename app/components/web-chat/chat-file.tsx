'use client';

import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { FieldError } from '#app/components/ui/field.tsx';
import { fetchFile } from '#app/components/web-chat/chat-api.ts';
import { sentenceOf } from '#app/components/web-chat/use-chat.ts';
import { formatSize } from '#app/lib/format-size.ts';
import type { ChatAttachment } from '#server/screens/web-chat/views.ts';

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** A file of a message. Only the visitor's token opens it, so it is fetched and not linked to. */
export function ChatFile({ workspaceId, file }: { workspaceId: string; file: ChatAttachment }) {
  const { id, name, contentType, sizeBytes } = file;
  const picture = usePicture(workspaceId, PICTURES.includes(contentType) ? id : null);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    setProblem(null);
    try {
      saveAs(await fetchFile(workspaceId, id), name);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <>
      <button
        type="button"
        onClick={() => void save()}
        aria-label={`Save ${name}, ${formatSize(sizeBytes)}`}
        className="block max-w-full overflow-hidden rounded-lg border text-left hover:bg-hover"
      >
        {picture ? (
          // A picture in memory, which nothing can make smaller on the way.
          // biome-ignore lint/performance/noImgElement: see above.
          <img src={picture} alt={name} className="max-h-60 max-w-full object-contain" />
        ) : (
          <span className="flex min-h-11 items-center gap-2 px-3 py-2">
            <Download aria-hidden size={16} className="shrink-0 text-ink-soft" />
            <span className="min-w-0 truncate text-list">{name}</span>
            <span className="shrink-0 text-ink-faint text-xs">{formatSize(sizeBytes)}</span>
          </span>
        )}
      </button>
      {problem ? <FieldError>{problem}</FieldError> : null}
    </>
  );
}

/** The address of a picture that was fetched into memory; null until it is, and for what is none. */
function usePicture(workspaceId: string, id: string | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (id === null) return;
    let made: string | undefined;
    let isGone = false;
    fetchFile(workspaceId, id)
      .then((blob) => {
        if (isGone) return;
        made = URL.createObjectURL(blob);
        setAddress(made);
      })
      // It can still be saved.
      .catch(() => undefined);
    return () => {
      isGone = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [workspaceId, id]);
  return address;
}

function saveAs(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

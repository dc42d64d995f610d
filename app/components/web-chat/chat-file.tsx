'use client';

import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { FieldError } from '#app/components/ui/field.tsx';
import { fetchFile } from '#app/components/web-chat/chat-api.ts';
import { sentenceOf } from '#app/components/web-chat/use-chat.ts';
import { formatSize } from '#app/lib/format-size.ts';
import type { ChatAttachment } from '#server/screens/web-chat/views.ts';

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** An attachment, fetched rather than linked because it requires the visitor's token. */
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
          // A blob URL, which the image optimizer cannot resize.
          // biome-ignore lint/performance/noImgElement: see above.
          <img src={picture} alt={name} className="max-h-60 max-w-full object-contain" />
        ) : (
          <span className="flex min-h-11 items-center gap-2 px-3 py-2">
            <Download aria-hidden size={16} className="shrink-0 text-ink-soft" />
            <span className="min-w-0 [overflow-wrap:anywhere] text-list">{name}</span>
            <span className="shrink-0 text-ink-faint text-xs">{formatSize(sizeBytes)}</span>
          </span>
        )}
      </button>
      {problem ? <FieldError>{problem}</FieldError> : null}
    </>
  );
}

/** A picture in the text of a message. Until it is loaded, and if it was deleted, its name is shown. */
export function ChatPicture({
  workspaceId,
  id,
  name,
}: {
  workspaceId: string;
  id: string | null;
  name: string;
}) {
  const picture = usePicture(workspaceId, id);
  // biome-ignore lint/performance/noImgElement: a blob URL, as above
  return picture ? <img src={picture} alt={name} /> : `[${name}]`;
}

/** Returns the blob URL of a fetched image, or null while loading and for other files. */
function usePicture(workspaceId: string, id: string | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (id === null) return;
    let objectUrl: string | undefined;
    let isCancelled = false;
    fetchFile(workspaceId, id)
      .then((blob) => {
        if (isCancelled) return;
        objectUrl = URL.createObjectURL(blob);
        setAddress(objectUrl);
      })
      // The file can still be downloaded.
      .catch(() => undefined);
    return () => {
      isCancelled = true;
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
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

'use client';

import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/components/ui/button.tsx';
import { Dialog } from '#app/components/ui/dialog.tsx';

type Props = {
  messageId: string;
  hasRemotePictures: boolean;
  control: { open: boolean; onOpenChange: (open: boolean) => void };
};

/** The original email in a sandboxed frame without scripts. Remote images load only on request. */
export function MailOriginal({ messageId, hasRemotePictures, control }: Props) {
  const [withRemote, setWithRemote] = useState(false);
  return (
    <Dialog control={control} title="Original email" wide>
      <div className="grid gap-3">
        {hasRemotePictures && !withRemote ? (
          <div className="flex flex-wrap items-center gap-3 rounded-lg border border-note-line bg-note px-3 py-2 text-list text-note-ink">
            <ImageOff aria-hidden size={16} className="shrink-0" />
            <span className="min-w-0 grow">
              Remote images are blocked because they tell the sender that you read this email.
            </span>
            <Button onClick={() => setWithRemote(true)}>Load images</Button>
          </div>
        ) : null}
        <iframe
          key={String(withRemote)}
          title="Original email"
          src={`/mails/${messageId}${withRemote ? '?pictures=1' : ''}`}
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          className="h-[60dvh] w-full rounded-lg border bg-white"
        />
      </div>
    </Dialog>
  );
}

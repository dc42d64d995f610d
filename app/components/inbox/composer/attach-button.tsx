import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '#app/components/ui/icon-button.tsx';

/** Picks files that go with a reply. */
export function AttachButton({ onPick }: { onPick: (files: File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon={Paperclip} label="Add files" onClick={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onPick([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

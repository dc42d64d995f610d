import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#app/components/ui/button.tsx';
import { FileInput } from '#app/components/ui/file-input.tsx';
import { IconButton } from '#app/components/ui/icon-button.tsx';

const LABEL = 'Add files';

type Props = {
  onPick: (files: File[]) => void;
  /** Whether it shows its name, where there is room and nothing beside it. */
  isNamed?: boolean;
};

/** Picks files that go with a message. */
export function AttachButton({ onPick, isNamed = false }: Props) {
  const picker = useRef<HTMLInputElement>(null);
  const pick = () => picker.current?.click();
  return (
    <>
      {isNamed ? (
        <Button variant="quiet" onClick={pick} className="-ml-2.5 w-fit px-2.5">
          <Paperclip aria-hidden size={16} strokeWidth={1.75} />
          {LABEL}
        </Button>
      ) : (
        <IconButton icon={Paperclip} label={LABEL} onClick={pick} />
      )}
      <FileInput ref={picker} onPick={onPick} />
    </>
  );
}

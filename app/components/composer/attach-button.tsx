import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { Button, IconButton } from '#app/components/ui/button.tsx';
import { FileInput } from '#app/components/ui/input.tsx';

const LABEL = 'Add files';

type Props = {
  onPick: (files: File[]) => void;
  /** Shows the label beside the icon, where there is room for it. */
  isNamed?: boolean;
};

/** Opens the file picker. */
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
        <IconButton icon={Paperclip} label={LABEL} data-shortcut="attach" onClick={pick} />
      )}
      <FileInput ref={picker} onPick={onPick} />
    </>
  );
}

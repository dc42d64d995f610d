import { Lock } from 'lucide-react';

/** Who reads a note. */
export function NoteHead() {
  return (
    <p className="flex items-center gap-1.5 px-3 pt-2 text-note-ink text-xs">
      <Lock aria-hidden size={14} strokeWidth={1.75} className="shrink-0" />
      <span>Internal note, only visible to your team</span>
    </p>
  );
}

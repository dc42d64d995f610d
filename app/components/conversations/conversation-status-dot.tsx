import { type DotTone, StatusDot } from '#app/components/ui/status-dot.tsx';
import type { ConversationStatus } from '#server/screens/inbox/views.ts';

export const statusNames: Record<ConversationStatus, string> = {
  open: 'Open',
  pending: 'Pending',
  solved: 'Solved',
  closed: 'Closed',
};

const tones: Record<ConversationStatus, DotTone> = {
  open: 'good',
  pending: 'waiting',
  solved: 'done',
  closed: 'quiet',
};

export function ConversationStatusDot({ status }: { status: ConversationStatus }) {
  return <StatusDot tone={tones[status]}>{statusNames[status]}</StatusDot>;
}

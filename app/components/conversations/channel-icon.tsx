import {
  Camera,
  Hash,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageCircleMore,
  Phone,
  Send,
} from 'lucide-react';
import type { Channel } from '#server/screens/inbox/views.ts';
import { CHANNEL_NAMES } from '#server/screens/settings/channel-views.ts';

/** Name and icon of each channel. */
export const channels: Record<Channel, { name: string; icon: LucideIcon }> = {
  email: { name: CHANNEL_NAMES.email.name, icon: Mail },
  webchat: { name: CHANNEL_NAMES.webchat.name, icon: MessageCircle },
  whatsapp: { name: CHANNEL_NAMES.whatsapp.name, icon: Phone },
  instagram: { name: CHANNEL_NAMES.instagram.name, icon: Camera },
  messenger: { name: CHANNEL_NAMES.messenger.name, icon: MessageCircleMore },
  telegram: { name: CHANNEL_NAMES.telegram.name, icon: Send },
  slack: { name: CHANNEL_NAMES.slack.name, icon: Hash },
};

/** Channel icon with the name for screen readers and as tooltip. */
export function ChannelIcon({ channel }: { channel: Channel }) {
  const { name, icon: Icon } = channels[channel];
  return (
    <span title={name} className="inline-flex shrink-0 text-ink-faint">
      <Icon aria-hidden size={14} strokeWidth={1.75} />
      <span className="sr-only">{name}</span>
    </span>
  );
}

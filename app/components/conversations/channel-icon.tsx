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
import type { Channel } from '#server/inbox/conversations/views.ts';

/** The name and the sign of each channel, the same everywhere. */
export const channels: Record<Channel, { name: string; icon: LucideIcon }> = {
  email: { name: 'Email', icon: Mail },
  webchat: { name: 'Web chat', icon: MessageCircle },
  whatsapp: { name: 'WhatsApp', icon: Phone },
  instagram: { name: 'Instagram', icon: Camera },
  messenger: { name: 'Messenger', icon: MessageCircleMore },
  telegram: { name: 'Telegram', icon: Send },
  slack: { name: 'Slack', icon: Hash },
};

/** A channel as its sign; its name for those who cannot see it, and on hover. */
export function ChannelIcon({ channel }: { channel: Channel }) {
  const { name, icon: Icon } = channels[channel];
  return (
    <span title={name} className="inline-flex shrink-0 text-ink-faint">
      <Icon aria-hidden size={14} strokeWidth={1.75} />
      <span className="sr-only">{name}</span>
    </span>
  );
}

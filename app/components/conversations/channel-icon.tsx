import { type LucideProps, Mail, MessageCircle } from 'lucide-react';
import type { ComponentType } from 'react';
import {
  InstagramIcon,
  MessengerIcon,
  SlackIcon,
  TelegramIcon,
  WhatsAppIcon,
} from '#app/components/conversations/brand-icons.tsx';
import type { Channel } from '#server/screens/inbox/views.ts';
import { CHANNEL_NAMES } from '#server/screens/settings/channel-views.ts';

/** Name and icon of each channel. */
export const channels: Record<Channel, { name: string; icon: ComponentType<LucideProps> }> = {
  email: { name: CHANNEL_NAMES.email.name, icon: Mail },
  webchat: { name: CHANNEL_NAMES.webchat.name, icon: MessageCircle },
  whatsapp: { name: CHANNEL_NAMES.whatsapp.name, icon: WhatsAppIcon },
  instagram: { name: CHANNEL_NAMES.instagram.name, icon: InstagramIcon },
  messenger: { name: CHANNEL_NAMES.messenger.name, icon: MessengerIcon },
  telegram: { name: CHANNEL_NAMES.telegram.name, icon: TelegramIcon },
  slack: { name: CHANNEL_NAMES.slack.name, icon: SlackIcon },
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

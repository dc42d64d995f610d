import type { DemoWorkspace } from '#prisma/seed/demo-data.ts';
import { answers, flows, savedReplies } from '#prisma/seed/growth/automation.ts';
import { growthChatContacts } from '#prisma/seed/growth/chat-contacts.ts';
import { growthCompanies, growthContacts } from '#prisma/seed/growth/contacts.ts';
import { emailAboutInvoices } from '#prisma/seed/growth/email-invoices.ts';
import { emailAboutOrders } from '#prisma/seed/growth/email-orders.ts';
import { instagramConversations } from '#prisma/seed/growth/instagram.ts';
import { messengerConversations } from '#prisma/seed/growth/messenger.ts';
import { slackConversations } from '#prisma/seed/growth/slack.ts';
import { billing, billingMailbox, support, supportMailbox } from '#prisma/seed/growth/team.ts';
import { telegramConversations } from '#prisma/seed/growth/telegram.ts';
import { webchatConversations } from '#prisma/seed/growth/webchat.ts';
import { whatsappConversations } from '#prisma/seed/growth/whatsapp.ts';

/** A coffee roaster that sells to homes, cafés and offices, with every channel in every status. */
export const growth: DemoWorkspace = {
  name: 'Demo Growth',
  plan: 'growth',
  since: '200d',
  members: { owner: 'owner', admin: 'admin', agent: 'agent', viewer: 'viewer' },
  sla: { firstResponse: 4 * 60, resolution: 3 * 24 * 60 },
  domain: { name: 'growth.demo.test', verified: true },
  mailboxes: [supportMailbox, billingMailbox],
  integrations: [
    { kind: 'shop', name: 'Online shop', since: '190d' },
    { kind: 'crm', name: 'Sales CRM', since: '132d' },
  ],
  teams: [billing, support],
  companies: Object.values(growthCompanies),
  contacts: [...Object.values(growthContacts), ...Object.values(growthChatContacts)],
  flows,
  savedReplies,
  answers,
  conversations: [
    ...emailAboutOrders,
    ...emailAboutInvoices,
    ...webchatConversations,
    ...whatsappConversations,
    ...instagramConversations,
    ...messengerConversations,
    ...telegramConversations,
    ...slackConversations,
  ],
};

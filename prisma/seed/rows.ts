import type { Prisma } from '#server/generated/prisma/client.ts';

export type Rows = {
  workspaces: Prisma.WorkspaceCreateManyInput[];
  users: Prisma.UserCreateManyInput[];
  accounts: Prisma.AccountCreateManyInput[];
  members: Prisma.MemberCreateManyInput[];
  notificationPreferences: Prisma.NotificationPreferenceCreateManyInput[];
  teams: Prisma.TeamCreateManyInput[];
  teamMembers: Prisma.TeamMemberCreateManyInput[];
  emailDomains: Prisma.EmailDomainCreateManyInput[];
  mailboxes: Prisma.MailboxCreateManyInput[];
  integrations: Prisma.IntegrationCreateManyInput[];
  companies: Prisma.CompanyCreateManyInput[];
  companyDomains: Prisma.CompanyDomainCreateManyInput[];
  contacts: Prisma.ContactCreateManyInput[];
  channelAccounts: Prisma.ChannelAccountCreateManyInput[];
  contactIdentities: Prisma.ContactIdentityCreateManyInput[];
  conversations: Prisma.ConversationCreateManyInput[];
  messages: Prisma.MessageCreateManyInput[];
  storedFiles: Prisma.StoredFileCreateManyInput[];
  fileChunks: Prisma.FileChunkCreateManyInput[];
  attachments: Prisma.AttachmentCreateManyInput[];
  flows: Prisma.FlowCreateManyInput[];
  savedReplies: Prisma.SavedReplyCreateManyInput[];
  savedAnswers: Prisma.SavedAnswerCreateManyInput[];
  commandRuns: Prisma.CommandRunCreateManyInput[];
  notes: Prisma.NoteCreateManyInput[];
  noteMentions: Prisma.NoteMentionCreateManyInput[];
  conversationTags: Prisma.ConversationTagCreateManyInput[];
  taggings: Prisma.TaggingCreateManyInput[];
  taggingTags: Prisma.TaggingTagCreateManyInput[];
  ratings: Prisma.RatingCreateManyInput[];
  timeline: Prisma.TimelineEntryCreateManyInput[];
  slaClocks: Prisma.SlaClockCreateManyInput[];
};

export function noRows(): Rows {
  return {
    workspaces: [],
    users: [],
    accounts: [],
    members: [],
    notificationPreferences: [],
    teams: [],
    teamMembers: [],
    emailDomains: [],
    mailboxes: [],
    integrations: [],
    companies: [],
    companyDomains: [],
    contacts: [],
    channelAccounts: [],
    contactIdentities: [],
    conversations: [],
    messages: [],
    storedFiles: [],
    fileChunks: [],
    attachments: [],
    flows: [],
    savedReplies: [],
    savedAnswers: [],
    commandRuns: [],
    notes: [],
    noteMentions: [],
    conversationTags: [],
    taggings: [],
    taggingTags: [],
    ratings: [],
    timeline: [],
    slaClocks: [],
  };
}

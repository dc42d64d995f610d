import type { Rows } from '#prisma/seed/rows.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { restoreSamples } from '#server/inbox/conversations/restore-samples.ts';

/** Inserts all rows, one statement per table, in the order of foreign keys, then derived rows. */
export async function insertRows(tx: Prisma.TransactionClient, rows: Rows): Promise<void> {
  await tx.workspace.createMany({ data: rows.workspaces });
  await tx.user.createMany({ data: rows.users });
  await tx.account.createMany({ data: rows.accounts });
  await tx.member.createMany({ data: rows.members });
  await tx.notificationPreference.createMany({ data: rows.notificationPreferences });
  await tx.team.createMany({ data: rows.teams });
  await tx.teamMember.createMany({ data: rows.teamMembers });
  await tx.emailDomain.createMany({ data: rows.emailDomains });
  await tx.mailbox.createMany({ data: rows.mailboxes });
  await tx.integration.createMany({ data: rows.integrations });
  await tx.company.createMany({ data: rows.companies });
  await tx.companyDomain.createMany({ data: rows.companyDomains });
  await tx.contact.createMany({ data: rows.contacts });
  await tx.channelAccount.createMany({ data: rows.channelAccounts });
  await tx.contactIdentity.createMany({ data: rows.contactIdentities });
  await tx.conversation.createMany({ data: rows.conversations });
  await tx.message.createMany({ data: rows.messages });
  await tx.storedFile.createMany({ data: rows.storedFiles });
  await tx.fileChunk.createMany({ data: rows.fileChunks });
  await tx.attachment.createMany({ data: rows.attachments });
  await tx.flow.createMany({ data: rows.flows });
  await tx.savedReply.createMany({ data: rows.savedReplies });
  await tx.savedAnswer.createMany({ data: rows.savedAnswers });
  await tx.commandRun.createMany({ data: rows.commandRuns });
  await tx.note.createMany({ data: rows.notes });
  await tx.noteMention.createMany({ data: rows.noteMentions });
  await tx.conversationTag.createMany({ data: rows.conversationTags });
  await tx.tagging.createMany({ data: rows.taggings });
  await tx.taggingTag.createMany({ data: rows.taggingTags });
  await tx.rating.createMany({ data: rows.ratings });
  await tx.timelineEntry.createMany({ data: rows.timeline });
  await tx.slaClock.createMany({ data: rows.slaClocks });
  await restoreSamples(tx);
}

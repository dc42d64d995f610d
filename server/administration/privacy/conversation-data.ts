import { unsentEntries } from '#server/administration/privacy/unsent-data.ts';
import { jsonEntry, jsonListEntry, type ZipEntry } from '#server/administration/privacy/write-zip.ts';
import { db } from '#server/core/database/prisma.ts';
import { timestamp, timestampOrNull } from '#server/core/timestamp.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';
import { openFile } from '#server/inbox/files/file-store.ts';

/** Rows that are read together. */
const PAGE = 50;
const PAGED = { orderBy: { id: 'asc' }, take: PAGE } as const;

/** Yields the entries of conversations, one folder for each: its fields, notes, ratings, messages, unsent replies and files. */
export async function* conversationEntries(where: Prisma.ConversationWhereInput): AsyncGenerator<ZipEntry> {
  const pages = pagesOf((after) =>
    db().conversation.findMany({ where: { AND: [where, after] }, select: conversationSelect, ...PAGED }),
  );
  for await (const page of pages) {
    for (const conversation of page) {
      const folder = `conversations/${conversation.id}`;
      const own = { conversationId: conversation.id };
      yield jsonEntry(`${folder}/conversation.json`, conversationData(conversation));
      yield* noteEntries(folder, own);
      yield* messageEntries(folder, own);
      yield* unsentEntries(folder, conversation.id);
    }
  }
}

/** Yields notes as one JSON file, then their files. */
async function* noteEntries(folder: string, where: Prisma.NoteWhereInput): AsyncGenerator<ZipEntry> {
  yield jsonListEntry(`${folder}/notes.json`, () => notePages(folder, where));
  const files = pagesOf((after) => db().noteFile.findMany({ where: { note: where, ...after }, ...PAGED }));
  for await (const page of files) {
    for (const file of page) yield { path: filePath(folder, file), open: () => openFile(file.fileId) };
  }
}

/** Yields messages as one JSON file, then their files and original mails. */
export async function* messageEntries(
  folder: string,
  where: Prisma.MessageWhereInput,
): AsyncGenerator<ZipEntry> {
  yield jsonListEntry(`${folder}/messages.json`, () => messagePages(folder, where));
  const files = pagesOf((after) =>
    db().attachment.findMany({ where: { message: where, ...after }, ...PAGED }),
  );
  for await (const page of files) {
    for (const file of page) yield { path: filePath(folder, file), open: () => openFile(file.fileId) };
  }
  const mails = pagesOf((after) =>
    db().message.findMany({
      where: { AND: [where, after], originalFileId: { not: null } },
      select: { id: true, originalFileId: true },
      ...PAGED,
    }),
  );
  for await (const page of mails) {
    for (const { id, originalFileId } of page) {
      if (originalFileId !== null) yield { path: mailPath(folder, id), open: () => openFile(originalFileId) };
    }
  }
}

export const fieldValueSelect = {
  field: { select: { name: true } },
  text: true,
  number: true,
  date: true,
  choice: { select: { name: true } },
} as const;

/** Values of deleted fields and choices are on their way out. */
export const isShownValue = {
  field: { deletedAt: null },
  OR: [{ choiceId: null }, { choice: { deletedAt: null } }],
};

type FieldValue = {
  field: { name: string };
  text: string | null;
  number: Prisma.Decimal | null;
  date: Date | null;
  choice: { name: string } | null;
};

/** Returns values of custom fields by the names of the fields. */
export function fieldValueData(values: FieldValue[]): Record<string, string | null> {
  return Object.fromEntries(
    values.map(({ field, text, number, date, choice }) => [
      field.name,
      text ?? number?.toString() ?? date?.toISOString().slice(0, 10) ?? choice?.name ?? null,
    ]),
  );
}

const conversationSelect = {
  id: true,
  subject: true,
  status: true,
  priority: true,
  channel: true,
  removal: true,
  mergedIntoId: true,
  createdAt: true,
  resolvedAt: true,
  tags: { select: { name: true }, orderBy: { createdAt: 'asc' } },
  ratings: { select: { score: true, comment: true, createdAt: true } },
  fieldValues: { select: fieldValueSelect, where: isShownValue },
} satisfies Prisma.ConversationSelect;

function conversationData(
  conversation: Prisma.ConversationGetPayload<{ select: typeof conversationSelect }>,
): object {
  const { id, subject, status, priority, channel, removal, mergedIntoId } = conversation;
  return {
    id,
    subject,
    status,
    priority,
    channel,
    removal,
    merged_into_id: mergedIntoId,
    created_at: timestamp(conversation.createdAt),
    resolved_at: timestampOrNull(conversation.resolvedAt),
    tags: conversation.tags.map(({ name }) => name),
    custom_fields: fieldValueData(conversation.fieldValues),
    ratings: conversation.ratings.map(({ score, comment, createdAt }) => ({
      score,
      comment,
      created_at: timestamp(createdAt),
    })),
  };
}

async function* notePages(folder: string, where: Prisma.NoteWhereInput): AsyncGenerator<object[]> {
  const pages = pagesOf((after) =>
    db().note.findMany({
      where: { AND: [where, after] },
      include: { versions: { orderBy: { number: 'asc' } }, files: { orderBy: { position: 'asc' } } },
      ...PAGED,
    }),
  );
  for await (const page of pages) {
    yield page.map(
      ({ id, authorName, content, formatted, createdAt, editedAt, deletedAt, versions, files }) => ({
        id,
        author: authorName,
        content,
        formatted,
        created_at: timestamp(createdAt),
        edited_at: timestampOrNull(editedAt),
        deleted_at: timestampOrNull(deletedAt),
        earlier_texts: versions.map((text) => ({
          content: text.content,
          formatted: text.formatted,
          written_at: timestamp(text.writtenAt),
        })),
        files: files.map((file) => fileData(folder, file)),
      }),
    );
  }
}

async function* messagePages(folder: string, where: Prisma.MessageWhereInput): AsyncGenerator<object[]> {
  const pages = pagesOf((after) =>
    db().message.findMany({
      where: { AND: [where, after] },
      include: { attachments: true, reactions: true },
      ...PAGED,
    }),
  );
  for await (const page of pages) yield page.map((message) => messageData(folder, message));
}

function messageData(
  folder: string,
  message: Prisma.MessageGetPayload<{ include: { attachments: true; reactions: true } }>,
): object {
  const { id, direction, content, fullContent, html, attachments, reactions } = message;
  return {
    id,
    conversation_id: message.conversationId,
    direction,
    created_at: timestamp(message.createdAt),
    edited_at: timestampOrNull(message.editedAt),
    author: message.authorName,
    author_address: message.authorAddress,
    to: message.mailTo,
    cc: message.cc,
    bcc: message.bcc,
    reply_to: message.replyTo,
    content,
    formatted: message.formatted,
    full_content: fullContent,
    html,
    invitation: message.invitation,
    context: message.context,
    template: message.template,
    original: message.originalFileId === null ? null : mailPath(folder, id),
    files: attachments.map((file) => fileData(folder, file)),
    reactions: reactions.map(({ author, authorName, emoji }) => ({ author, author_name: authorName, emoji })),
  };
}

function fileData(
  folder: string,
  file: { id: string; name: string; contentType: string; sizeBytes: number },
) {
  return {
    name: file.name,
    content_type: file.contentType,
    size_bytes: file.sizeBytes,
    path: filePath(folder, file),
  };
}

/** Stored names have no folders and no special characters (`cleanFileName`); the id makes them unique. */
function filePath(folder: string, { id, name }: { id: string; name: string }): string {
  return `${folder}/files/${id} ${name}`;
}

function mailPath(folder: string, messageId: string): string {
  return `${folder}/mails/${messageId}.eml`;
}

/** Condition on the rows of the next page: none for the first one. */
type After = { id?: { gt: string } };

/** Yields pages of rows in the order of their ids. Goes on after a row that was deleted in the meantime, unlike a cursor of Prisma. */
async function* pagesOf<Row extends { id: string }>(
  find: (after: After) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await find(last ? { id: { gt: last.id } } : {});
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

import { validate as isUuid } from 'uuid';
import { contactName } from '#server/contacts/contact-record.ts';
import { parseCursor, writeCursor } from '#server/core/cursor.ts';
import type { Db } from '#server/core/database/db.ts';
import { searchWords } from '#server/core/text.ts';
import {
  type ContactFilter,
  LOOKED_MAX,
  PAGE_ROWS,
  readContactRows,
} from '#server/screens/contacts/contact-list-sql.ts';
import type { ContactRow, Page } from '#server/screens/contacts/views.ts';

/**
 * A page of a workspace's contacts, newest first; those from testing the AI agent are left out. One query, or two when
 * what is searched for is rare: common words are found among the newest contacts, rare ones by the index of words.
 * @param search words of the name, email address or phone, the last of which may be unfinished, or a part of the
 * company's name; blank: everyone
 * @param companyId only the people of this company; any text, as one that is no UUID is no one's
 * @param cursor where the page before ended; one that was never given out begins at the newest
 */
export async function listContacts(
  db: Db,
  given: {
    workspaceId: string;
    search?: string | undefined;
    companyId?: string | undefined;
    cursor?: string | undefined;
  },
): Promise<Page<ContactRow>> {
  const { workspaceId, search = '', companyId, cursor } = given;
  if (companyId !== undefined && !isUuid(companyId)) return NOBODY;
  const filter = { workspaceId, companyId, after: parseCursor(cursor) };
  if (search.trim() === '') return pageOf(await readContactRows(db, filter));
  const words = searchWords(search);
  if (words === null) return NOBODY;
  return pageOf(await findContacts(db, { ...filter, sought: { words, text: search.trim() } }));
}

const NOBODY: Page<ContactRow> = { rows: [], nextCursor: null };

type Found = Awaited<ReturnType<typeof readContactRows>>;

async function findContacts(db: Db, filter: ContactFilter): Promise<Found> {
  const among = await readContactRows(db, filter, 'newest');
  const [first] = among;
  const wereAll = first !== undefined && first.looked < LOOKED_MAX;
  return wereAll || among.length > PAGE_ROWS ? among : readContactRows(db, filter, 'index');
}

function pageOf(found: Found): Page<ContactRow> {
  const page = found.slice(0, PAGE_ROWS);
  const last = page.at(-1);
  return {
    rows: page.map(({ id, email, phone, companyName, createdAt, ...names }) => ({
      id,
      name: contactName(names),
      email,
      phone,
      companyName,
      createdAt,
    })),
    nextCursor: last && found.length > PAGE_ROWS ? writeCursor(last) : null,
  };
}

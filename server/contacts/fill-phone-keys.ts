import { phoneKey } from '#server/contacts/phone-key.ts';
import { sql } from '#server/core/database/sql.ts';

const BATCH_ROWS = 500;
/** Batches of one run, so that it ends within a minute. The next run continues. */
const BATCHES_MAX = 40;

type Row = { id: string; phone: string; country: string | null };

/**
 * Computes the phone keys of contacts that have none yet, then again those without a country code in workspaces that chose
 * another country. Keys of numbers with a country code are written with the number.
 * @returns the number of computed keys
 */
export async function fillPhoneKeys(): Promise<number> {
  let filled = 0;
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const rows = await sql().$queryRaw<Row[]>`
      select c.id, c.phone, w.country from contacts c join workspaces w on w.id = c.workspace_id
      where c.phone is not null and c.phone_key is null order by c.id limit ${BATCH_ROWS}::int`;
    filled += await store(rows);
    if (rows.length < BATCH_ROWS) return filled + (await changeCountries());
  }
  return filled;
}

async function changeCountries(): Promise<number> {
  const changed = await sql().$queryRaw<{ id: string; country: string | null }[]>`
    select id, country from workspaces where country is distinct from phone_keys_country and deleted_at is null limit 10`;
  let filled = 0;
  for (const { id, country } of changed) {
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows: Row[] = await sql().$queryRaw`
        select id, phone, ${country}::text as country from contacts
        where workspace_id = ${id}::uuid and id > ${after}::uuid and phone !~ '^\\s*[+]' order by id limit ${BATCH_ROWS}::int`;
      filled += await store(rows);
      after = rows.at(-1)?.id ?? after;
      if (rows.length < BATCH_ROWS) break;
    }
    await sql().$executeRaw`
      update workspaces set phone_keys_country = ${country} where id = ${id}::uuid and country is not distinct from ${country}`;
  }
  return filled;
}

/** Stores the keys, unless a number changed in the meantime. */
async function store(rows: Row[]): Promise<number> {
  if (rows.length === 0) return 0;
  const keys = rows.map(({ phone, country }) => phoneKey(phone, country) ?? '');
  return sql().$executeRaw`
    update contacts c set phone_key = given.key
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ phone }) => phone)}::text[], ${keys}::text[]) as given (id, phone, key)
    where c.id = given.id and c.phone = given.phone and c.phone_key is distinct from given.key`;
}

import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { COMPANY_NAME_MAX } from '#server/contacts/contact-fields.ts';
import { textProblem } from '#server/contract/fields.ts';
import type { SqlDb } from '#server/core/database/sql.ts';
import { invalid } from '#server/core/errors.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

export type Company = { id: string; name: string };

/** An existing company by id, an existing or new one by name, or none. */
export type CompanyChoice = { id: string } | { name: string } | null;

/**
 * Resolves the company that a teammate chose for a contact. A name that no company has (ignoring case)
 * creates a company. The workspace lock makes simultaneous requests create one company.
 * @param choice `name`: trimmed and not empty; undefined: no choice was made, so no query runs
 * @throws Refusal when the workspace has no company with the id
 */
export async function chooseCompany(
  tx: SqlDb,
  { workspaceId, choice }: { workspaceId: string; choice: CompanyChoice | undefined },
): Promise<Company | null | undefined> {
  if (choice === undefined || choice === null) return choice;
  return 'id' in choice
    ? findCompany(tx, { workspaceId, id: choice.id })
    : findOrMakeCompany(tx, { workspaceId, name: choice.name });
}

/** Locks the company until the transaction ends, so that a contact can be linked to it. */
async function findCompany(
  tx: SqlDb,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Company> {
  const [company] = isUuid(id)
    ? await tx.$queryRaw<Company[]>`
        select id, name from companies
        where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and deleted_at is null
        for key share`
    : [];
  if (!company) throw invalid({ company: ['This company was deleted. Choose another one.'] });
  return company;
}

async function findOrMakeCompany(
  tx: SqlDb,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<Company> {
  await lockWorkspace(tx, workspaceId);
  const known = await findByName(tx, { workspaceId, name });
  return known ?? insertCompany(tx, { workspaceId, name, field: 'companyName' });
}

/** Maximum number of companies per workspace. */
export const COMPANIES_MAX = 10_000;

/** Finds a company by name, ignoring case, and locks it until the transaction ends. */
export async function findByName(
  tx: SqlDb,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<Company | undefined> {
  const [company] = await tx.$queryRaw<Company[]>`
    select id, name from companies
    where workspace_id = ${workspaceId}::uuid and lower(name) = lower(${name}) and deleted_at is null
    order by created_at, id limit 1 for key share`;
  return company;
}

/**
 * Inserts a company. The caller holds the workspace lock and has checked the name.
 * @param field the key of the error message
 * @throws Refusal when the workspace has 10,000 companies
 */
export async function insertCompany(
  tx: SqlDb,
  { workspaceId, name, field }: { workspaceId: string; name: string; field: string },
): Promise<Company> {
  const [inserted] = await tx.$queryRaw<Company[]>`
    insert into companies (id, workspace_id, name)
    select ${uuidv7()}::uuid, ${workspaceId}::uuid, ${name}::text
    where (select count(*) from companies where workspace_id = ${workspaceId}::uuid and deleted_at is null) < ${COMPANIES_MAX}::int
    returning id, name`;
  if (inserted) return inserted;
  const most = COMPANIES_MAX.toLocaleString('en');
  throw invalid({ [field]: [`A workspace can have up to ${most} companies. Delete one first.`] });
}

/** Returns the error message for a trimmed company name, or undefined. */
export function companyNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter the company name.';
  return textProblem(name, { label: 'company name', max: COMPANY_NAME_MAX });
}

/**
 * Returns the trimmed company name.
 * @throws Refusal when it is empty, too long or contains a character that cannot be stored
 */
export function parseCompanyName(typed: string): string {
  const name = typed.trim();
  const problem = companyNameProblem(name);
  if (problem) throw invalid({ name: [problem] });
  return name;
}

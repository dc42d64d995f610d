import { validate as isUuid } from 'uuid';
import { COMPANY_NAME_MAX } from '#server/contacts/contact-fields.ts';
import { textProblem } from '#server/contract/fields.ts';
import type { Tx } from '#server/core/database/prisma.ts';
import { invalid } from '#server/core/errors.ts';
import { lockWorkspace } from '#server/teammates/require-role.ts';

export type Company = { id: string; name: string };

/** One of the workspace's companies, one by its name (which may be new), or none. */
export type CompanyChoice = { id: string } | { name: string } | null;

/**
 * The company that a teammate chose for a contact. A name that no company has, in upper or lower case, makes one;
 * two teammates at once make one, as both lock the workspace before they look.
 * @param choice `name`: trimmed and not empty; undefined: nothing was chosen, which asks nothing
 * @throws Refusal when the workspace has no company of the id
 */
export async function chooseCompany(
  tx: Tx,
  { workspaceId, choice }: { workspaceId: string; choice: CompanyChoice | undefined },
): Promise<Company | null | undefined> {
  if (choice === undefined || choice === null) return choice;
  return 'id' in choice
    ? findCompany(tx, { workspaceId, id: choice.id })
    : findOrMakeCompany(tx, { workspaceId, name: choice.name });
}

/** Stays until the transaction ends, so that the contact can be linked to it. */
async function findCompany(
  tx: Tx,
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
  tx: Tx,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<Company> {
  await lockWorkspace(tx, workspaceId);
  const known = await findByName(tx, { workspaceId, name });
  return known ?? insertCompany(tx, { workspaceId, name, field: 'companyName' });
}

/** Companies of a workspace. */
export const COMPANIES_MAX = 10_000;

/** The company of a name, in upper or lower case, or undefined; it stays until the transaction ends. */
export async function findByName(
  tx: Tx,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<Company | undefined> {
  const [company] = await tx.$queryRaw<Company[]>`
    select id, name from companies
    where workspace_id = ${workspaceId}::uuid and lower(name) = lower(${name}) and deleted_at is null
    order by created_at, id limit 1 for key share`;
  return company;
}

/**
 * Writes a new company. The caller holds the workspace's lock and has found none of this name.
 * @param field what the sentence is under when there are too many
 * @throws Refusal when the workspace has 10,000 companies
 */
export async function insertCompany(
  tx: Tx,
  { workspaceId, name, field }: { workspaceId: string; name: string; field: string },
): Promise<Company> {
  if ((await tx.company.count({ where: { workspaceId, deletedAt: null } })) >= COMPANIES_MAX) {
    const most = COMPANIES_MAX.toLocaleString('en');
    throw invalid({ [field]: [`A workspace can have up to ${most} companies. Delete one first.`] });
  }
  return tx.company.create({ data: { workspaceId, name }, select: { id: true, name: true } });
}

/** What is wrong with the name of a company, trimmed, as a sentence, or undefined. */
export function companyNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter the company name.';
  return textProblem(name, { label: 'company name', max: COMPANY_NAME_MAX });
}

/**
 * The name of a company as it was typed, trimmed.
 * @throws Refusal when it is empty, too long, or holds a character that no text can have
 */
export function parseCompanyName(typed: string): string {
  const name = typed.trim();
  const problem = companyNameProblem(name);
  if (problem) throw invalid({ name: [problem] });
  return name;
}
